#pragma once
// For widgets that paint their items themselves: what screen readers need to find them.
//
// A widget inherits PaintedItems beside QWidget and its items become list entries in the accessibility tree.
// installPaintedItemsAccessibility() is called once by the window.

#include <QRect>
#include <QString>

namespace terrarium::ui {

class PaintedItems {
public:
    virtual ~PaintedItems() = default;

    virtual int paintedCount() const = 0;
    virtual QString paintedName(int index) const = 0;
    virtual QRect paintedRect(int index) const = 0; ///< in the widget
    virtual bool isPaintedCurrent(int index) const = 0;
    virtual void activatePainted(int index) = 0;
};

void installPaintedItemsAccessibility();

} // namespace terrarium::ui
