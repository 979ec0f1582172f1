#pragma once
// A short fact on a tint: "Running 2 m 36 s". The words are always in the text colour, only the glyph has one.

#include "style/theme.h"

#include <QWidget>

namespace terrarium::ui {

class Chip final : public QWidget {
    Q_OBJECT
    Q_PROPERTY(QString text READ text)
public:
    explicit Chip(QWidget *parent = nullptr);

    void setText(const QString &text);
    QString text() const { return m_text; }
    /// No name: no glyph.
    void setIcon(const QString &name, ColorRole color);
    void setFamily(Family family);
    /// A line instead of a tint: for facts that are not current.
    void setOutlined(bool outlined);
    void setStrong(bool strong);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_text;
    QString m_icon;
    ColorRole m_iconColor = ColorRole::Muted;
    Family m_family = Family::Muted;
    bool m_outlined = false;
    bool m_strong = false;
};

} // namespace terrarium::ui
