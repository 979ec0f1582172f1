#include "models/change_index.h"

namespace terrarium::ui {

void ChangeIndex::clear()
{
    m_root = Node{};
}

void ChangeIndex::add(const Delta &delta, qint64 at)
{
    for (const DeltaOp &op : delta) {
        Node *node = &m_root;
        node->below = qMax(node->below, at);
        const bool removed = op.kind == DeltaOp::Kind::Remove;
        const qsizetype depth = op.path.size() - (removed ? 1 : 0);
        for (qsizetype i = 0; i < depth; ++i) {
            std::unique_ptr<Node> &child = node->children[op.path.steps().at(i)];
            if (!child)
                child = std::make_unique<Node>();
            node = child.get();
            node->below = qMax(node->below, at);
        }
        if (!removed)
            node->whole = qMax(node->whole, at);
    }
}

qint64 ChangeIndex::changedAt(const Path &path) const
{
    const Node *node = &m_root;
    qint64 whole = node->whole;
    for (const Path::Step &step : path.steps()) {
        const auto it = node->children.find(step);
        if (it == node->children.end())
            return whole;
        node = it->second.get();
        whole = qMax(whole, node->whole);
    }
    return qMax(whole, node->below);
}

} // namespace terrarium::ui
