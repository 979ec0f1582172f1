#include "sections/overview_section.h"

#include "models/cause_runs.h"
#include "models/delta_text.h"
#include "models/format.h"
#include "models/gap_text.h"
#include "models/lifecycle_model.h"
#include "models/link_facts.h"
#include "models/value_text.h"
#include "style/icons.h"
#include "value/json.h"
#include "widgets/icon_button.h"
#include "widgets/run_label.h"
#include "widgets/surface.h"
#include "widgets/themed_label.h"
#include "widgets/tile.h"

#include <QClipboard>
#include <QFileDialog>
#include <QGridLayout>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMessageBox>
#include <QPushButton>
#include <QSaveFile>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace terrarium::ui {

namespace {
constexpr int recentRows = 8;
constexpr int minuteSeconds = 60;
constexpr int overviewPitch = 24;
} // namespace

OverviewSection::OverviewSection(QWidget *parent) : Section(QStringLiteral("overview"), parent)
{
    setFocusPolicy(Qt::StrongFocus);
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    auto *back = new Surface(ColorRole::Base, this);
    outer->addWidget(back);
    auto *column = new QVBoxLayout(back);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto *scroll = new QScrollArea(back);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->viewport()->setAutoFillBackground(false);
    scroll->setAccessibleName(tr("Overview"));
    m_content = new Surface(ColorRole::Base, scroll);
    scroll->setWidget(m_content);
    column->addWidget(scroll, 1);
    auto *row = new QHBoxLayout(m_content);
    row->setContentsMargins(20, 16, 20, 12);
    row->setSpacing(20);
    auto *left = new QVBoxLayout;
    left->setSpacing(0);
    buildFacts(m_content, left);
    left->addStretch(1);
    row->addLayout(left, 1);
    auto *rightPane = new QWidget(m_content);
    rightPane->setFixedWidth(348);
    auto *right = new QVBoxLayout(rightPane);
    right->setContentsMargins(0, 0, 0, 0);
    right->setSpacing(0);
    buildMinute(rightPane, right);
    right->addStretch(1);
    row->addWidget(rightPane);

    auto *buttons = new QHBoxLayout;
    buttons->setContentsMargins(20, 8, 20, 14);
    buttons->setSpacing(8);
    auto *copy = new QPushButton(icons::icon(QStringLiteral("copy")), tr("Copy summary"), back);
    copy->setObjectName(QStringLiteral("copySummaryButton"));
    copy->setToolTip(tr("As Markdown, fit for a bug report (Ctrl+C)"));
    auto *report = new QPushButton(icons::icon(QStringLiteral("export")), tr("Export bug report…"), back);
    report->setObjectName(QStringLiteral("exportReportButton"));
    report->setToolTip(tr("Summary, state and the last changes as one Markdown file"));
    buttons->addWidget(copy);
    buttons->addWidget(report);
    buttons->addStretch(1);
    column->addLayout(buttons);
    connect(copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(summaryText()); });
    connect(report, &QPushButton::clicked, this, &OverviewSection::exportReport);
}

void OverviewSection::buildFacts(QWidget *parent, QVBoxLayout *layout)
{
    struct Group {
        QString title;
        QList<std::pair<Row, QString>> rows;
    };
    const QList<Group> groups{
        {tr("Now"),
         {{StateRow, tr("State")},
          {AwakeRow, tr("Awake because")},
          {ForecastRow, tr("Sleep forecast")},
          {SavedRow, tr("Saved")}}},
        {tr("Contents"),
         {{StateSizeRow, tr("State")},
          {QueueRow, tr("Queue")},
          {ConnectionsRow, tr("Connections")},
          {ScheduleRow, tr("Schedule")},
          {DatabaseRow, tr("Database")},
          {WorkflowRow, tr("Workflow")}}},
        {tr("Identity"), {{KeyRow, tr("Key")}, {IdRow, tr("ID")}, {HostRow, tr("Host")}, {CreatedRow, tr("Created")}}},
        {tr("Configuration"), {{ChangedOptionsRow, tr("Set by author")}, {DefaultOptionsRow, tr("Defaults")}}},
    };
    bool first = true;
    for (const Group &group : groups) {
        if (!first)
            layout->addSpacing(14);
        first = false;
        auto *heading = new ThemedLabel(group.title, ColorRole::Text, FontRole::Strong, parent);
        heading->setFixedHeight(overviewPitch);
        layout->addWidget(heading);
        auto *grid = new QGridLayout;
        grid->setContentsMargins(0, 2, 0, 0);
        grid->setHorizontalSpacing(0);
        grid->setVerticalSpacing(0);
        grid->setColumnMinimumWidth(0, 116);
        grid->setColumnStretch(1, 1);
        for (int i = 0; i < group.rows.size(); ++i) {
            const auto &[row, title] = group.rows.at(i);
            auto *label = new ThemedLabel(title, ColorRole::Muted, FontRole::Body, parent);
            label->setFixedHeight(overviewPitch);
            grid->addWidget(label, i, 0);
            auto *value = new RunLabel(parent);
            value->setFixedHeight(overviewPitch);
            value->setAccessibleName(title);
            grid->addWidget(value, i, 1);
            connect(value, &RunLabel::linkActivated, this, [this](const QString &link) {
                if (link == QLatin1String("copy:id")) {
                    if (feed())
                        QGuiApplication::clipboard()->setText(feed()->actorId());
                } else {
                    Q_EMIT linkActivated(link);
                }
            });
            m_rows[row] = value;
            m_rowTitles[row] = group.title + QLatin1String(", ") + title;
        }
        layout->addLayout(grid);
    }
}

void OverviewSection::buildMinute(QWidget *parent, QVBoxLayout *layout)
{
    auto *heading = new ThemedLabel(tr("Last minute"), ColorRole::Text, FontRole::Strong, parent);
    heading->setFixedHeight(overviewPitch);
    layout->addWidget(heading);
    layout->addSpacing(2);
    auto *tiles = new QGridLayout;
    tiles->setSpacing(8);
    m_changes = new Tile(tr("Changes"), Tile::Plot::Line, parent);
    m_changes->setObjectName(QStringLiteral("tileChanges"));
    m_actions = new Tile(tr("Actions"), Tile::Plot::Line, parent);
    m_actions->setObjectName(QStringLiteral("tileActions"));
    m_errors = new Tile(tr("Errors"), Tile::Plot::ErrorBars, parent);
    m_errors->setObjectName(QStringLiteral("tileErrors"));
    m_queue = new Tile(tr("Queue"), Tile::Plot::Bars, parent);
    m_queue->setObjectName(QStringLiteral("tileQueue"));
    tiles->addWidget(m_changes, 0, 0);
    tiles->addWidget(m_actions, 0, 1);
    tiles->addWidget(m_errors, 1, 0);
    tiles->addWidget(m_queue, 1, 1);
    layout->addLayout(tiles);
    layout->addSpacing(18);
    auto *top = new QHBoxLayout;
    top->addWidget(new ThemedLabel(tr("Recent"), ColorRole::Text, FontRole::Strong, parent), 1);
    auto *all = new RunLabel(parent);
    all->setRuns({Run::withLink(tr("All changes"), QStringLiteral("section:state"))});
    all->setAlignment(Qt::AlignRight);
    connect(all, &RunLabel::linkActivated, this, &Section::linkActivated);
    top->addWidget(all);
    layout->addLayout(top);
    layout->addSpacing(6);
    auto *grid = new QGridLayout;
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(0);
    grid->setColumnMinimumWidth(0, 58);
    grid->setColumnStretch(1, 1);
    for (int i = 0; i < recentRows; ++i) {
        RecentRow row;
        row.age = new ThemedLabel(QString(), ColorRole::Muted, FontRole::DataSmall, parent);
        row.age->setFixedHeight(overviewPitch);
        row.what = new RunLabel(parent);
        row.what->setFixedHeight(overviewPitch);
        row.link = new RunLabel(parent);
        row.link->setFixedHeight(overviewPitch);
        row.link->setAlignment(Qt::AlignRight);
        connect(row.link, &RunLabel::linkActivated, this, &Section::linkActivated);
        grid->addWidget(row.age, i, 0);
        grid->addWidget(row.what, i, 1);
        grid->addWidget(row.link, i, 2);
        m_recentRows.append(row);
    }
    layout->addLayout(grid);
    m_recentEmpty = new ThemedLabel(tr("Nothing has happened yet"), ColorRole::Quiet, FontRole::Body, parent);
    layout->addWidget(m_recentEmpty);
}

void OverviewSection::contextChanged()
{
    m_dirty = true;
    m_minuteShown = false;
    for (RunLabel *row : m_rows)
        row->setRuns({});
    for (Tile *tile : {m_changes, m_actions, m_errors, m_queue}) {
        tile->setFigure(QString(), QString());
        tile->setValues({});
    }
    for (const RecentRow &row : std::as_const(m_recentRows)) {
        row.age->setText({});
        row.what->setRuns({});
        row.link->setRuns({});
    }
    m_recentEmpty->hide();
}

void OverviewSection::feedChanged(const FeedChange &)
{
    m_dirty = true;
}

void OverviewSection::activated()
{
    m_dirty = true;
    refresh();
    showMinute();
}

void OverviewSection::refresh()
{
    if (!m_dirty || !feed() || !feed()->isLoaded() || !client())
        return;
    m_dirty = false;
    showFacts();
    showRecent();
    if (!m_minuteShown)
        showMinute();
}

void OverviewSection::ticked()
{
    m_dirty = true;
    refresh();
    showMinute();
}

QString OverviewSection::emptyReason() const
{
    if (!feed())
        return QStringLiteral("noActor");
    return feed()->isLoaded() ? QString() : QStringLiteral("loading");
}

void OverviewSection::focusFirst()
{
    setFocus(Qt::OtherFocusReason);
}

void OverviewSection::setRow(Row row, const QList<Run> &runs)
{
    m_rows[row]->setRuns(runs);
}

void OverviewSection::showFacts()
{
    const wire::ActorSummary &actor = feed()->summary();
    const qint64 now = hostNow();
    const auto muted = [](const QString &text) {
        Run run(text, ColorRole::Muted);
        return run.after(8);
    };

    // Now
    Run glyph = Run::withIcon(format::statusIcon(actor.status), familyColor(format::statusFamily(actor.status)), 16);
    QString since = format::timer(qMax<qint64>(0, now - actor.since));
    if (actor.generation)
        since += tr(", generation %1").arg(actor.generation);
    if (!feed()->isIncarnationLive() && feed()->savedAt())
        since += tr(", shown from disk as of %1").arg(format::time(feed()->savedAt()));
    setRow(StateRow, {glyph, Run(format::statusLabel(actor.status)).after(6), muted(since)});
    QList<Run> awake;
    for (const wire::Blocker &blocker : actor.blockers) {
        if (!awake.isEmpty())
            awake.append(Run(QStringLiteral(", "), ColorRole::Muted));
        const QString text = format::blockerText(blocker);
        const QString link = QLatin1String("blocker:") + blocker.kind;
        // Of a keep-awake the label is the link, as in the header.
        if (blocker.kind == QLatin1String("keepAwake") && !blocker.label.isEmpty() && text.endsWith(blocker.label)) {
            awake.append(Run(text.left(text.size() - blocker.label.size()), ColorRole::Muted));
            awake.append(Run::withLink(blocker.label, link));
        } else {
            awake.append(Run::withLink(text, link));
        }
    }
    if (awake.isEmpty())
        awake.append(Run(tr("nothing keeps it awake"), ColorRole::Muted));
    setRow(AwakeRow, awake);
    const wire::SleepForecast &forecast = feed()->forecast();
    QList<Run> sleep;
    if (forecast.kind == QLatin1String("blocked"))
        sleep = {Run(actor.blockers.size() == 1   ? tr("Not while this is on")
                     : actor.blockers.size() == 2 ? tr("Not while either of these is on")
                                                  : tr("Not while any of these is on"))};
    else if (forecast.kind == QLatin1String("countdown"))
        sleep = {Run(tr("In %1").arg(format::countdown(qMax<qint64>(0, forecast.at - now)))),
                 muted(forecast.resetBy.kind.isEmpty()
                           ? QString()
                           : tr("timer restarted by %1").arg(format::causeText(forecast.resetBy)))};
    else if (forecast.kind == QLatin1String("grace"))
        sleep = {Run(tr("Going to sleep, %1 left at most").arg(format::countdown(qMax<qint64>(0, forecast.at - now))))};
    else if (forecast.kind == QLatin1String("asleep"))
        sleep = {Run(tr("Asleep")),
                 muted(forecast.at ? tr("wakes at %1 at the latest").arg(format::time(forecast.at)) : QString())};
    else
        sleep = {Run(tr("It does not sleep in this state"), ColorRole::Muted)};
    setRow(ForecastRow, sleep);
    if (actor.sequence == 0) {
        setRow(SavedRow, {Run(tr("No change yet"), ColorRole::Muted)});
    } else if (actor.savedSequence >= actor.sequence) {
        setRow(SavedRow, {Run(QStringLiteral("#%1").arg(actor.sequence), ColorRole::Text, FontRole::Data),
                          muted(tr("everything is on disk"))});
    } else {
        const quint64 waiting = actor.sequence - actor.savedSequence;
        QString text = waiting == 1 ? tr("1 change waiting") : tr("%1 changes waiting").arg(waiting);
        if (actor.unsavedSince)
            text += QLatin1String(", ") + format::timer(qMax<qint64>(0, now - actor.unsavedSince));
        setRow(SavedRow,
               {Run(QStringLiteral("#%1").arg(actor.savedSequence), ColorRole::Text, FontRole::Data), muted(text)});
    }

    // Contents
    const QString none = tr("This actor has none");
    if (!actor.hasState)
        setRow(StateSizeRow, {Run(tr("This actor declares none"), ColorRole::Muted)});
    else
        setRow(StateSizeRow, {Run::withLink(format::bytes(actor.stateBytes), QStringLiteral("section:state")),
                              muted(feed()->deltas().size() == 1
                                        ? tr("1 change kept")
                                        : tr("%1 changes kept").arg(format::count(qint64(feed()->deltas().size()))))});
    if (actor.queueCapacity > 0)
        setRow(QueueRow, {Run::withLink(tr("%1 of %2").arg(actor.queueSize).arg(actor.queueCapacity),
                                        QStringLiteral("section:queue"))});
    else if (actor.queueSize > 0 || feed()->type().hasQueue)
        setRow(QueueRow, {Run::withLink(actor.queueSize == 1 ? tr("1 message") : tr("%1 messages").arg(actor.queueSize),
                                        QStringLiteral("section:queue"))});
    else
        setRow(QueueRow, {Run(none, ColorRole::Muted)});
    setRow(ConnectionsRow, {actor.connections > 0 ? Run::withLink(tr("%1 open").arg(actor.connections),
                                                                  QStringLiteral("section:connections"))
                                                  : Run(tr("None is open"), ColorRole::Muted)});
    if (actor.nextAlarmAt > 0) {
        const QString name = actor.nextAlarmName.isEmpty() ? tr("alarm") : actor.nextAlarmName;
        QString next = tr("next in %1").arg(format::countdown(qMax<qint64>(0, actor.nextAlarmAt - now)));
        if (actor.schedules > 1)
            next += tr(", %1 in all").arg(actor.schedules);
        setRow(ScheduleRow, {Run::withLink(name, QStringLiteral("section:schedule")), muted(next)});
    } else {
        setRow(ScheduleRow, {Run(tr("Nothing is scheduled"), ColorRole::Muted)});
    }
    setRow(DatabaseRow, {actor.hasDatabase ? Run::withLink(tr("has one"), QStringLiteral("section:database"))
                                           : Run(none, ColorRole::Muted)});
    setRow(WorkflowRow, {actor.hasWorkflow ? Run::withLink(tr("has one"), QStringLiteral("section:workflow"))
                                           : Run(none, ColorRole::Muted)});

    // Identity
    QStringList segments;
    for (const QString &segment : actor.key.segments())
        segments.append(value_text::quoted(segment, 200));
    setRow(KeyRow, {Run(QLatin1Char('[') + segments.join(QLatin1String(", ")) + QLatin1Char(']'), ColorRole::ValueText,
                        FontRole::Data)});
    QString id = actor.id;
    if (id.size() > 18)
        id = id.left(10) + QChar(0x2026) + id.right(3);
    Run copy = Run::withLink(QString(), QStringLiteral("copy:id"));
    copy.icon = QStringLiteral("copy");
    copy.color = ColorRole::Muted;
    copy.iconSize = 14;
    copy.extra = tr("Copy the ID");
    setRow(IdRow, {Run(id, ColorRole::Text, FontRole::Data), copy.after(6)});
    const wire::Welcome &host = client()->welcome();
    const QUrl url = client()->address().url;
    QString where = url.host().isEmpty()
                        ? tr("in this window")
                        : url.host() + (url.port() > 0 ? QStringLiteral(":%1").arg(url.port()) : QString());
    if (!host.productVersion.isEmpty())
        where += tr(", version %1").arg(host.productVersion);
    setRow(HostRow, {Run(client()->name()), muted(where)});
    QList<Run> created{
        Run(actor.createdAt ? format::time(actor.createdAt) : tr("not known"), ColorRole::Text, FontRole::Data)};
    if (!actor.createdBy.kind.isEmpty())
        created.append(
            muted(tr("by %1").arg(actor.createdBy.kind == QLatin1String("create") && !actor.createdBy.name.isEmpty()
                                      ? actor.createdBy.name
                                      : format::causeText(actor.createdBy))));
    setRow(CreatedRow, created);

    // Configuration
    QList<Run> changed, defaults;
    for (const wire::OptionInfo &option : feed()->type().options) {
        QList<Run> &list = option.isDefault ? defaults : changed;
        if (!list.isEmpty())
            list.append(Run(QStringLiteral(","), ColorRole::Muted));
        list.append(
            Run(option.name, option.isDefault ? ColorRole::Muted : ColorRole::Text).after(list.isEmpty() ? 0 : 4));
        list.append(Run(option.value, option.isDefault ? ColorRole::Muted : ColorRole::Text, FontRole::Data).after(4));
    }
    if (changed.isEmpty())
        changed.append(Run(tr("nothing: all options have their defaults"), ColorRole::Muted));
    if (defaults.isEmpty())
        defaults.append(Run(tr("none"), ColorRole::Muted));
    setRow(ChangedOptionsRow, changed);
    setRow(DefaultOptionsRow, defaults);
    QStringList whole;
    for (const wire::OptionInfo &option : feed()->type().options)
        if (option.isDefault)
            whole.append(option.name + QLatin1String(": ") + option.value);
    m_rows[DefaultOptionsRow]->setToolTip(format::toolTip(whole.join(QLatin1Char('\n'))));

    for (int row = 0; row < RowCount; ++row)
        m_rows[row]->setAccessibleName(m_rowTitles[row] + QLatin1String(": ") + m_rows[row]->text());
}

void OverviewSection::showMinute()
{
    if (!feed() || !feed()->isLoaded())
        return;
    m_minuteShown = true;
    const wire::ActorSummary &actor = feed()->summary();
    const qint64 now = hostNow();
    const qint64 from = now - minuteSeconds * 1000;
    const auto slot = [&](qint64 at) { return int(qBound<qint64>(0, (at - from) / 1000, qint64(minuteSeconds - 1))); };
    QList<double> changes(minuteSeconds, 0), actions(minuteSeconds, 0), errors(minuteSeconds, 0);
    const auto &deltas = feed()->deltas();
    for (auto it = std::lower_bound(deltas.begin(), deltas.end(), from,
                                    [](const FeedDelta &d, qint64 t) { return d.at < t; });
         it != deltas.end(); ++it)
        changes[slot(it->at)] += 1;
    int failed = 0;
    int queueBefore = -1;
    QList<double> queue(minuteSeconds, -1);
    for (const FeedRecord &record : feed()->records()) {
        if (const auto *gauge = std::get_if<wire::GaugeRecord>(&record.record.body)) {
            if (record.record.at < from)
                queueBefore = gauge->queueSize;
            else
                queue[slot(record.record.at)] = gauge->queueSize;
        } else if (const auto *call = std::get_if<wire::CallRecord>(&record.record.body);
                   call && record.record.at >= from) {
            actions[slot(record.record.at)] += 1;
            if (!call->ok) {
                errors[slot(record.record.at)] += 1;
                ++failed;
            }
        }
    }
    // Between two gauges the number stays what it was.
    double level = queueBefore >= 0 ? queueBefore : actor.queueSize;
    for (double &value : queue) {
        if (value >= 0)
            level = value;
        value = level;
    }
    const auto rate = [](double perSecond) {
        return perSecond >= 10 ? QString::number(qRound(perSecond)) : QString::number(perSecond, 'f', 1);
    };
    m_changes->setFigure(rate(actor.rate), tr("per second"));
    m_changes->setValues(changes);
    m_actions->setFigure(rate(actor.actionRate), tr("per second"));
    m_actions->setValues(actions);
    m_errors->setFigure(QString::number(failed), tr("this minute"));
    m_errors->setValues(errors);
    m_queue->setFigure(QString::number(actor.queueSize), actor.queueSize == 1 ? tr("message") : tr("messages"));
    m_queue->setValues(queue);
}

QList<OverviewSection::Recent> OverviewSection::recent() const
{
    QList<Recent> out;
    const auto &deltas = feed()->deltas();
    int taken = 0;
    for (auto it = deltas.rbegin(); it != deltas.rend() && taken < 5; ++it, ++taken) {
        Recent line;
        line.at = it->at;
        line.runs = causeRuns(it->delta.causes);
        const DeltaText text = DeltaText::of(it->delta.ops);
        const bool many = it->delta.ops.size() > 1 && text.to.isEmpty();
        // The last two steps of a long path are enough here.
        QString path = text.paths;
        if (it->delta.ops.size() == 1) {
            QList<Path::Step> steps = it->delta.ops.first().path.steps();
            if (steps.size() > 2)
                path = Path(QList<Path::Step>(steps.mid(steps.size() - 2))).toText();
        }
        if (many)
            line.runs.append(Run(text.words, ColorRole::Muted, FontRole::Secondary).after(8));
        else if (it->delta.causes.isEmpty() || it->delta.causes.first().kind != QLatin1String("connect"))
            line.runs.append(Run(path, ColorRole::Muted, FontRole::DataSmall).after(8));
        line.linkText = QStringLiteral("#%1").arg(it->delta.sequence);
        line.link = QStringLiteral("delta:%1").arg(it->delta.sequence);
        out.append(line);
    }
    const auto &gaps = feed()->gaps();
    for (qsizetype i = gaps.size() - 1; i >= 0 && i >= gaps.size() - 2; --i) {
        Recent line;
        line.at = gaps[i].to ? gaps[i].to : gaps[i].from;
        line.runs = {Run::withIcon(QStringLiteral("warning-solid"), ColorRole::Warn, 16),
                     Run(gapFact(gaps[i])).after(6)};
        out.append(line);
    }
    const auto &records = feed()->records();
    int errors = 0, transitions = 0;
    for (auto it = records.rbegin(); it != records.rend() && (errors < 5 || transitions < 2); ++it) {
        Recent line;
        line.at = it->record.at;
        if (const auto *call = std::get_if<wire::CallRecord>(&it->record.body); call && !call->ok && errors < 5) {
            ++errors;
            line.runs = {Run::withIcon(QStringLiteral("failed"), ColorRole::Bad, 16), Run(call->cause.name).after(6),
                         Run(call->errorCode.section(QLatin1Char('/'), -1), ColorRole::Muted).after(8)};
            line.linkText = tr("Action");
            line.link = QLatin1String("action:") + call->cause.name;
        } else if (const auto *t = std::get_if<wire::TransitionRecord>(&it->record.body); t && transitions < 2) {
            ++transitions;
            line.runs = {Run::withIcon(QStringLiteral("lifecycle"), ColorRole::Muted, 16),
                         Run(format::statusLabel(t->to).toLower()).after(6),
                         Run(reasonText(*t), ColorRole::Muted).after(8)};
            line.linkText = format::timeShort(it->record.at);
            line.link = QStringLiteral("time:%1").arg(it->record.at);
        } else {
            continue;
        }
        out.append(line);
    }
    std::stable_sort(out.begin(), out.end(), [](const Recent &a, const Recent &b) { return a.at > b.at; });
    return out.mid(0, recentRows);
}

void OverviewSection::showRecent()
{
    const QList<Recent> lines = recent();
    const qint64 now = hostNow();
    m_recentEmpty->setVisible(lines.isEmpty());
    for (int i = 0; i < recentRows; ++i) {
        const RecentRow &row = m_recentRows.at(i);
        if (i >= lines.size()) {
            row.age->setText({});
            row.what->setRuns({});
            row.link->setRuns({});
            continue;
        }
        row.age->setText(format::age(qMax<qint64>(0, now - lines.at(i).at)));
        row.what->setRuns(lines.at(i).runs);
        row.link->setRuns(lines.at(i).link.isEmpty()
                              ? QList<Run>()
                              : QList<Run>{Run::withLink(lines.at(i).linkText, lines.at(i).link)});
    }
}

QString OverviewSection::summaryText() const
{
    if (!feed() || !feed()->isLoaded() || !client())
        return {};
    const wire::ActorSummary &actor = feed()->summary();
    // Text of actors goes into Markdown as code, so that nothing in it is read as markup.
    const auto code = [](QString text) {
        text.replace(QLatin1Char('`'), QLatin1Char('\''));
        text.replace(QLatin1Char('\n'), QLatin1Char(' '));
        return QLatin1Char('`') + text + QLatin1Char('`');
    };
    QString out = QStringLiteral("## %1\n\n").arg(code(format::actorName(actor)));
    const auto line = [&out](const QString &name, const QString &value) {
        out += QStringLiteral("- %1: %2\n").arg(name, value);
    };
    line(QStringLiteral("State"), m_rows[StateRow]->text());
    line(QStringLiteral("Awake because"), m_rows[AwakeRow]->text());
    line(QStringLiteral("Sleep forecast"), m_rows[ForecastRow]->text());
    line(QStringLiteral("Saved"), m_rows[SavedRow]->text());
    line(QStringLiteral("State size"),
         QStringLiteral("%1 B, %2 changes kept").arg(actor.stateBytes).arg(feed()->deltas().size()));
    line(QStringLiteral("Queue"), m_rows[QueueRow]->text());
    line(QStringLiteral("Connections"), QString::number(actor.connections));
    line(QStringLiteral("ID"), code(actor.id));
    line(QStringLiteral("Key"), code(m_rows[KeyRow]->text()));
    line(QStringLiteral("Host"), code(client()->name()) + QLatin1String(", ") + client()->welcome().product
                                     + QLatin1Char(' ') + client()->welcome().productVersion
                                     + QLatin1String(", durability ") + client()->welcome().durability);
    line(QStringLiteral("Created"), m_rows[CreatedRow]->text());
    if (!feed()->isCurrent())
        line(QStringLiteral("Note"), QStringLiteral("data as of %1, not current").arg(format::timeMs(hostNow())));
    if (actor.lastError)
        line(QStringLiteral("Last error"), code(actor.lastError->group + QLatin1Char('/') + actor.lastError->code
                                                + QLatin1String(": ") + actor.lastError->message));
    if (!feed()->type().options.isEmpty()) {
        out += QStringLiteral("\n| Option | Value | |\n|---|---|---|\n");
        for (const wire::OptionInfo &option : feed()->type().options)
            out += QStringLiteral("| %1 | %2 | %3 |\n")
                       .arg(option.name, option.value, option.isDefault ? QStringLiteral("default") : QString());
    }
    out += QStringLiteral("\n### Recent\n\n");
    for (const Recent &recentLine : recent())
        out += QStringLiteral("- %1 %2 %3\n")
                   .arg(format::timeMs(recentLine.at), code(Cell(recentLine.runs).plainText()), recentLine.linkText);
    return out;
}

void OverviewSection::exportReport()
{
    if (!feed() || !feed()->isLoaded())
        return;
    QString text = summaryText();
    text += QStringLiteral("\n### State at #%1\n\n```json\n").arg(feed()->newestSequence());
    text += feed()->state().isUndefined() ? QStringLiteral("(none)")
                                          : QString::fromUtf8(json::writePretty(feed()->state()));
    text += QStringLiteral("\n```\n\n### Last changes\n\n```\n");
    const auto &deltas = feed()->deltas();
    for (size_t i = deltas.size() > 200 ? deltas.size() - 200 : 0; i < deltas.size(); ++i) {
        const FeedDelta &delta = deltas[i];
        text += QStringLiteral("#%1 %2 %3\n")
                    .arg(delta.delta.sequence)
                    .arg(format::timeMs(delta.at), delta.delta.causes.isEmpty()
                                                       ? QStringLiteral("unknown")
                                                       : format::causeCode(delta.delta.causes.first()));
        text += readableDiff(delta.delta.ops);
    }
    text += QStringLiteral("```\n");
    QString name = format::actorName(feed()->summary());
    for (QChar &c : name)
        if (!c.isLetterOrNumber())
            c = QLatin1Char('-');
    const QString path = QFileDialog::getSaveFileName(this, tr("Export bug report"),
                                                      name.left(80) + QLatin1String(".md"), tr("Markdown (*.md)"));
    if (path.isEmpty())
        return;
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text.toUtf8()) < 0 || !file.commit()) {
        QMessageBox box(QMessageBox::Warning, tr("Export bug report"),
                        tr("%1 could not be written: %2").arg(path, file.errorString()), QMessageBox::Ok, this);
        box.setTextFormat(Qt::PlainText);
        box.exec();
    }
}

void OverviewSection::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy)) {
        QGuiApplication::clipboard()->setText(summaryText());
        return;
    }
    Section::keyPressEvent(event);
}

} // namespace terrarium::ui
