#pragma once
// A state as a tree: lazy, with marks for what changed.
//
// Nodes are made when a view asks for them and stay the same node while their place stays, so that
// expansion, selection and scroll position survive updates. setState() takes the next value and emits exact
// inserts, removes and one range of dataChanged per opened parent; parts that share data with the value before
// are skipped. Lists and maps above 100 children are split into buckets.

#include "models/change_index.h"
#include "models/mark_set.h"

#include <QAbstractItemModel>
#include <QSet>

namespace terrarium::ui {

class ValueTreeModel final : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { PathColumn, GutterColumn, ValueColumn, TypeColumn, SizeColumn, ChangedColumn, ColumnCount };
    /// Children above this number are shown in buckets of this number.
    static constexpr qsizetype bucketSize = 100;

    explicit ValueTreeModel(QObject *parent = nullptr);
    ~ValueTreeModel() override;

    /// Undefined: no rows.
    void setState(const Value &value, const MarkSet &marks);
    /// Forgets all nodes first: another actor.
    void resetState(const Value &value, const MarkSet &marks);
    const Value &state() const { return m_value; }
    const MarkSet &marks() const { return m_marks; }

    /// Times of the Changed column. `index` must outlive the model or the next call. `otherwise` is the time of
    /// places without a known change; 0 shows nothing.
    void setChangeTimes(const ChangeIndex *index, qint64 now, qint64 otherwise);
    /// Encoded size of the whole, when known already; -1: computed.
    void setRootSize(qint64 bytes) { m_rootSize = bytes; }

    /// The row's first cell; invalid when nothing is there. Makes the nodes on the way.
    QModelIndex indexOf(const Path &path) const;
    Path pathOf(const QModelIndex &index) const;
    /// Undefined for buckets; the old value of a removed node.
    Value valueOf(const QModelIndex &index) const;
    bool isGhost(const QModelIndex &index) const;
    bool isBucket(const QModelIndex &index) const;

    /// The view tells, because an opened container shows a count and a closed one its keys.
    void setOpened(const QModelIndex &index, bool opened);
    void setStarred(const QSet<Path> &paths);
    const QSet<Path> &starred() const { return m_starred; }

    /// The next place after `from` (in tree order, wrapping) whose key or leaf text contains `needle`.
    std::optional<Path> findNext(const QString &needle, const Path &from, bool backwards) const;

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    using QObject::parent;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    bool hasChildren(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Node;
    struct Spec;

    Node *nodeOf(const QModelIndex &index) const;
    QModelIndex indexOfNode(const Node *node, int column = 0) const;
    std::vector<Spec> specs(const Node &node) const;
    const std::vector<std::unique_ptr<Node>> &children(Node &node) const;
    std::unique_ptr<Node> makeNode(Node &parent, const Spec &spec) const;
    /// True when the row itself looks different now.
    bool updateNode(Node &node, const Spec &spec);
    void reconcile(Node &node);
    Node *findMade(const Path &path) const;
    void touch(const Path &path);
    Path pathOf(const Node &node) const;
    QString label(const Node &node) const;
    QVariant cell(const Node &node, int column) const;
    qint64 sizeOf(const Node &node) const;
    const Mark *markOf(const Node &node) const;

    Value m_value = Value::undefined();
    MarkSet m_marks;
    std::unique_ptr<Node> m_root; ///< "$"; null while there is no state
    const ChangeIndex *m_times = nullptr;
    qint64 m_now = 0;
    qint64 m_otherwise = 0;
    qint64 m_rootSize = -1;
    QSet<Path> m_starred;
};

} // namespace terrarium::ui
