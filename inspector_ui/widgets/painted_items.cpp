#include "widgets/painted_items.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QWidget>

#include <vector>

namespace terrarium::ui {

namespace {

class PaintedList;

/// One painted entry.
class PaintedEntry final : public QAccessibleInterface, public QAccessibleActionInterface {
public:
    PaintedEntry(QWidget *widget, PaintedItems *items, int index) : m_widget(widget), m_items(items), m_index(index) {}

    bool isValid() const override { return m_index < m_items->paintedCount(); }
    QObject *object() const override { return nullptr; }
    QWindow *window() const override { return m_widget->window()->windowHandle(); }
    QAccessibleInterface *parent() const override { return QAccessible::queryAccessibleInterface(m_widget); }
    QAccessibleInterface *child(int) const override { return nullptr; }
    QAccessibleInterface *childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface *) const override { return -1; }
    QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Name && isValid() ? m_items->paintedName(m_index) : QString();
    }
    void setText(QAccessible::Text, const QString &) override {}
    QRect rect() const override
    {
        const QRect r = m_items->paintedRect(m_index);
        return {m_widget->mapToGlobal(r.topLeft()), r.size()};
    }
    QAccessible::Role role() const override { return QAccessible::ListItem; }
    QAccessible::State state() const override
    {
        QAccessible::State state;
        state.selectable = true;
        state.selected = m_items->isPaintedCurrent(m_index);
        state.focused = state.selected && m_widget->hasFocus();
        return state;
    }
    void *interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface *>(this) : nullptr;
    }
    QStringList actionNames() const override { return {pressAction()}; }
    void doAction(const QString &name) override
    {
        if (name == pressAction())
            m_items->activatePainted(m_index);
    }
    QStringList keyBindingsForAction(const QString &) const override { return {}; }

private:
    QWidget *m_widget;
    PaintedItems *m_items;
    int m_index;
};

class PaintedList final : public QAccessibleWidget {
public:
    PaintedList(QWidget *widget, PaintedItems *items) : QAccessibleWidget(widget, QAccessible::List), m_items(items) {}
    ~PaintedList() override
    {
        for (const QAccessible::Id id : m_ids)
            QAccessible::deleteAccessibleInterface(id);
    }

    int childCount() const override { return m_items->paintedCount(); }
    QAccessibleInterface *child(int index) const override
    {
        if (index < 0 || index >= childCount())
            return nullptr;
        while (m_ids.size() <= size_t(index))
            m_ids.push_back(
                QAccessible::registerAccessibleInterface(new PaintedEntry(widget(), m_items, int(m_ids.size()))));
        return QAccessible::accessibleInterface(m_ids[size_t(index)]);
    }
    QAccessibleInterface *childAt(int x, int y) const override
    {
        const QPoint at = widget()->mapFromGlobal(QPoint(x, y));
        for (int i = 0; i < childCount(); ++i) {
            if (m_items->paintedRect(i).contains(at))
                return child(i);
        }
        return nullptr;
    }
    int indexOfChild(const QAccessibleInterface *wanted) const override
    {
        for (int i = 0; i < childCount(); ++i) {
            if (child(i) == wanted)
                return i;
        }
        return -1;
    }

private:
    PaintedItems *m_items;
    mutable std::vector<QAccessible::Id> m_ids;
};

QAccessibleInterface *paintedFactory(const QString &, QObject *object)
{
    auto *widget = qobject_cast<QWidget *>(object);
    auto *items = dynamic_cast<PaintedItems *>(object);
    return widget && items ? new PaintedList(widget, items) : nullptr;
}

} // namespace

void installPaintedItemsAccessibility()
{
    static const bool once = [] {
        QAccessible::installFactory(&paintedFactory);
        return true;
    }();
    Q_UNUSED(once)
}

} // namespace terrarium::ui
