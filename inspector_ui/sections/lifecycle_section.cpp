#include "sections/lifecycle_section.h"

#include "models/blocker_model.h"
#include "models/format.h"
#include "models/lifecycle_model.h"
#include "models/link_facts.h"
#include "sections/sleep_forecast_label.h"
#include "widgets/blockers_view.h"
#include "widgets/data_table.h"
#include "widgets/icon_button.h"
#include "widgets/lifecycle_lanes.h"
#include "widgets/row_export.h"
#include "widgets/run_label.h"
#include "widgets/search_field.h"
#include "widgets/segmented_control.h"
#include "widgets/surface.h"
#include "widgets/themed_label.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace terrarium::ui {

namespace {

class AwakeNote final : public QWidget {
public:
    explicit AwakeNote(const QString &text, QWidget *parent) : QWidget(parent), m_text(text)
    {
        setFixedHeight(34);
        setAccessibleName(text);
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setPen(theme().color(ColorRole::Hair));
        painter.drawLine(12, 0, width() - 13, 0);
        icons::paint(&painter, QPoint(12, 9), QStringLiteral("eye"), theme().color(ColorRole::Muted), 16);
        painter.setFont(theme().font(FontRole::Secondary));
        painter.setPen(theme().color(ColorRole::Muted));
        painter.drawText(QRect(36, 0, width() - 40, height()), Qt::AlignLeft | Qt::AlignVCenter, m_text);
    }

private:
    QString m_text;
};

} // namespace

LifecycleSection::LifecycleSection(QWidget *parent) : Section(QStringLiteral("lifecycle"), parent)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto *bar = new Surface(ColorRole::Base, this, Surface::Bottom);
    bar->setFixedHeight(40);
    buildToolBar(bar);
    layout->addWidget(bar);
    m_lanes = new LifecycleLanes(this);
    m_lanes->setObjectName(QStringLiteral("lifecycleLanes"));
    layout->addWidget(m_lanes);

    auto *below = new QHBoxLayout;
    below->setContentsMargins(0, 0, 0, 0);
    below->setSpacing(0);
    layout->addLayout(below, 1);
    auto *left = new QVBoxLayout;
    left->setSpacing(0);
    below->addLayout(left, 1);
    m_table = new DataTable(this);
    m_table->setObjectName(QStringLiteral("lifecycleTable"));
    m_table->setAccessibleName(tr("Transitions"));
    m_model = new LifecycleModel(this);
    m_table->setModel(m_model);
    m_table->setColumnWidths({104, 172, 0, 68});
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->behavior()->setExportName(QStringLiteral("transitions"));
    left->addWidget(m_table, 1);
    m_footer = new Surface(ColorRole::Panel, this, Surface::Top);
    buildFooter(m_footer);
    left->addWidget(m_footer);
    auto *panel = new Surface(ColorRole::Panel, this, Surface::Left);
    panel->setFixedWidth(285);
    buildPanel(panel);
    below->addWidget(panel);

    connect(m_lanes, &LifecycleLanes::timeChosen, this, &LifecycleSection::select);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &index) {
        if (m_syncing || !index.isValid())
            return;
        m_lanes->setSelectedTime(m_model->timeAt(index.row()));
        showDetails();
    });
    connect(m_table, &DataTable::linkActivated, this, &Section::linkActivated);
    setRange(2);
}

void LifecycleSection::buildToolBar(QWidget *bar)
{
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(11, 0, 8, 0);
    row->setSpacing(8);
    m_range = new SegmentedControl({tr("All"), tr("1 h"), tr("5 m"), tr("1 m")}, bar);
    m_range->setObjectName(QStringLiteral("lifecycleRange"));
    m_range->setAccessibleName(tr("Time that is shown"));
    m_range->setCurrentIndex(2);
    row->addWidget(m_range);
    m_known = new ThemedLabel(QString(), ColorRole::Muted, FontRole::Secondary, bar);
    row->addWidget(m_known);
    row->addStretch(1);
    m_filter = new SearchField(QStringLiteral("filter"), tr("Filter, for example to:sleeping took>1s"), QString(), bar);
    m_filter->setObjectName(QStringLiteral("lifecycleFilterEdit"));
    m_filter->setAccessibleName(tr("Filter the transitions: words, to:, from:, reason:, took>"));
    m_filter->setFixedWidth(290);
    row->addWidget(m_filter);
    m_export = new IconButton(QStringLiteral("export"), tr("Export the transitions that are shown"), bar);
    m_export->setObjectName(QStringLiteral("lifecycleExportButton"));
    row->addWidget(m_export);
    connect(m_range, &SegmentedControl::currentChanged, this, &LifecycleSection::setRange);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_model->setFilter(text);
        m_table->setEmptyText(text.isEmpty() ? QStringLiteral("none") : QStringLiteral("filteredOut"),
                              text.isEmpty() ? tr("No transition is known") : tr("No transition matches the filter"));
    });
    connect(m_filter, &SearchField::escaped, this, &LifecycleSection::focusFirst);
    connect(m_export, &IconButton::clicked, this,
            [this] { row_export::exportAll(m_table, QStringLiteral("transitions")); });
}

void LifecycleSection::buildFooter(QWidget *footer)
{
    footer->setFixedHeight(62);
    auto *layout = new QVBoxLayout(footer);
    layout->setContentsMargins(12, 6, 12, 6);
    layout->setSpacing(2);
    m_detailTitle = new RunLabel(footer);
    m_detailTitle->setObjectName(QStringLiteral("lifecycleDetails"));
    m_detailHooks = new RunLabel(footer);
    layout->addWidget(m_detailTitle);
    layout->addWidget(m_detailHooks);
    connect(m_detailTitle, &RunLabel::linkActivated, this, &Section::linkActivated);
}

void LifecycleSection::buildPanel(QWidget *panel)
{
    auto *layout = new QVBoxLayout(panel);
    layout->setContentsMargins(1, 0, 0, 0);
    layout->setSpacing(0);
    auto *top = new QHBoxLayout;
    top->setContentsMargins(12, 7, 8, 7);
    top->addWidget(new ThemedLabel(tr("Why is it awake?"), ColorRole::Text, FontRole::Strong, panel), 1);
    m_sleepNow = new QPushButton(tr("Sleep now…"), panel);
    m_sleepNow->setObjectName(QStringLiteral("sleepNowButton"));
    m_sleepNow->setFixedHeight(24);
    top->addWidget(m_sleepNow);
    layout->addLayout(top);
    m_forecast = new SleepForecastLabel(panel);
    m_forecast->setObjectName(QStringLiteral("sleepForecastLabel"));
    layout->addWidget(m_forecast);
    m_grace = new QProgressBar(panel);
    m_grace->setObjectName(QStringLiteral("graceProgress"));
    m_grace->setAccessibleName(tr("Time left before what still runs is cut off"));
    m_grace->setTextVisible(false);
    m_grace->setFixedHeight(4);
    m_grace->hide();
    layout->addWidget(m_grace);
    layout->addSpacing(4);
    m_blockers = new BlockerModel(this);
    m_blockersView = new BlockersView(panel);
    m_blockersView->setObjectName(QStringLiteral("blockersView"));
    m_blockersView->setModel(m_blockers);
    m_blockersView->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    layout->addWidget(m_blockersView, 1);
    layout->addSpacing(6);
    auto *note = new AwakeNote(tr("Watching from here does not count."), panel);
    note->setObjectName(QStringLiteral("watchingNote"));
    layout->addWidget(note);
    layout->addStretch(0);
    connect(m_sleepNow, &QPushButton::clicked, this, [this] { Q_EMIT verbRequested(QStringLiteral("sleep")); });
    connect(m_blockersView, &BlockersView::linkActivated, this, &Section::linkActivated);
}

void LifecycleSection::contextChanged()
{
    m_life.clear();
    m_lanes->setData(nullptr, 0, 0);
    m_lanes->setSelectedTime(0);
    m_model->setFeed(context().feed);
    m_blockers->setBlockers({});
    m_stale = false;
    m_lifeDirty = true;
    m_graceFrom = 0;
    m_known->setText({});
    m_footer->hide();
    showAwake();
}

void LifecycleSection::feedChanged(const FeedChange &change)
{
    if (change.recordsAppended || change.recordsDropped || change.reset || change.summaryChanged || change.awakeChanged)
        m_lifeDirty = true;
    if (!isActive()) {
        m_stale = true;
        return;
    }
    if (!m_stale)
        m_model->take(change);
}

void LifecycleSection::activated()
{
    if (m_stale) {
        m_model->reload();
        m_stale = false;
    }
    m_lifeDirty = true;
    refresh();
}

void LifecycleSection::refresh()
{
    if (!feed() || !feed()->isLoaded())
        return;
    const wire::ActorSummary &actor = feed()->summary();
    if (m_lifeDirty) {
        m_lifeDirty = false;
        m_life.clear();
        m_life.add(feed()->records(), 0);
        m_life.setNow(actor, feed()->keptSince() == 0);
        m_lanes->setData(&m_life, actor.connections, actor.queueSize);
        const qint64 since = feed()->keptSince();
        m_known->setText(since ? tr("Transitions known since %1").arg(format::time(since))
                               : tr("Transitions known since start, %1").arg(format::time(actor.createdAt)));
        m_blockers->setBlockers(feed()->blockers());
        m_blockersView->updateGeometry();
        if (m_filter->text().isEmpty())
            m_table->setEmptyText(QStringLiteral("none"),
                                  since ? tr("No transition since %1").arg(format::time(since))
                                        : tr("No transition since the host started"),
                                  tr("Earlier ones are not kept."));
        if (!m_table->currentIndex().isValid() && m_model->rowCount() > 0)
            showDetails();
    }
    m_lanes->setNow(hostNow(), feed()->isCurrent());
    showAwake();
}

void LifecycleSection::ticked()
{
    m_blockers->setNow(hostNow());
    refresh();
}

void LifecycleSection::linkChanged()
{
    if (isActive())
        showAwake();
}

void LifecycleSection::showAwake()
{
    if (!feed() || !feed()->isLoaded() || !client()) {
        m_forecast->setContent(Family::Muted, QString(), QString());
        m_grace->hide();
        return;
    }
    const wire::ActorSummary &actor = feed()->summary();
    const qint64 now = hostNow();
    m_blockers->setNow(now);
    m_forecast->show(actor, feed()->forecast(), m_blockers->onCount(), now);
    const bool grace = feed()->forecast().kind == QLatin1String("grace") && feed()->forecast().at > 0;
    m_grace->setVisible(grace);
    if (grace) {
        const qint64 from = actor.since > 0 ? actor.since : now;
        m_grace->setRange(0, int(qBound(qint64(1), feed()->forecast().at - from, qint64(86400000))));
        m_grace->setValue(int(qBound(qint64(0), now - from, qint64(86400000))));
    }
    QString reason = disabledReason(*client(), feed(), cursor(), QLatin1String("sleep"));
    if (reason.isEmpty()
        && (actor.status == wire::ActorStatus::sleeping || actor.status == wire::ActorStatus::sleepFinalize))
        reason = tr("The actor is asleep.");
    else if (reason.isEmpty() && actor.status == wire::ActorStatus::sleepGrace)
        reason = tr("The actor is going to sleep.");
    else if (reason.isEmpty() && actor.status != wire::ActorStatus::running)
        reason = tr("Only a running actor can be put to sleep.");
    setButtonReason(m_sleepNow, reason, tr("Says first what is waited for and what is cut off"));
}

void LifecycleSection::setRange(int index)
{
    static constexpr qint64 ranges[] = {0, 3600000, 300000, 60000};
    m_lanes->setVisibleMs(ranges[qBound(0, index, 3)]);
}

void LifecycleSection::select(qint64 at)
{
    const int row = m_model->rowAtTime(at);
    if (row < 0)
        return;
    m_lanes->setSelectedTime(m_model->timeAt(row));
    m_syncing = true;
    m_table->setCurrentIndex(m_model->index(row, 0));
    m_table->scrollTo(m_model->index(row, 0));
    m_syncing = false;
    showDetails();
}

void LifecycleSection::showDetails()
{
    const int row = m_table->currentIndex().isValid() ? m_table->currentIndex().row() : -1;
    const wire::TransitionRecord *t = m_model->transitionAt(row);
    m_footer->setVisible(t != nullptr);
    if (!t)
        return;
    QString title = tr("%1 to %2").arg(format::statusLabel(t->from), format::statusLabel(t->to).toLower());
    Run when(format::timeMs(m_model->timeAt(row))
                 + (t->generation ? tr(", generation %1").arg(t->generation) : QString()),
             ColorRole::Muted);
    when.after(8);
    m_detailTitle->setRuns({Run(title, ColorRole::Text, FontRole::Strong), when});
    QList<Run> runs;
    if (t->error) {
        runs.append(Run(t->error->group + QLatin1Char('/') + t->error->code, ColorRole::Text, FontRole::DataStrong));
        runs.append(Run(t->error->message, ColorRole::Text).after(8));
    }
    if (!t->hooks.isEmpty()) {
        runs.append(Run(tr("Hooks"), ColorRole::Muted).after(runs.isEmpty() ? 0 : 12));
        for (const wire::HookTiming &hook : t->hooks) {
            runs.append(Run(hook.name, ColorRole::Text, FontRole::Data).after(5));
            QString outcome =
                hook.tookUs > 0 || hook.outcome == QLatin1String("ok") ? format::duration(hook.tookUs) : QString();
            if (hook.outcome == QLatin1String("failed"))
                outcome = outcome.isEmpty() ? tr("failed") : tr("failed after %1").arg(outcome);
            else if (hook.outcome == QLatin1String("timedOut"))
                outcome = tr("timed out after %1").arg(outcome);
            else if (hook.outcome == QLatin1String("cutOff"))
                outcome = tr("cut off after %1").arg(outcome);
            else if (hook.outcome != QLatin1String("ok"))
                outcome = outcome.isEmpty() ? hook.outcome : hook.outcome + QLatin1Char(' ') + outcome;
            runs.append(Run(outcome, ColorRole::Muted).after(4));
        }
    } else if (!t->error) {
        runs.append(Run(tr("No hook ran."), ColorRole::Muted));
    }
    if (t->to == wire::ActorStatus::sleepFinalize || t->to == wire::ActorStatus::destroying || !t->cutOff.isEmpty()) {
        runs.append(Run(tr("Cut off:"), ColorRole::Muted).after(12));
        runs.append(Run(t->cutOff.isEmpty() ? tr("nothing") : t->cutOff.join(QLatin1String(", "))).after(4));
    }
    m_detailHooks->setRuns(runs);
}

QString LifecycleSection::emptyReason() const
{
    if (!feed())
        return QStringLiteral("noActor");
    if (!feed()->isLoaded())
        return QStringLiteral("loading");
    return m_model->rowCount() == 0 ? QStringLiteral("none") : QString();
}

void LifecycleSection::focusFirst()
{
    m_table->setFocus(Qt::OtherFocusReason);
}

void LifecycleSection::focusFind()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

bool LifecycleSection::follow(const QString &link)
{
    if (link.startsWith(QLatin1String("time:"))) {
        select(link.mid(5).toLongLong());
        return true;
    }
    if (link.startsWith(QLatin1String("blocker:"))) {
        const QString kind = link.mid(8);
        for (int row = 0; row < m_blockers->rowCount(); ++row) {
            if (m_blockers->index(row).data(KindRole).toString() == kind) {
                m_blockersView->setCurrentIndex(m_blockers->index(row));
                m_blockersView->setFocus(Qt::OtherFocusReason);
                return true;
            }
        }
    }
    return false;
}

} // namespace terrarium::ui
