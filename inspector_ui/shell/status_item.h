#pragma once
// One figure of the status bar: glyph and words. Clickable ones take the keyboard.

#include "style/theme.h"

#include <QAbstractButton>

namespace terrarium::ui {

class StatusItem final : public QAbstractButton {
    Q_OBJECT
public:
    /// `clickable`: a button; else only a text.
    StatusItem(const QString &name, bool clickable, QWidget *parent = nullptr);

    void setContent(const QString &icon, ColorRole iconColor, const QString &text,
                    ColorRole textColor = ColorRole::Muted);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_icon;
    ColorRole m_iconColor = ColorRole::Muted;
    ColorRole m_textColor = ColorRole::Muted;
};

} // namespace terrarium::ui
