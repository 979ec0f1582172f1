#pragma once
// Overview: an actor in five seconds. What it does now, what it holds, who it is, and the last minute.

#include "sections/section.h"
#include "widgets/cell.h"

namespace terrarium::ui {

class RunLabel;
class ThemedLabel;
class Tile;

class OverviewSection final : public Section {
    Q_OBJECT
public:
    explicit OverviewSection(QWidget *parent = nullptr);

    QString emptyReason() const override;
    void focusFirst() override;
    /// Markdown, fit for a bug report.
    QString summaryText() const;

protected:
    void contextChanged() override;
    void feedChanged(const terrarium::FeedChange &change) override;
    void activated() override;
    void refresh() override;
    void ticked() override;
    void linkChanged() override { m_dirty = true; }
    void keyPressEvent(QKeyEvent *event) override;

private:
    enum Row {
        StateRow,
        AwakeRow,
        ForecastRow,
        SavedRow,
        StateSizeRow,
        QueueRow,
        ConnectionsRow,
        ScheduleRow,
        DatabaseRow,
        WorkflowRow,
        KeyRow,
        IdRow,
        HostRow,
        CreatedRow,
        ChangedOptionsRow,
        DefaultOptionsRow,
        RowCount
    };
    struct Recent {
        qint64 at = 0;
        QList<Run> runs;
        QString linkText;
        QString link;
    };

    void buildFacts(QWidget *parent, class QVBoxLayout *layout);
    void buildMinute(QWidget *parent, class QVBoxLayout *layout);
    void setRow(Row row, const QList<Run> &runs);
    void showFacts();
    void showMinute();
    void showRecent();
    QList<Recent> recent() const;
    void exportReport();

    QWidget *m_content = nullptr;
    RunLabel *m_rows[RowCount] = {};
    QString m_rowTitles[RowCount];
    Tile *m_changes = nullptr;
    Tile *m_actions = nullptr;
    Tile *m_errors = nullptr;
    Tile *m_queue = nullptr;
    struct RecentRow {
        ThemedLabel *age = nullptr;
        RunLabel *what = nullptr;
        RunLabel *link = nullptr;
    };
    QList<RecentRow> m_recentRows;
    ThemedLabel *m_recentEmpty = nullptr;
    bool m_dirty = true;
    bool m_minuteShown = false;
};

} // namespace terrarium::ui
