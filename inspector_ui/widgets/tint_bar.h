#pragma once
// One line on a family's tint: glyph and a sentence. "Stays awake while these are on".

#include "style/theme.h"

#include <QWidget>

namespace terrarium::ui {

class TintBar : public QWidget {
    Q_OBJECT
    Q_PROPERTY(QString text READ text)
public:
    explicit TintBar(QWidget *parent = nullptr);

    void setContent(Family family, const QString &icon, const QString &text, const QString &detail = {});
    QString text() const { return m_text; }
    QString detail() const { return m_detail; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Family m_family = Family::Muted;
    QString m_icon;
    QString m_text;
    QString m_detail;
};

} // namespace terrarium::ui
