#pragma once
// A label that says colour and font by role and follows the theme. Always plain text.

#include "style/theme.h"

#include <QLabel>

namespace terrarium::ui {

class ThemedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ThemedLabel(const QString &text = {}, ColorRole color = ColorRole::Text, FontRole font = FontRole::Body,
                         QWidget *parent = nullptr);

    void setColorRole(ColorRole color);
    void setFontRole(FontRole font);
    /// Cut in the middle or at the end when there is no room; the whole text becomes the tooltip.
    void setElide(Qt::TextElideMode mode);
    /// Space reserved for this text, so that neighbours do not move when the text changes.
    void reserveFor(const QString &widest);
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    void applyTheme();

    ColorRole m_color;
    FontRole m_font;
    Qt::TextElideMode m_elide = Qt::ElideNone;
    QString m_widest;
};

} // namespace terrarium::ui
