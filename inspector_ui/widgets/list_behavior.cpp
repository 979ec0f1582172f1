#include "widgets/list_behavior.h"

#include "widgets/row_export.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFontMetrics>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>

namespace terrarium::ui {

ListBehavior::ListBehavior(QAbstractItemView *view) : QObject(view), m_view(view)
{
    view->setProperty("ownRows", true);
    view->viewport()->setMouseTracking(true);
    view->viewport()->installEventFilter(this);
    view->installEventFilter(this);
    connect(&theme(), &Theme::changed, view, [view] {
        view->doItemsLayout();
        view->viewport()->update();
    });
}

void ListBehavior::setEmptyText(const QString &reason, const QString &title, const QString &detail)
{
    if (m_emptyReason == reason && m_emptyTitle == title && m_emptyDetail == detail)
        return;
    m_emptyReason = reason;
    m_emptyTitle = title;
    m_emptyDetail = detail;
    m_view->setAccessibleDescription(title);
    m_view->viewport()->update();
}

void ListBehavior::paintEmpty(QPainter *painter) const
{
    if (m_emptyTitle.isEmpty() || (m_view->model() && m_view->model()->rowCount() > 0))
        return;
    const Theme &t = theme();
    const QRect area = m_view->viewport()->rect().adjusted(16, 0, -16, 0);
    const QFontMetrics strong(t.font(FontRole::Strong));
    const QFontMetrics small(t.font(FontRole::Secondary));
    const QRect detailSize =
        small.boundingRect(QRect(0, 0, area.width(), 1000), Qt::AlignHCenter | Qt::TextWordWrap, m_emptyDetail);
    const int height = strong.height() + (m_emptyDetail.isEmpty() ? 0 : 6 + detailSize.height());
    const int top = area.top() + std::max(0, (area.height() - height) * 2 / 5);
    painter->setFont(t.font(FontRole::Strong));
    painter->setPen(t.color(ColorRole::Text));
    painter->drawText(QRect(area.left(), top, area.width(), strong.height()), Qt::AlignHCenter | Qt::AlignTop,
                      m_emptyTitle);
    painter->setFont(t.font(FontRole::Secondary));
    painter->setPen(t.color(ColorRole::Muted));
    painter->drawText(QRect(area.left(), top + strong.height() + 6, area.width(), detailSize.height() + 4),
                      Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, m_emptyDetail);
}

bool ListBehavior::isHovered(const QModelIndex &index) const
{
    return m_hover.isValid() && m_hover.row() == index.row() && m_hover.parent() == index.parent();
}

row_painter::RowState ListBehavior::rowState(const QModelIndex &index, bool inset, int insetLeft, int insetRight) const
{
    row_painter::RowState state;
    const QItemSelectionModel *selection = m_view->selectionModel();
    state.selected = selection && selection->isSelected(index);
    state.hovered = isHovered(index);
    const QModelIndex current = m_view->currentIndex();
    // A ring only for people who are on the keyboard.
    state.focused = m_view->hasFocus() && m_view->window()->testAttribute(Qt::WA_KeyboardFocusChange)
                    && current.isValid() && current.row() == index.row() && current.parent() == index.parent();
    state.inset = inset;
    state.insetLeft = insetLeft;
    state.insetRight = insetRight;
    return state;
}

void ListBehavior::copySelection()
{
    const QModelIndexList rows = row_export::selectedRows(m_view);
    if (!rows.isEmpty())
        QApplication::clipboard()->setText(row_export::toTsv(m_view, rows));
}

void ListBehavior::copySelectionAsJson()
{
    const QModelIndexList rows = row_export::selectedRows(m_view);
    if (!rows.isEmpty())
        QApplication::clipboard()->setText(row_export::toJsonLines(m_view, rows));
}

QString ListBehavior::linkUnder(const QPoint &pos) const
{
    const QModelIndex index = m_view->indexAt(pos);
    if (!index.isValid())
        return {};
    const QVariant cell = index.data(CellRole);
    return cell.isValid()
               ? row_painter::linkAt(m_view->visualRect(index), cell.value<Cell>(), pos, m_view->layoutDirection())
               : QString();
}

void ListBehavior::setHover(const QModelIndex &index)
{
    const QModelIndex row = index.siblingAtColumn(0);
    if (QModelIndex(m_hover) == row)
        return;
    m_hover = row;
    m_view->viewport()->update();
}

void ListBehavior::showMenu(const QPoint &pos)
{
    QMenu menu(m_view);
    const QModelIndex index = m_view->indexAt(pos);
    Q_EMIT contextMenu(&menu, index);
    if (!menu.isEmpty())
        menu.addSeparator();
    QAction *copy = menu.addAction(tr("&Copy"), this, &ListBehavior::copySelection);
    copy->setShortcut(QKeySequence::Copy);
    copy->setEnabled(index.isValid());
    QAction *cell = menu.addAction(tr("Copy c&ell"), this, [index] {
        const QVariant value = index.data(Qt::DisplayRole);
        QApplication::clipboard()->setText(value.isValid() ? value.toString()
                                                           : index.data(CellRole).value<Cell>().plainText());
    });
    cell->setEnabled(index.isValid());
    menu.addAction(tr("Copy as &JSON"), this, &ListBehavior::copySelectionAsJson)->setEnabled(index.isValid());
    if (!m_exportName.isEmpty())
        menu.addAction(tr("E&xport…"), this, [this] { row_export::exportAll(m_view, m_exportName); });
    menu.exec(m_view->viewport()->mapToGlobal(pos));
}

bool ListBehavior::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_view) {
        if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent *>(event)->matches(QKeySequence::Copy)) {
            copySelection();
            return true;
        }
        if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent *>(event)->matches(QKeySequence::Copy)) {
            event->accept();
            return true;
        }
        return false;
    }
    switch (event->type()) {
    case QEvent::MouseMove: {
        const QPoint pos = static_cast<QMouseEvent *>(event)->position().toPoint();
        setHover(m_view->indexAt(pos));
        const bool over = !linkUnder(pos).isEmpty();
        if (over != m_overLink) {
            m_overLink = over;
            if (over)
                m_view->viewport()->setCursor(Qt::PointingHandCursor);
            else
                m_view->viewport()->unsetCursor();
        }
        break;
    }
    case QEvent::Leave: setHover({}); break;
    case QEvent::MouseButtonRelease: {
        auto *mouse = static_cast<QMouseEvent *>(event);
        if (mouse->button() == Qt::LeftButton && mouse->modifiers() == Qt::NoModifier) {
            if (const QString link = linkUnder(mouse->position().toPoint()); !link.isEmpty())
                QMetaObject::invokeMethod(
                    this, [this, link] { Q_EMIT linkActivated(link); }, Qt::QueuedConnection);
        }
        break;
    }
    case QEvent::ContextMenu: {
        auto *menu = static_cast<QContextMenuEvent *>(event);
        QPoint pos = menu->pos();
        if (menu->reason() == QContextMenuEvent::Keyboard && m_view->currentIndex().isValid())
            pos = m_view->visualRect(m_view->currentIndex()).center();
        showMenu(pos);
        return true;
    }
    default: break;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace terrarium::ui
