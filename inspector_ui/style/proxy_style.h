#pragma once
// Standard widgets drawn flat with the theme's tokens: fill and one line, no gradient, no bevel.
//
// On top of Fusion only. Dynamic properties a widget may set:
//   "primary" (bool)   the one filled button of a view
//   "keys" (QString)   keyboard hint, painted after a button's text
//   "invalid" (bool)   field with the 2 px error edge
//   "small" (bool)     24 px button
// Selection of items is not drawn here but by RowPainter.

#include <QProxyStyle>

namespace terrarium::ui {

class ProxyStyle final : public QProxyStyle {
    Q_OBJECT
public:
    ProxyStyle();

    void polish(QWidget *widget) override;
    using QProxyStyle::polish;
    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                       const QWidget *widget) const override;
    void drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                     const QWidget *widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
                            const QWidget *widget) const override;
    QRect subElementRect(SubElement element, const QStyleOption *option, const QWidget *widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex *option, SubControl subControl,
                         const QWidget *widget) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                           const QWidget *widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const override;
    int styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                  QStyleHintReturn *data) const override;
    QPixmap generatedIconPixmap(QIcon::Mode mode, const QPixmap &pixmap, const QStyleOption *option) const override;
};

/// A 6 px chevron centred in `rect`. `rotation` in quarter turns: 0 down, 1 left, 2 up, 3 right.
void paintChevron(QPainter *painter, const QRectF &rect, const QColor &color, int rotation = 0);
/// Rounded rectangle of fill and a 1 px line inside `rect`.
void paintPanel(QPainter *painter, const QRect &rect, const QColor &fill, const QColor &line, qreal radius,
                qreal lineWidth = 1);

} // namespace terrarium::ui
