#pragma once
// The tree of the State section: what is opened is remembered by place, so that it survives time travel.

#include "models/value_tree_model.h"
#include "widgets/data_tree.h"

namespace terrarium::ui {

class StateTree final : public DataTree {
    Q_OBJECT
    Q_PROPERTY(QString viewMode MEMBER m_viewMode)
    Q_PROPERTY(QString highlightMode MEMBER m_highlightMode)
    Q_PROPERTY(QStringList markedPaths READ markedPaths)
    Q_PROPERTY(QStringList stagedPaths READ stagedPaths)
public:
    explicit StateTree(QWidget *parent = nullptr);

    ValueTreeModel *values() const { return m_model; }
    /// Another actor: nothing is opened but the root.
    void resetState(const Value &value, const MarkSet &marks);
    void setState(const Value &value, const MarkSet &marks);
    void setModes(const QString &view, const QString &highlight);
    const QString &highlightMode() const { return m_highlightMode; }
    QStringList markedPaths() const { return m_model->marks().paths(); }
    QStringList stagedPaths() const { return {}; }

    Path currentPath() const;
    /// Opens what is above, selects and scrolls.
    bool reveal(const Path &path, bool select = true);
    const QSet<Path> &openedPaths() const { return m_opened; }
    /// Repaints the Changed column only.
    void refreshAges();

Q_SIGNALS:
    void pathChanged();

private:
    void reopen();

    ValueTreeModel *m_model;
    QSet<Path> m_opened;
    QString m_viewMode = QStringLiteral("tree");
    QString m_highlightMode = QStringLiteral("lastChange");
    bool m_updating = false;
};

} // namespace terrarium::ui
