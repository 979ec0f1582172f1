#pragma once
// The gaps of all links: when, why, how many changes, and where the state was taken whole again.

#include <QDialog>

namespace terrarium::ui {

class DataTable;
class HostLinks;

class GapList final : public QDialog {
    Q_OBJECT
public:
    explicit GapList(HostLinks &links, QWidget *parent = nullptr);

    DataTable *table() const { return m_table; }

Q_SIGNALS:
    /// Enter or double click on a row.
    void gapOpened(int host, const QString &actorId, quint64 resyncSequence);

private:
    class Model;
    void refresh();

    HostLinks &m_links;
    Model *m_model;
    DataTable *m_table;
};

/// "host dropped changes", "link lost", ...: why a gap is there, for people.
QString gapReasonText(const QString &reason);

} // namespace terrarium::ui
