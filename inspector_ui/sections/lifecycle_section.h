#pragma once
// Lifecycle: what the actor went through, why, and what keeps it awake now.

#include "models/lifecycle_data.h"
#include "sections/section.h"

class QProgressBar;
class QPushButton;

namespace terrarium::ui {

class BlockerModel;
class BlockersView;
class DataTable;
class IconButton;
class LifecycleLanes;
class LifecycleModel;
class RunLabel;
class SearchField;
class SegmentedControl;
class SleepForecastLabel;
class ThemedLabel;

class LifecycleSection final : public Section {
    Q_OBJECT
public:
    explicit LifecycleSection(QWidget *parent = nullptr);

    QString emptyReason() const override;
    void focusFirst() override;
    void focusFind() override;
    bool follow(const QString &link) override;

protected:
    void contextChanged() override;
    void feedChanged(const terrarium::FeedChange &change) override;
    void activated() override;
    void refresh() override;
    void ticked() override;
    void linkChanged() override;

private:
    void buildToolBar(QWidget *bar);
    void buildFooter(QWidget *footer);
    void buildPanel(QWidget *panel);
    void select(qint64 at);
    void showDetails();
    void showAwake();
    void setRange(int index);

    SegmentedControl *m_range = nullptr;
    ThemedLabel *m_known = nullptr;
    SearchField *m_filter = nullptr;
    IconButton *m_export = nullptr;
    LifecycleLanes *m_lanes = nullptr;
    DataTable *m_table = nullptr;
    LifecycleModel *m_model = nullptr;
    RunLabel *m_detailTitle = nullptr;
    RunLabel *m_detailHooks = nullptr;
    QWidget *m_footer = nullptr;
    QPushButton *m_sleepNow = nullptr;
    SleepForecastLabel *m_forecast = nullptr;
    QProgressBar *m_grace = nullptr;
    BlockersView *m_blockersView = nullptr;
    BlockerModel *m_blockers = nullptr;

    LifecycleData m_life;
    bool m_stale = true;
    bool m_lifeDirty = true;
    bool m_syncing = false;
    qint64 m_graceFrom = 0;
};

} // namespace terrarium::ui
