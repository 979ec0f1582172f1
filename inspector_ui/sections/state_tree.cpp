#include "sections/state_tree.h"

#include <QHeaderView>

namespace terrarium::ui {

StateTree::StateTree(QWidget *parent) : DataTree(parent), m_model(new ValueTreeModel(this))
{
    setModel(m_model);
    setColumnWidths({196, 24, 0, 60, 58, 74});
    header()->setMinimumSectionSize(24);
    header()->setSectionResizeMode(ValueTreeModel::GutterColumn, QHeaderView::Fixed);
    setAccessibleName(tr("State"));
    connect(this, &QTreeView::expanded, this, [this](const QModelIndex &index) {
        m_model->setOpened(index, true);
        if (!m_updating && !m_model->isBucket(index))
            m_opened.insert(m_model->pathOf(index));
    });
    connect(this, &QTreeView::collapsed, this, [this](const QModelIndex &index) {
        m_model->setOpened(index, false);
        if (!m_updating && !m_model->isBucket(index))
            m_opened.remove(m_model->pathOf(index));
    });
    connect(selectionModel(), &QItemSelectionModel::currentChanged, this, [this] { Q_EMIT pathChanged(); });
}

void StateTree::resetState(const Value &value, const MarkSet &marks)
{
    m_updating = true;
    m_opened = {Path()};
    m_model->resetState(value, marks);
    m_updating = false;
    reopen();
}

void StateTree::setState(const Value &value, const MarkSet &marks)
{
    const bool had = m_model->rowCount() > 0;
    m_updating = true;
    m_model->setState(value, marks);
    m_updating = false;
    if (!had && m_model->rowCount() > 0)
        m_opened.insert(Path());
    reopen();
}

void StateTree::reopen()
{
    m_updating = true;
    // Shorter paths first: a child can be opened only below an opened parent.
    QList<Path> paths(m_opened.begin(), m_opened.end());
    std::sort(paths.begin(), paths.end(), [](const Path &a, const Path &b) { return a.size() < b.size(); });
    for (const Path &path : std::as_const(paths)) {
        const Value *value = path.find(m_model->state());
        if (!value || (!value->isMap() && !value->isArray()))
            continue;
        if (!path.isRoot() && !m_opened.contains(path.parent()))
            continue;
        const QModelIndex index = m_model->indexOf(path);
        if (index.isValid() && !isExpanded(index))
            expand(index);
    }
    m_updating = false;
}

void StateTree::setModes(const QString &view, const QString &highlight)
{
    m_viewMode = view;
    m_highlightMode = highlight;
}

Path StateTree::currentPath() const
{
    const QModelIndex index = currentIndex();
    return index.isValid() && !m_model->isGhost(index) ? m_model->pathOf(index) : Path();
}

bool StateTree::reveal(const Path &path, bool select)
{
    Path up = path;
    while (!up.isRoot() && !up.find(m_model->state()))
        up = up.parent();
    const QModelIndex index = m_model->indexOf(up);
    if (!index.isValid())
        return false;
    for (QModelIndex p = index.parent(); p.isValid(); p = p.parent())
        expand(p);
    if (select)
        setCurrentIndex(index);
    scrollTo(index);
    return up == path;
}

void StateTree::refreshAges()
{
    const int x = columnViewportPosition(ValueTreeModel::ChangedColumn);
    viewport()->update(x, 0, columnWidth(ValueTreeModel::ChangedColumn), viewport()->height());
}

} // namespace terrarium::ui
