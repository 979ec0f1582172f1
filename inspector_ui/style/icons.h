#pragma once
// The window's own line icons, tinted when they are drawn.
//
// An icon is named after its file in resources/icons. Pixmaps are rendered from SVG at the device's ratio and
// cached by name, colour, size and ratio; nothing is ever a scaled bitmap.

#include "style/theme.h"

#include <QIcon>
#include <QPixmap>
#include <QString>

QT_BEGIN_NAMESPACE
class QPainter;
QT_END_NAMESPACE

namespace terrarium::ui::icons {

/// `size` in device-independent pixels. A name without a file gives an empty pixmap and a warning.
QPixmap pixmap(const QString &name, const QColor &color, int size = 16, qreal ratio = 1);
/// Paints at whole device-independent pixels, at the painter's own ratio.
void paint(QPainter *painter, const QPoint &topLeft, const QString &name, const QColor &color, int size = 16);
/// Follows the theme: rendered anew at every paint. Same look when selected, faint when disabled.
QIcon icon(const QString &name, ColorRole color = ColorRole::Text);
/// The product's icon, in its own colours.
QIcon product();
bool exists(const QString &name);

} // namespace terrarium::ui::icons
