#pragma once
// The bar above a part of a section: bold title, muted detail, controls at the right.

#include "style/theme.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QHBoxLayout;
QT_END_NAMESPACE

namespace terrarium::ui {

class ThemedLabel;

class CaptionBar : public QWidget {
    Q_OBJECT
public:
    explicit CaptionBar(const QString &title, QWidget *parent = nullptr);

    void setTitle(const QString &title);
    void setDetail(const QString &detail);
    QString detail() const;
    /// Appended at the right.
    void addControl(QWidget *control);
    void setHeight(int px); ///< 36 to 40; grows with the text
    void setHairline(bool top, bool bottom);
    void setBackground(ColorRole role);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    ThemedLabel *m_title;
    ThemedLabel *m_detail;
    QHBoxLayout *m_layout;
    int m_height = 38;
    bool m_top = false;
    bool m_bottom = false;
    ColorRole m_background = ColorRole::Base;
};

} // namespace terrarium::ui
