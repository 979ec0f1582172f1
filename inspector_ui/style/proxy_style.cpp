#include "style/proxy_style.h"

#include "style/icons.h"
#include "style/theme.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenuBar>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QScrollBar>
#include <QSpinBox>
#include <QStyleFactory>
#include <QStyleOption>
#include <QToolBar>
#include <QToolButton>

namespace terrarium::ui {

namespace {

QColor styleColor(ColorRole role)
{
    return theme().color(role);
}

bool styleFlag(const QWidget *widget, const char *name)
{
    return widget && widget->property(name).toBool();
}

/// A field inside a combo or spin box draws no frame of its own.
bool styleFieldIsInner(const QWidget *widget)
{
    return widget && widget->parentWidget()
           && (qobject_cast<const QComboBox *>(widget->parentWidget())
               || qobject_cast<const QAbstractSpinBox *>(widget->parentWidget()));
}

void styleFieldFrame(QPainter *painter, const QRect &rect, QStyle::State state, bool invalid)
{
    const bool enabled = state & QStyle::State_Enabled;
    const bool focus = enabled && (state & QStyle::State_HasFocus);
    const QColor fill = styleColor(enabled ? ColorRole::Base : ColorRole::Panel);
    QColor line = styleColor(enabled ? ColorRole::Border : ColorRole::Edge);
    qreal width = 1;
    if (invalid && enabled) {
        line = styleColor(ColorRole::Bad);
        width = 2;
    } else if (focus) {
        line = styleColor(ColorRole::Accent);
        width = 2;
    } else if (theme().isHighContrast()) {
        width = 2;
    }
    paintPanel(painter, rect, fill, line, 4, width);
}

void styleButtonPanel(QPainter *painter, const QRect &rect, QStyle::State state, bool primary, bool flat)
{
    const bool enabled = state & QStyle::State_Enabled;
    const bool down = state & (QStyle::State_Sunken | QStyle::State_On);
    const bool hover = enabled && (state & QStyle::State_MouseOver);
    if (flat) {
        if (enabled && down)
            paintPanel(painter, rect, styleColor(ColorRole::ButtonPressed), Qt::transparent, 5);
        else if (hover)
            paintPanel(painter, rect, styleColor(ColorRole::Hover), Qt::transparent, 5);
    } else if (primary && enabled) {
        QColor fill = styleColor(ColorRole::AccentFill);
        if (down)
            fill = fill.darker(115);
        else if (hover)
            fill = fill.lighter(108);
        paintPanel(painter, rect, fill, fill, 5);
    } else {
        QColor fill = styleColor(down ? ColorRole::ButtonPressed : ColorRole::Button);
        if (!enabled)
            fill = Theme::mix(styleColor(ColorRole::Button), styleColor(ColorRole::Panel), 0.5);
        else if (hover && !down)
            fill = styleColor(ColorRole::Hover);
        paintPanel(painter, rect, fill, enabled ? styleColor(ColorRole::Edge) : styleColor(ColorRole::Hair), 5,
                   theme().isHighContrast() ? 2 : 1);
    }
    if (enabled && (state & QStyle::State_HasFocus) && (state & QStyle::State_KeyboardFocusChange)) {
        const QColor ring = styleColor(primary ? ColorRole::Text : ColorRole::Accent);
        paintPanel(painter, rect, Qt::transparent, ring, 5, 2);
    }
}

} // namespace

void paintChevron(QPainter *painter, const QRectF &rect, const QColor &color, int rotation)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(color, 1.3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->translate(rect.center());
    painter->rotate(rotation * 90);
    const QPointF points[] = {{-3.5, -1.75}, {0, 1.75}, {3.5, -1.75}};
    painter->drawPolyline(points, 3);
    painter->restore();
}

void paintPanel(QPainter *painter, const QRect &rect, const QColor &fill, const QColor &line, qreal radius,
                qreal lineWidth)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool hasLine = line.alpha() > 0;
    const qreal inset = hasLine ? lineWidth / 2 : 0;
    painter->setPen(hasLine ? QPen(line, lineWidth) : QPen(Qt::NoPen));
    painter->setBrush(fill.alpha() > 0 ? QBrush(fill) : QBrush(Qt::NoBrush));
    painter->drawRoundedRect(QRectF(rect).adjusted(inset, inset, -inset, -inset), radius - inset / 2,
                             radius - inset / 2);
    painter->restore();
}

ProxyStyle::ProxyStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion")))
{
    setObjectName(QStringLiteral("terrarium"));
}

void ProxyStyle::polish(QWidget *widget)
{
    QProxyStyle::polish(widget);
    if (qobject_cast<QAbstractButton *>(widget) || qobject_cast<QComboBox *>(widget)
        || qobject_cast<QScrollBar *>(widget) || qobject_cast<QAbstractSpinBox *>(widget))
        widget->setAttribute(Qt::WA_Hover);
    if (auto *header = qobject_cast<QHeaderView *>(widget)) {
        header->setHighlightSections(false);
        header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    }
    if (auto *combo = qobject_cast<QComboBox *>(widget); combo && combo->view())
        combo->view()->setMinimumWidth(combo->view()->minimumWidth());
}

void ProxyStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                               const QWidget *widget) const
{
    switch (element) {
    case PE_PanelLineEdit:
        if (styleFieldIsInner(widget))
            return;
        if (const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option); frame && frame->lineWidth <= 0)
            return;
        styleFieldFrame(painter, option->rect, option->state, styleFlag(widget, "invalid"));
        return;
    case PE_FrameLineEdit: return;
    case PE_PanelButtonCommand: {
        const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option);
        const bool primary = styleFlag(widget, "primary")
                             || (button && (button->features & QStyleOptionButton::DefaultButton)
                                 && styleFlag(widget, "primaryWhenDefault"));
        const bool flat = button && (button->features & QStyleOptionButton::Flat);
        styleButtonPanel(painter, option->rect, option->state, primary, flat);
        return;
    }
    case PE_PanelButtonTool: styleButtonPanel(painter, option->rect, option->state, false, true); return;
    case PE_FrameDefaultButton:
    case PE_FrameButtonTool: return;
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck: {
        const QRect box(option->rect.x() + (option->rect.width() - 15) / 2,
                        option->rect.y() + (option->rect.height() - 15) / 2, 15, 15);
        const bool on = option->state & (State_On | State_NoChange);
        const bool enabled = option->state & State_Enabled;
        const QColor fill = styleColor(on ? (enabled ? ColorRole::AccentFill : ColorRole::Faint)
                                          : (enabled ? ColorRole::Base : ColorRole::Panel));
        paintPanel(painter, box, fill, on ? fill : styleColor(enabled ? ColorRole::Border : ColorRole::Edge), 3);
        if (on) {
            painter->save();
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(
                QPen(styleColor(ColorRole::AccentFillText), 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            painter->translate(box.topLeft());
            if (option->state & State_NoChange) {
                painter->drawLine(QPointF(4, 7.5), QPointF(11, 7.5));
            } else {
                const QPointF points[] = {{3.6, 7.8}, {6.4, 10.6}, {11.4, 4.6}};
                painter->drawPolyline(points, 3);
            }
            painter->restore();
        }
        if ((option->state & State_HasFocus) && (option->state & State_KeyboardFocusChange))
            paintPanel(painter, box.adjusted(-2, -2, 2, 2), Qt::transparent, styleColor(ColorRole::Accent), 4, 2);
        return;
    }
    case PE_IndicatorRadioButton: {
        const QRectF box(option->rect.x() + (option->rect.width() - 15) / 2,
                         option->rect.y() + (option->rect.height() - 15) / 2, 15, 15);
        const bool on = option->state & State_On;
        const bool enabled = option->state & State_Enabled;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const QColor fill = styleColor(on ? (enabled ? ColorRole::AccentFill : ColorRole::Faint)
                                          : (enabled ? ColorRole::Base : ColorRole::Panel));
        painter->setPen(QPen(on ? fill : styleColor(enabled ? ColorRole::Border : ColorRole::Edge), 1));
        painter->setBrush(fill);
        painter->drawEllipse(box.adjusted(0.5, 0.5, -0.5, -0.5));
        if (on) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(styleColor(ColorRole::AccentFillText));
            painter->drawEllipse(box.center(), 2.75, 2.75);
        }
        if ((option->state & State_HasFocus) && (option->state & State_KeyboardFocusChange)) {
            painter->setBrush(Qt::NoBrush);
            painter->setPen(QPen(styleColor(ColorRole::Accent), 2));
            painter->drawEllipse(box.adjusted(-2, -2, 2, 2));
        }
        painter->restore();
        return;
    }
    case PE_IndicatorBranch:
        if (option->state & State_Children) {
            const bool open = option->state & State_Open;
            const bool mirrored = option->direction == Qt::RightToLeft;
            paintChevron(painter, option->rect, styleColor(ColorRole::Muted), open ? 0 : (mirrored ? 1 : 3));
        }
        return;
    case PE_PanelItemViewItem:
    case PE_PanelItemViewRow:
        // Lists of ours paint their rows themselves; popups of combo boxes come here.
        if (widget && widget->property("ownRows").toBool())
            return;
        if (option->state & State_Selected)
            painter->fillRect(option->rect, styleColor(ColorRole::Sel));
        else if (option->state & State_MouseOver)
            painter->fillRect(option->rect, styleColor(ColorRole::Hover));
        return;
    case PE_FrameFocusRect:
        if (qobject_cast<const QAbstractItemView *>(widget))
            return;
        if (option->state & State_KeyboardFocusChange)
            paintPanel(painter, option->rect, Qt::transparent, styleColor(ColorRole::Accent), 4, 2);
        return;
    case PE_Frame: paintPanel(painter, option->rect, Qt::transparent, styleColor(ColorRole::Edge), 4); return;
    case PE_FrameMenu: paintPanel(painter, option->rect, Qt::transparent, styleColor(ColorRole::Edge), 0); return;
    case PE_PanelMenu: painter->fillRect(option->rect, styleColor(ColorRole::Base)); return;
    case PE_PanelTipLabel:
        painter->fillRect(option->rect, styleColor(ColorRole::Panel));
        paintPanel(painter, option->rect, Qt::transparent, styleColor(ColorRole::Edge), 0);
        return;
    case PE_PanelMenuBar:
    case PE_FrameStatusBarItem:
    case PE_FrameDockWidget: return;
    case PE_PanelStatusBar:
        painter->fillRect(option->rect, styleColor(ColorRole::Chrome));
        painter->fillRect(QRect(option->rect.left(), option->rect.top(), option->rect.width(), 1),
                          styleColor(ColorRole::Seam));
        return;
    case PE_IndicatorToolBarSeparator: {
        const QRect r = option->rect;
        if (option->state & State_Horizontal)
            painter->fillRect(QRect(r.center().x(), r.center().y() - 7, 1, 15), styleColor(ColorRole::Edge));
        else
            painter->fillRect(QRect(r.center().x() - 7, r.center().y(), 15, 1), styleColor(ColorRole::Edge));
        return;
    }
    case PE_IndicatorDockWidgetResizeHandle: {
        const QRect r = option->rect;
        if (option->state & State_Horizontal) {
            painter->fillRect(r, styleColor(ColorRole::Panel));
            painter->fillRect(QRect(r.left(), r.bottom(), r.width(), 1), styleColor(ColorRole::Seam));
        } else {
            painter->fillRect(r, styleColor(ColorRole::Panel));
            painter->fillRect(QRect(r.right(), r.top(), 1, r.height()), styleColor(ColorRole::Seam));
        }
        return;
    }
    case PE_IndicatorArrowDown:
    case PE_IndicatorHeaderArrow: paintChevron(painter, option->rect, styleColor(ColorRole::Muted), 0); return;
    case PE_IndicatorArrowUp: paintChevron(painter, option->rect, styleColor(ColorRole::Muted), 2); return;
    case PE_IndicatorArrowRight: paintChevron(painter, option->rect, styleColor(ColorRole::Muted), 3); return;
    case PE_IndicatorArrowLeft: paintChevron(painter, option->rect, styleColor(ColorRole::Muted), 1); return;
    default: QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void ProxyStyle::drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                             const QWidget *widget) const
{
    switch (element) {
    case CE_PushButtonBevel: {
        const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option);
        if (!button)
            break;
        proxy()->drawPrimitive(PE_PanelButtonCommand, option, painter, widget);
        if (button->features & QStyleOptionButton::HasMenu)
            paintChevron(painter, QRect(option->rect.right() - 20, option->rect.top(), 14, option->rect.height()),
                         styleColor(option->state & State_Enabled ? ColorRole::Muted : ColorRole::Faint));
        return;
    }
    case CE_PushButtonLabel: {
        const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option);
        if (!button)
            break;
        const bool enabled = option->state & State_Enabled;
        const bool primary = styleFlag(widget, "primary") && enabled;
        const QColor color = styleColor(primary   ? ColorRole::AccentFillText
                                        : enabled ? ColorRole::Text
                                                  : ColorRole::Faint);
        const QString keys = widget ? widget->property("keys").toString() : QString();
        const QFont keysFont = theme().font(FontRole::Keys);
        const int flags =
            Qt::AlignVCenter | Qt::TextShowMnemonic
            | (proxy()->styleHint(SH_UnderlineShortcut, option, widget, nullptr) ? 0 : Qt::TextHideMnemonic);
        const QFontMetrics metrics = option->fontMetrics;
        const int textWidth = metrics.size(Qt::TextShowMnemonic, button->text).width();
        const int keysWidth = keys.isEmpty() ? 0 : QFontMetrics(keysFont).horizontalAdvance(keys) + 8;
        const int iconSide = button->icon.isNull() ? 0 : button->iconSize.width();
        const int iconGap = iconSide && !button->text.isEmpty() ? 6 : 0;
        const int menu = button->features & QStyleOptionButton::HasMenu ? 20 : 0;
        QRect area = option->rect.adjusted(4, 0, -4 - menu, 0);
        int x = area.left() + std::max(0, (area.width() - (iconSide + iconGap + textWidth + keysWidth)) / 2);
        if (styleFlag(widget, "leftAligned") || menu)
            x = area.left() + 6;
        if (iconSide) {
            const QRect at(x, area.top() + (area.height() - iconSide) / 2, iconSide, iconSide);
            button->icon.paint(painter, visualRect(option->direction, option->rect, at), Qt::AlignCenter,
                               enabled ? QIcon::Normal : QIcon::Disabled);
            x += iconSide + iconGap;
        }
        painter->setPen(color);
        const QRect textRect(x, area.top(), std::min(textWidth, area.right() - x + 1) + 1, area.height());
        painter->drawText(visualRect(option->direction, option->rect, textRect), flags | Qt::AlignLeft, button->text);
        x += textWidth + 8;
        if (keysWidth) {
            painter->save();
            painter->setFont(keysFont);
            painter->setOpacity(0.72);
            const QRect keysRect(x, area.top(), keysWidth, area.height());
            painter->drawText(visualRect(option->direction, option->rect, keysRect), Qt::AlignVCenter | Qt::AlignLeft,
                              keys);
            painter->restore();
        }
        return;
    }
    case CE_ComboBoxLabel: {
        const auto *combo = qstyleoption_cast<const QStyleOptionComboBox *>(option);
        if (!combo || combo->editable)
            break;
        const bool enabled = option->state & State_Enabled;
        QRect area = option->rect.adjusted(10, 0, -26, 0);
        if (!combo->currentIcon.isNull()) {
            const QRect at(area.left() - 1, area.top() + (area.height() - 16) / 2, 16, 16);
            combo->currentIcon.paint(painter, visualRect(option->direction, option->rect, at), Qt::AlignCenter,
                                     enabled ? QIcon::Normal : QIcon::Disabled);
            area.setLeft(area.left() + 22);
        }
        painter->setPen(styleColor(enabled ? ColorRole::Text : ColorRole::Faint));
        painter->drawText(visualRect(option->direction, option->rect, area), Qt::AlignVCenter | Qt::AlignLeft,
                          option->fontMetrics.elidedText(combo->currentText, Qt::ElideRight, area.width()));
        return;
    }
    case CE_HeaderEmptyArea:
    case CE_HeaderSection: {
        painter->fillRect(option->rect,
                          styleColor(styleFlag(widget, "panelHeader") ? ColorRole::Panel : ColorRole::Base));
        const QRect line(option->rect.left(), option->rect.bottom(), option->rect.width(), 1);
        painter->fillRect(line, styleColor(ColorRole::Hair));
        return;
    }
    case CE_HeaderLabel: {
        const auto *header = qstyleoption_cast<const QStyleOptionHeader *>(option);
        if (!header)
            break;
        painter->save();
        painter->setFont(theme().font(FontRole::Secondary));
        const QFontMetrics metrics(painter->font());
        painter->setPen(styleColor(ColorRole::Muted));
        // Lists with room before the first column and after the last say so.
        const bool first =
            header->position == QStyleOptionHeader::Beginning || header->position == QStyleOptionHeader::OnlyOneSection;
        const bool last =
            header->position == QStyleOptionHeader::End || header->position == QStyleOptionHeader::OnlyOneSection;
        const int firstPad = widget ? widget->property("firstPad").toInt() : 0;
        const int lastPad = widget ? widget->property("lastPad").toInt() : 0;
        QRect area = option->rect.adjusted(first && firstPad ? firstPad : 6, 0, -(last && lastPad ? lastPad : 6), 0);
        if (header->sortIndicator != QStyleOptionHeader::None)
            area.setRight(area.right() - 12);
        const QString text = metrics.elidedText(header->text, Qt::ElideRight, area.width());
        const Qt::Alignment align = (header->textAlignment & Qt::AlignHorizontal_Mask) | Qt::AlignVCenter;
        painter->drawText(area, int(QStyle::visualAlignment(option->direction, align)), text);
        if (header->sortIndicator != QStyleOptionHeader::None) {
            const QRect arrow(area.right() + 2, area.top(), 10, area.height());
            paintChevron(painter, visualRect(option->direction, option->rect, arrow), styleColor(ColorRole::Muted),
                         header->sortIndicator == QStyleOptionHeader::SortDown ? 2 : 0);
        }
        painter->restore();
        return;
    }
    case CE_MenuBarEmptyArea: painter->fillRect(option->rect, styleColor(ColorRole::Chrome)); return;
    case CE_MenuBarItem: {
        const auto *item = qstyleoption_cast<const QStyleOptionMenuItem *>(option);
        if (!item)
            break;
        painter->fillRect(option->rect, styleColor(ColorRole::Chrome));
        if ((option->state & State_Selected) && (option->state & State_Enabled))
            paintPanel(painter, option->rect.adjusted(1, 2, -1, -2),
                       styleColor(option->state & State_Sunken ? ColorRole::ButtonPressed : ColorRole::Hover),
                       Qt::transparent, 4);
        painter->setPen(styleColor(option->state & State_Enabled ? ColorRole::Text : ColorRole::Faint));
        const int hide = proxy()->styleHint(SH_UnderlineShortcut, option, widget, nullptr) ? 0 : Qt::TextHideMnemonic;
        painter->drawText(option->rect, Qt::AlignCenter | Qt::TextShowMnemonic | Qt::TextSingleLine | hide, item->text);
        return;
    }
    case CE_ToolBar: {
        painter->fillRect(option->rect, styleColor(ColorRole::Chrome));
        painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
                          styleColor(ColorRole::Seam));
        return;
    }
    case CE_Splitter: {
        const QRect r = option->rect;
        painter->fillRect(r, styleColor(ColorRole::Base));
        if (option->state & State_Horizontal)
            painter->fillRect(QRect(r.left(), r.top(), 1, r.height()), styleColor(ColorRole::Hair));
        else
            painter->fillRect(QRect(r.left(), r.top(), r.width(), 1), styleColor(ColorRole::Hair));
        return;
    }
    case CE_ShapedFrame: {
        const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option);
        if (!frame)
            break;
        if (frame->frameShape == QFrame::HLine || frame->frameShape == QFrame::VLine) {
            const QRect r = option->rect;
            painter->fillRect(frame->frameShape == QFrame::HLine ? QRect(r.left(), r.center().y(), r.width(), 1)
                                                                 : QRect(r.center().x(), r.top(), 1, r.height()),
                              styleColor(ColorRole::Hair));
            return;
        }
        if (frame->frameShape == QFrame::StyledPanel) {
            paintPanel(painter, option->rect, Qt::transparent, styleColor(ColorRole::Edge), 4);
            return;
        }
        break;
    }
    default: break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void ProxyStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
                                    const QWidget *widget) const
{
    switch (control) {
    case CC_ToolButton: {
        const auto *button = qstyleoption_cast<const QStyleOptionToolButton *>(option);
        if (!button)
            break;
        const bool enabled = option->state & State_Enabled;
        const bool flat = option->state & State_AutoRaise;
        styleButtonPanel(painter, option->rect, option->state, false, flat);
        const bool hasText = !button->text.isEmpty() && button->toolButtonStyle != Qt::ToolButtonIconOnly;
        const bool hasIcon = !button->icon.isNull() && button->toolButtonStyle != Qt::ToolButtonTextOnly;
        const bool menu = button->features & QStyleOptionToolButton::HasMenu && hasText;
        const int side = hasIcon ? button->iconSize.width() : 0;
        const int textWidth = hasText ? option->fontMetrics.size(Qt::TextShowMnemonic, button->text).width() : 0;
        const int gap = side && hasText ? 3 : 0;
        const int chevron = menu ? 16 : 0;
        int x = option->rect.left() + (option->rect.width() - side - gap - textWidth - chevron) / 2;
        if (side) {
            const QRect at(x, option->rect.top() + (option->rect.height() - side) / 2, side, side);
            button->icon.paint(painter, visualRect(option->direction, option->rect, at), Qt::AlignCenter,
                               enabled ? QIcon::Normal : QIcon::Disabled,
                               option->state & State_On ? QIcon::On : QIcon::Off);
            x += side + gap;
        }
        if (hasText) {
            painter->setPen(styleColor(enabled ? ColorRole::Text : ColorRole::Faint));
            painter->setFont(button->font);
            const QRect at(x, option->rect.top(), textWidth + 1, option->rect.height());
            const int hide =
                proxy()->styleHint(SH_UnderlineShortcut, option, widget, nullptr) ? 0 : Qt::TextHideMnemonic;
            painter->drawText(visualRect(option->direction, option->rect, at),
                              Qt::AlignVCenter | Qt::AlignLeft | Qt::TextShowMnemonic | hide, button->text);
            x += textWidth;
        }
        if (menu)
            paintChevron(painter, QRect(x + 4, option->rect.top(), 14, option->rect.height()),
                         styleColor(ColorRole::Muted));
        return;
    }
    case CC_ComboBox: {
        const auto *combo = qstyleoption_cast<const QStyleOptionComboBox *>(option);
        if (!combo)
            break;
        if (combo->editable)
            styleFieldFrame(painter, option->rect, option->state, styleFlag(widget, "invalid"));
        else
            styleButtonPanel(painter, option->rect, option->state & ~State_On & ~State_Sunken, false, false);
        const QRect arrow = proxy()->subControlRect(CC_ComboBox, option, SC_ComboBoxArrow, widget);
        paintChevron(painter, arrow, styleColor(option->state & State_Enabled ? ColorRole::Muted : ColorRole::Faint));
        return;
    }
    case CC_SpinBox: {
        const auto *spin = qstyleoption_cast<const QStyleOptionSpinBox *>(option);
        if (!spin)
            break;
        styleFieldFrame(painter, option->rect, option->state, styleFlag(widget, "invalid"));
        if (spin->buttonSymbols != QAbstractSpinBox::NoButtons) {
            const auto arrow = [&](SubControl part, int rotation, bool on) {
                paintChevron(painter, proxy()->subControlRect(CC_SpinBox, option, part, widget),
                             styleColor(on ? ColorRole::Muted : ColorRole::Faint), rotation);
            };
            arrow(SC_SpinBoxUp, 2, spin->stepEnabled & QAbstractSpinBox::StepUpEnabled);
            arrow(SC_SpinBoxDown, 0, spin->stepEnabled & QAbstractSpinBox::StepDownEnabled);
        }
        return;
    }
    case CC_ScrollBar: {
        const QRect slider = proxy()->subControlRect(CC_ScrollBar, option, SC_ScrollBarSlider, widget);
        const auto *bar = qstyleoption_cast<const QStyleOptionSlider *>(option);
        if (!bar || bar->minimum == bar->maximum)
            return;
        const bool horizontal = option->state & State_Horizontal;
        QRect thumb = horizontal ? QRect(slider.left() + 2, slider.center().y() - 2, slider.width() - 4, 5)
                                 : QRect(slider.center().x() - 2, slider.top() + 2, 5, slider.height() - 4);
        QColor color = styleColor(ColorRole::Thumb);
        if (option->state & (State_MouseOver | State_Sunken))
            color = styleColor(ColorRole::Border);
        paintPanel(painter, thumb, color, Qt::transparent, 2.5);
        return;
    }
    default: break;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

QRect ProxyStyle::subElementRect(SubElement element, const QStyleOption *option, const QWidget *widget) const
{
    switch (element) {
    case SE_LineEditContents: {
        if (styleFieldIsInner(widget))
            break;
        if (const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option); frame && frame->lineWidth <= 0)
            break;
        // Two pixels less than the usual padding: a line edit adds them itself.
        return option->rect.adjusted(4, 1, -4, -1);
    }
    case SE_PushButtonFocusRect: return {};
    case SE_HeaderLabel: return option->rect;
    default: break;
    }
    return QProxyStyle::subElementRect(element, option, widget);
}

QRect ProxyStyle::subControlRect(ComplexControl control, const QStyleOptionComplex *option, SubControl subControl,
                                 const QWidget *widget) const
{
    const QRect r = option->rect;
    if (control == CC_ScrollBar) {
        const auto *bar = qstyleoption_cast<const QStyleOptionSlider *>(option);
        const bool horizontal = option->state & State_Horizontal;
        const int length = horizontal ? r.width() : r.height();
        int thumb = length;
        if (bar && bar->maximum > bar->minimum) {
            const qint64 range = qint64(bar->maximum) - bar->minimum + bar->pageStep;
            thumb = int(std::clamp<qint64>(qint64(bar->pageStep) * length / std::max<qint64>(1, range), 28, length));
        }
        const int start = bar ? sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition, length - thumb,
                                                        bar->upsideDown)
                              : 0;
        const auto along = [&](int from, int size) {
            return horizontal ? QRect(r.left() + from, r.top(), size, r.height())
                              : QRect(r.left(), r.top() + from, r.width(), size);
        };
        switch (subControl) {
        case SC_ScrollBarSlider: return along(start, thumb);
        case SC_ScrollBarGroove: return r;
        case SC_ScrollBarSubPage: return along(0, start);
        case SC_ScrollBarAddPage: return along(start + thumb, length - start - thumb);
        default: return {};
        }
    }
    if (control == CC_ComboBox) {
        switch (subControl) {
        case SC_ComboBoxFrame: return r;
        case SC_ComboBoxArrow: return visualRect(option->direction, r, QRect(r.right() - 21, r.top(), 16, r.height()));
        case SC_ComboBoxEditField: return visualRect(option->direction, r, r.adjusted(1, 1, -24, -1));
        case SC_ComboBoxListBoxPopup: return r;
        default: break;
        }
    }
    if (control == CC_SpinBox) {
        const auto *spin = qstyleoption_cast<const QStyleOptionSpinBox *>(option);
        const int button = spin && spin->buttonSymbols == QAbstractSpinBox::NoButtons ? 0 : 18;
        switch (subControl) {
        case SC_SpinBoxFrame: return r;
        case SC_SpinBoxUp:
            return visualRect(option->direction, r,
                              QRect(r.right() - button - 1, r.top() + 2, button, r.height() / 2 - 2));
        case SC_SpinBoxDown:
            return visualRect(option->direction, r,
                              QRect(r.right() - button - 1, r.top() + r.height() / 2, button, r.height() / 2 - 2));
        case SC_SpinBoxEditField: return visualRect(option->direction, r, r.adjusted(4, 1, -button - 4, -1));
        default: break;
        }
    }
    return QProxyStyle::subControlRect(control, option, subControl, widget);
}

QSize ProxyStyle::sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                                   const QWidget *widget) const
{
    const int control = std::max(28, theme().rowHeight() + 4);
    switch (type) {
    case CT_PushButton: {
        const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option);
        int width = 20;
        if (button) {
            width += option->fontMetrics.size(Qt::TextShowMnemonic, button->text).width();
            if (!button->icon.isNull())
                width += button->iconSize.width() + (button->text.isEmpty() ? 0 : 6) + 4;
            if (button->features & QStyleOptionButton::HasMenu)
                width += 20;
        }
        const QString keys = widget ? widget->property("keys").toString() : QString();
        if (!keys.isEmpty())
            width += QFontMetrics(theme().font(FontRole::Keys)).horizontalAdvance(keys) + 8;
        const bool small = styleFlag(widget, "small");
        if (!small && button && !button->text.isEmpty())
            width = std::max(width, 56);
        return {width, small ? control - 4 : control};
    }
    case CT_LineEdit: return {size.width() + 12, styleFieldIsInner(widget) ? size.height() : control};
    case CT_ComboBox: {
        const QSize base = QProxyStyle::sizeFromContents(type, option, size, widget);
        return {size.width() + 38, std::max(control, std::min(base.height(), control))};
    }
    case CT_SpinBox: return {size.width() + 30, control};
    case CT_ToolButton: {
        const auto *button = qstyleoption_cast<const QStyleOptionToolButton *>(option);
        const bool small = styleFlag(widget, "small");
        const int height = small ? control - 4 : control;
        if (button && (button->text.isEmpty() || button->toolButtonStyle == Qt::ToolButtonIconOnly))
            return {height, height};
        int width = 16 + (button ? option->fontMetrics.size(Qt::TextShowMnemonic, button->text).width() : size.width());
        if (button && !button->icon.isNull())
            width += button->iconSize.width() + 4;
        if (button && button->features & QStyleOptionToolButton::HasMenu)
            width += 16;
        return {width, height};
    }
    case CT_MenuBarItem: return {size.width() + 24, 26};
    case CT_MenuBar: return size;
    case CT_HeaderSection: {
        const auto *header = qstyleoption_cast<const QStyleOptionHeader *>(option);
        const QFontMetrics metrics(theme().font(FontRole::Secondary));
        return {(header ? metrics.horizontalAdvance(header->text) : size.width()) + 14, theme().rowHeight()};
    }
    case CT_CheckBox:
    case CT_RadioButton: {
        const QSize base = QProxyStyle::sizeFromContents(type, option, size, widget);
        return {base.width(), std::max(24, base.height())};
    }
    default: return QProxyStyle::sizeFromContents(type, option, size, widget);
    }
}

int ProxyStyle::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const
{
    switch (metric) {
    case PM_ScrollBarExtent: return 11;
    case PM_ScrollBarSliderMin: return 28;
    case PM_ScrollView_ScrollBarSpacing: return 0;
    case PM_ScrollView_ScrollBarOverlap: return 0;
    case PM_SplitterWidth: return 5;
    case PM_DockWidgetSeparatorExtent: return 4;
    case PM_DockWidgetFrameWidth: return 0;
    case PM_DefaultFrameWidth: return qobject_cast<const QLineEdit *>(widget) ? 1 : 1;
    case PM_SmallIconSize:
    case PM_ButtonIconSize:
    case PM_ToolBarIconSize:
    case PM_ListViewIconSize: return 16;
    case PM_ToolBarItemSpacing: return 2;
    case PM_ToolBarItemMargin: return 0;
    case PM_ToolBarFrameWidth: return 0;
    case PM_ToolBarSeparatorExtent: return 9;
    case PM_MenuBarItemSpacing: return 0;
    case PM_MenuBarPanelWidth:
    case PM_MenuBarVMargin: return 0;
    case PM_MenuBarHMargin: return 5;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight: return 16;
    case PM_CheckBoxLabelSpacing:
    case PM_RadioButtonLabelSpacing: return 6;
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical: return 0;
    case PM_TreeViewIndentation: return 16;
    case PM_HeaderMargin: return 0;
    case PM_FocusFrameHMargin: return 0;
    default: return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int ProxyStyle::styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                          QStyleHintReturn *data) const
{
    switch (hint) {
    case SH_ItemView_ShowDecorationSelected: return 1;
    case SH_ItemView_ActivateItemOnSingleClick: return 0;
    case SH_ScrollBar_LeftClickAbsolutePosition: return 0;
    case SH_ComboBox_Popup: return 0;
    case SH_EtchDisabledText:
    case SH_DitherDisabledText: return 0;
    case SH_UnderlineShortcut: return widget && widget->property("showMnemonics").toBool() ? 1 : 0;
    case SH_ToolTip_WakeUpDelay: return 400;
    default: return QProxyStyle::styleHint(hint, option, widget, data);
    }
}

QPixmap ProxyStyle::generatedIconPixmap(QIcon::Mode mode, const QPixmap &pixmap, const QStyleOption *option) const
{
    // Icons make their own disabled look; selected ones keep their colour.
    if (mode == QIcon::Selected || mode == QIcon::Active)
        return pixmap;
    return QProxyStyle::generatedIconPixmap(mode, pixmap, option);
}

} // namespace terrarium::ui
