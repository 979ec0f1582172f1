#pragma once
// A section whose page is not there: says what it will show, and why it is empty for this actor now.

#include "sections/section.h"

namespace terrarium::ui {

class EmptyState;

class PlaceholderSection final : public Section {
    Q_OBJECT
public:
    /// `id`: one of connections, queue, schedule, database, workflow, logs, metrics, traffic.
    explicit PlaceholderSection(const QString &id, QWidget *parent = nullptr);

    QString emptyReason() const override { return m_reason; }

protected:
    void contextChanged() override { refresh(); }
    void activated() override { refresh(); }
    void refresh() override;

private:
    EmptyState *m_empty;
    QString m_reason;
};

} // namespace terrarium::ui
