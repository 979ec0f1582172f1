#pragma once
// One icon standing alone, with a name for screen readers.

#include "style/theme.h"

#include <QWidget>

namespace terrarium::ui {

class GlyphLabel final : public QWidget {
    Q_OBJECT
    Q_PROPERTY(QString icon READ icon)
public:
    explicit GlyphLabel(int size, QWidget *parent = nullptr);

    void setGlyph(const QString &icon, ColorRole color, const QString &name);
    QString icon() const { return m_icon; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_icon;
    ColorRole m_color = ColorRole::Muted;
    int m_size;
};

} // namespace terrarium::ui
