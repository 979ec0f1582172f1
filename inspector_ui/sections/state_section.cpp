#include "sections/state_section.h"

#include "models/delta_text.h"
#include "models/format.h"
#include "models/link_facts.h"
#include "models/value_text.h"
#include "sections/delta_table.h"
#include "sections/state_tree.h"
#include "sections/time_strip.h"
#include "value/cbor.h"
#include "value/cbor_text.h"
#include "value/json.h"
#include "widgets/caption_bar.h"
#include "widgets/empty_state.h"
#include "widgets/hex_view.h"
#include "widgets/icon_button.h"
#include "widgets/line_view.h"
#include "widgets/row_export.h"
#include "widgets/search_field.h"
#include "widgets/segmented_control.h"
#include "widgets/surface.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QPointer>
#include <QSplitter>
#include <QStackedWidget>
#include <QThreadPool>
#include <QVBoxLayout>

#include <algorithm>

namespace terrarium::ui {

namespace {

constexpr qint64 renderOffThreadAbove = 32 * 1024; // bytes of state
constexpr qint64 renderPauseMs = 500;
constexpr int timesPerBeat = 2000; // deltas read for the Changed column
constexpr qint64 highlightSeconds = 5;

QString stateAsText(int view, const Value &value)
{
    try {
        return view == 1 ? QString::fromUtf8(json::writePretty(value)) : cbor::diagnostic(value, 2);
    } catch (const Error &error) {
        return error.text();
    }
}

QString viewName(int view)
{
    static const char *const names[] = {"tree", "json", "cbor", "hex"};
    return QString::fromLatin1(names[view]);
}

QString highlightName(StateSection::Highlight mode)
{
    switch (mode) {
    case StateSection::Highlight::LastChange: return QStringLiteral("lastChange");
    case StateSection::Highlight::LastSeconds: return QStringLiteral("last5s");
    case StateSection::Highlight::Baseline: return QStringLiteral("baseline");
    case StateSection::Highlight::Off: return QStringLiteral("off");
    }
    return {};
}

} // namespace

StateSection::StateSection(QWidget *parent) : Section(QStringLiteral("state"), parent)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto *bar = new Surface(ColorRole::Base, this, Surface::Bottom);
    bar->setFixedHeight(40);
    buildToolBar(bar);
    layout->addWidget(bar);

    m_splitter = new QSplitter(Qt::Vertical, this);
    m_splitter->setObjectName(QStringLiteral("stateSplitter"));
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    layout->addWidget(m_splitter, 1);

    m_views = new QStackedWidget(m_splitter);
    m_tree = new StateTree(m_views);
    m_tree->setObjectName(QStringLiteral("stateTree"));
    m_lines = new LineView(m_views);
    m_lines->setObjectName(QStringLiteral("stateText"));
    m_hex = new HexView(m_views);
    m_hex->setObjectName(QStringLiteral("stateHex"));
    m_hex->setAccessibleName(tr("State as bytes"));
    m_empty = new EmptyState(m_views);
    for (QWidget *view : {static_cast<QWidget *>(m_tree), static_cast<QWidget *>(m_lines),
                          static_cast<QWidget *>(m_hex), static_cast<QWidget *>(m_empty)})
        m_views->addWidget(view);

    auto *lower = new QWidget(m_splitter);
    buildChanges(lower);
    m_splitter->addWidget(m_views);
    m_splitter->addWidget(lower);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setSizes({312, 300});

    connect(m_tree, &StateTree::pathChanged, this, &StateSection::updatePathButtons);
    connect(m_tree, &DataTree::contextMenu, this, &StateSection::stateMenu);
    connect(m_tree, &DataTree::linkActivated, this, &Section::linkActivated);
    for (QWidget *view : {static_cast<QWidget *>(m_tree), static_cast<QWidget *>(m_table),
                          static_cast<QWidget *>(m_strip->slider()), static_cast<QWidget *>(m_find)})
        view->installEventFilter(this);
    updatePathButtons();
    updateHighlightBox();
}

void StateSection::buildToolBar(QWidget *bar)
{
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(11, 0, 8, 0);
    row->setSpacing(8);
    m_viewMode = new SegmentedControl({tr("Tree"), tr("JSON"), tr("CBOR"), tr("Hex")}, bar);
    m_viewMode->setObjectName(QStringLiteral("stateViewMode"));
    m_viewMode->setAccessibleName(tr("View of the state"));
    row->addWidget(m_viewMode);
    m_find = new SearchField(QStringLiteral("search"), tr("Find path or value"), QStringLiteral("Ctrl F"), bar);
    m_find->setObjectName(QStringLiteral("stateFindEdit"));
    m_find->setAccessibleName(tr("Find a path or value in the state"));
    m_find->setMaximumWidth(236);
    m_find->setMinimumWidth(160);
    row->addWidget(m_find, 10);
    m_pathPrevious =
        new IconButton(QStringLiteral("chevron-up"), tr("Change of the selected place before this one (Alt+Up)"), bar);
    m_pathPrevious->setObjectName(QStringLiteral("pathPrevChangeButton"));
    m_pathNext =
        new IconButton(QStringLiteral("chevron-down"), tr("Next change of the selected place (Alt+Down)"), bar);
    m_pathNext->setObjectName(QStringLiteral("pathNextChangeButton"));
    for (IconButton *button : {m_pathPrevious, m_pathNext}) {
        // Shown only while a place is selected; the room stays, so that nothing moves.
        QSizePolicy policy = button->sizePolicy();
        policy.setRetainSizeWhenHidden(true);
        button->setSizePolicy(policy);
        row->addWidget(button);
    }
    row->addStretch(1);
    m_highlightBox = new QComboBox(bar);
    m_highlightBox->setObjectName(QStringLiteral("stateHighlightMode"));
    m_highlightBox->setAccessibleName(tr("What is highlighted"));
    m_highlightBox->addItems({QString(), QString(), QString(), QString()});
    m_highlightBox->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    row->addWidget(m_highlightBox);
    m_baselineButton = new IconButton(QStringLiteral("baseline"), tr("Compare with this state from here on (B)"), bar);
    m_baselineButton->setObjectName(QStringLiteral("stateBaselineButton"));
    row->addWidget(m_baselineButton);
    m_more = new IconButton(QStringLiteral("more"), tr("More for the state"), bar);
    m_more->setObjectName(QStringLiteral("stateMoreButton"));
    row->addWidget(m_more);

    connect(m_viewMode, &SegmentedControl::currentChanged, this, &StateSection::showView);
    connect(m_find, &QLineEdit::returnPressed, this,
            [this] { find(QGuiApplication::keyboardModifiers() & Qt::ShiftModifier); });
    connect(m_find, &SearchField::escaped, this, &StateSection::focusFirst);
    connect(m_find, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_find->setInvalid(false);
        if (m_view == JsonView || m_view == CborView)
            m_lines->find(text);
    });
    connect(m_pathPrevious, &IconButton::clicked, this, [this] { goToPathChange(false); });
    connect(m_pathNext, &IconButton::clicked, this, [this] { goToPathChange(true); });
    connect(m_highlightBox, &QComboBox::activated, this, [this](int index) { setHighlight(Highlight(index)); });
    connect(m_baselineButton, &IconButton::clicked, this, &StateSection::setBaseline);
    connect(m_more, &IconButton::clicked, this, &StateSection::moreMenu);
}

void StateSection::buildChanges(QWidget *pane)
{
    auto *layout = new QVBoxLayout(pane);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_strip = new TimeStrip(pane);
    layout->addWidget(m_strip);
    m_caption = new CaptionBar(tr("Changes"), pane);
    m_caption->setHeight(38);
    m_filter = new SearchField(QStringLiteral("filter"), tr("Filter, for example cause:move"), QString(), m_caption);
    m_filter->setObjectName(QStringLiteral("deltaFilterEdit"));
    m_filter->setAccessibleName(tr("Filter the changes: words, path:, cause:, op:, bytes:"));
    m_filter->setFixedWidth(300);
    m_caption->addControl(m_filter);
    m_export = new IconButton(QStringLiteral("export"), tr("Export the changes that are shown"), m_caption);
    m_export->setObjectName(QStringLiteral("deltaExportButton"));
    m_caption->addControl(m_export);
    layout->addWidget(m_caption);
    m_table = new DeltaTable(pane);
    m_table->setObjectName(QStringLiteral("deltaTable"));
    layout->addWidget(m_table, 1);

    connect(m_filter, &QLineEdit::textChanged, this, &StateSection::applyFilter);
    connect(m_filter, &SearchField::escaped, this, [this] { m_table->setFocus(); });
    connect(m_export, &IconButton::clicked, this,
            [this] { row_export::exportAll(m_table, QStringLiteral("changes")); });
    connect(m_table, &DataTable::linkActivated, this, &Section::linkActivated);
    connect(m_table, &DataTable::contextMenu, this, [this](QMenu *menu, const QModelIndex &index) {
        const FeedDelta *delta = m_table->deltas()->deltaAt(index.row());
        if (!delta)
            return;
        const Delta ops = delta->delta.ops;
        menu->addAction(tr("Copy readable difference"), this,
                        [ops] { QGuiApplication::clipboard()->setText(readableDiff(ops)); });
        if (!delta->delta.causes.isEmpty() && delta->delta.causes.first().kind == QLatin1String("action")) {
            const QString link = QLatin1String("action:") + delta->delta.causes.first().name;
            menu->addAction(tr("Go to the action"), this, [this, link] { Q_EMIT linkActivated(link); });
        }
        menu->addSeparator();
    });
    connect(m_table, &DeltaTable::sequenceChosen, this, [this](quint64 sequence) {
        if (!cursor() || !feed())
            return;
        m_selectedDeltas.clear();
        if (const int at = feed()->indexOf(sequence); at >= 0 && !feed()->deltas()[size_t(at)].delta.ops.isEmpty())
            m_revealNext = feed()->deltas()[size_t(at)].delta.ops.first().path;
        if (cursor()->isLive() && sequence == feed()->newestSequence()) {
            remark();
            if (m_revealNext)
                m_tree->reveal(*std::exchange(m_revealNext, std::nullopt), false);
            return;
        }
        cursor()->goTo(sequence);
    });
    connect(m_table, &DeltaTable::severalChosen, this, [this] {
        m_selectedDeltas = m_table->selectedSequences();
        remark();
    });
}

void StateSection::contextChanged()
{
    m_fresh = true;
    m_renderedView = -1;
    m_shown = Value::undefined();
    m_shownSequence = 0;
    m_asked.reset();
    m_revealNext.reset();
    m_hasBaseline = false;
    m_baseline = Value::undefined();
    m_baselineSequence = 0;
    m_secondsBaseKnown = false;
    m_selectedDeltas.clear();
    m_times.clear();
    m_timesFrom = 0;
    m_timesNewest = 0;
    m_timesUpTo = 0;
    m_life.clear();
    m_lifeDirty = true;
    ++m_renderRun;
    m_rendering = false;
    if (m_highlight == Highlight::Baseline)
        m_highlight = Highlight::LastChange;
    m_tree->resetState(Value::undefined(), {});
    m_tree->values()->setStarred(feed() ? m_watched.value(feed()->actorId()) : QSet<Path>());
    m_lines->setText({});
    m_hex->setBytes({});
    m_table->deltas()->setFeed(context().feed);
    m_table->deltas()->setCursor(0);
    m_strip->setContext(context());
    if (cursor())
        connect(cursor(), &TimeCursor::changed, this, &StateSection::cursorMoved);
    m_deltasStale = false;
    m_stateDirty = true;
    updateHighlightBox();
    updatePathButtons();
    updateCaption();
    showEmptyOr(m_views->widget(m_view == TreeView ? 0 : m_view == HexBytes ? 2 : 1));
}

void StateSection::feedChanged(const FeedChange &change)
{
    m_stateDirty = true;
    if (change.recordsAppended || change.recordsDropped || change.reset)
        m_lifeDirty = true;
    if (change.reset) {
        m_times.clear();
        m_timesFrom = 0;
        m_timesNewest = 0;
        m_secondsBaseKnown = false;
    } else if (change.deltasDropped) {
        m_timesFrom = qMax<qsizetype>(0, m_timesFrom - change.deltasDropped);
    }
    if (!isActive()) {
        m_deltasStale = true;
        return;
    }
    if (!m_deltasStale)
        m_table->deltas()->take(change);
}

void StateSection::activated()
{
    if (m_deltasStale) {
        m_table->deltas()->reload();
        m_deltasStale = false;
    }
    m_stateDirty = true;
    refresh();
}

void StateSection::deactivated()
{
    m_strip->stop();
}

void StateSection::refresh()
{
    if (!feed())
        return;
    const qint64 now = hostNow();
    scanTimes(timesPerBeat);
    if (m_table->deltas()->isScanning())
        m_table->deltas()->scan(3);
    if (m_stateDirty) {
        m_stateDirty = false;
        wantState();
        updateCaption();
    }
    if (m_lifeDirty) {
        m_lifeDirty = false;
        m_life.clear();
        m_life.add(feed()->records(), 0);
        m_life.setNow(feed()->summary(), feed()->keptSince() == 0);
        QList<TimeSlider::Stretch> sleep;
        for (const StatusSpan &span : std::as_const(m_life.spans))
            if (span.status == wire::ActorStatus::sleeping)
                sleep.append({span.begin, span.end});
        m_strip->setSleep(sleep);
    }
    m_table->deltas()->setNow(now);
    m_strip->refresh(now, feed()->isCurrent());
    if (m_textDirty && m_view != TreeView)
        renderText();
}

void StateSection::ticked()
{
    refresh();
    if (!feed())
        return;
    m_tree->values()->setChangeTimes(&m_times, shownTime(), feed()->keptSince() == 0 ? feed()->summary().createdAt : 0);
    m_tree->refreshAges();
    if (m_highlight == Highlight::LastSeconds && m_emptyReason.isEmpty())
        remark();
    if (m_table->deltas()->timeForm() == DeltaModel::TimeForm::Age)
        m_table->viewport()->update();
}

void StateSection::linkChanged()
{
    if (isActive() && feed())
        m_strip->refresh(hostNow(), feed()->isCurrent());
}

qint64 StateSection::shownTime() const
{
    if (!cursor() || cursor()->isLive() || !feed())
        return hostNow();
    const auto &deltas = feed()->deltas();
    if (const int at = feed()->indexOf(m_shownSequence); at >= 0)
        return deltas[size_t(at)].at;
    return deltas.empty() ? hostNow() : deltas.front().at;
}

void StateSection::cursorMoved()
{
    m_selectedDeltas.clear();
    m_secondsBaseKnown = false;
    m_table->deltas()->setCursor(cursor()->isLive() ? 0 : qMax<quint64>(1, cursor()->sequence()));
    if (!isActive()) {
        m_stateDirty = true;
        return;
    }
    wantState();
    if (feed())
        m_strip->refresh(hostNow(), feed()->isCurrent());
    updatePathButtons();
}

void StateSection::wantState()
{
    if (!feed())
        return;
    if (!cursor() || cursor()->isLive()) {
        m_asked.reset();
        show(feed()->newestSequence(), feed()->state());
        return;
    }
    const quint64 wanted = cursor()->sequence();
    if (m_asked == wanted || (m_shownSequence == wanted && !m_shown.isUndefined()))
        return;
    m_asked = wanted;
    // A newer request replaces an older one, so that scrubbing never queues up.
    feed()->stateAt(wanted, this, [this, actor = feed()->actorId()](quint64 sequence, const Value &value) {
        if (!feed() || feed()->actorId() != actor || !cursor() || cursor()->isLive()
            || cursor()->sequence() != sequence)
            return;
        m_asked.reset();
        show(sequence, value);
    });
}

void StateSection::show(quint64 sequence, const Value &value)
{
    const bool live = !cursor() || cursor()->isLive();
    const quint64 upTo = live ? 0 : sequence;
    if (upTo != m_timesUpTo) {
        // Times of changes later than the cursor must not count.
        m_timesUpTo = upTo;
        m_times.clear();
        m_timesNewest = 0;
        m_timesFrom = 0;
        scanTimes(timesPerBeat);
    }
    const bool moved = sequence != m_shownSequence;
    m_shown = value;
    m_shownSequence = sequence;
    m_tree->values()->setChangeTimes(&m_times, shownTime(), feed()->keptSince() == 0 ? feed()->summary().createdAt : 0);
    m_tree->values()->setRootSize(live && feed()->summary().stateBytes > 0 ? feed()->summary().stateBytes : -1);
    m_textDirty = true;
    if (m_fresh && feed()->isLoaded()) {
        m_fresh = false;
        m_tree->resetState(value, marksFor(value));
        // What changed last is opened once, at the beginning.
        int opened = 0;
        for (auto it = m_tree->values()->marks().marks().keyBegin(); it != m_tree->values()->marks().marks().keyEnd();
             ++it) {
            if (++opened > 5)
                break;
            m_tree->reveal(*it, false);
        }
        m_tree->scrollToTop();
    } else {
        m_tree->setState(value, marksFor(value));
    }
    if (m_revealNext)
        m_tree->reveal(*std::exchange(m_revealNext, std::nullopt), false);
    if (moved || m_table->selectionModel()->selectedRows().isEmpty()) {
        if (m_selectedDeltas.isEmpty())
            m_table->showSequence(sequence, !live || m_table->isFollowing());
    }
    showEmptyOr(m_views->widget(m_view == TreeView ? 0 : m_view == HexBytes ? 2 : 1));
}

void StateSection::showEmptyOr(QWidget *view)
{
    QString reason, title, text;
    if (!feed()) {
        reason = QStringLiteral("noActor");
        title = tr("No actor is selected");
    } else if (!feed()->isLoaded()) {
        reason = QStringLiteral("loading");
    } else if (const auto error = feed()->stateError()) {
        reason = QStringLiteral("undecodable");
        view = m_hex;
        m_hex->setBytes(feed()->stateBytes());
        m_hex->setMark(error->metadata()["offset"].toInt(-1));
        m_hex->setToolTip(format::toolTip(error->text()));
        m_viewMode->setEnabled(false);
        m_emptyReason = reason;
        m_views->setCurrentWidget(view);
        return;
    } else if (!feed()->type().hasState && feed()->state().isUndefined()) {
        reason = QStringLiteral("noState");
        title = tr("This actor declares no state");
        text = tr("Its type keeps nothing between calls, or keeps it in a database.");
    } else if (m_shown.isUndefined() && m_asked) {
        reason = QStringLiteral("loading");
    } else if (m_shown.isUndefined() && cursor() && !cursor()->isLive()) {
        reason = QStringLiteral("notKept");
        title = tr("The state at #%1 is not kept").arg(cursor()->sequence());
        text = tr("Go to a later change, or back to live.");
    } else if (m_shown.isUndefined()) {
        reason = QStringLiteral("noneYet");
        title = tr("There is no state yet");
        text = tr("It appears when the actor has been created.");
    } else if (m_shown.isNull()) {
        reason = QStringLiteral("null");
        title = tr("The state is null");
        text = tr("The actor has a state, and its value is null.");
    } else if (m_shown.isMap() && m_shown.size() == 0) {
        reason = QStringLiteral("emptyMap");
        title = tr("The state is {}");
        text = tr("The actor has a state, and it is a map without entries.");
    }
    m_viewMode->setEnabled(true);
    m_emptyReason = reason;
    const bool destroyed = feed() && feed()->isLoaded() && feed()->summary().status == wire::ActorStatus::destroyed;
    if (destroyed)
        text = text.isEmpty() ? tr("The actor was destroyed; this is what was last known.") : text;
    if (!reason.isEmpty()
        && !(m_view != TreeView && (reason == QLatin1String("null") || reason == QLatin1String("emptyMap")))) {
        const bool removedShown = !m_tree->values()->marks().isEmpty() && reason == QLatin1String("emptyMap");
        if (!removedShown) {
            m_empty->setContent(reason, reason == QLatin1String("loading") ? QString() : QStringLiteral("state"), title,
                                text);
            m_views->setCurrentWidget(m_empty);
            return;
        }
    }
    m_views->setCurrentWidget(view);
}

MarkSet StateSection::marksFor(const Value &value)
{
    if (!feed())
        return {};
    const auto &deltas = feed()->deltas();
    if (m_selectedDeltas.size() > 1) {
        Delta all;
        for (const quint64 sequence : std::as_const(m_selectedDeltas))
            if (const int at = feed()->indexOf(sequence); at >= 0)
                all = all.isEmpty() ? deltas[size_t(at)].delta.ops : delta::merge(all, deltas[size_t(at)].delta.ops);
        return MarkSet(all);
    }
    switch (m_highlight) {
    case Highlight::Off: return {};
    case Highlight::LastChange: {
        const int at = feed()->indexOf(m_shownSequence);
        return at >= 0 ? MarkSet(deltas[size_t(at)].delta.ops) : MarkSet();
    }
    case Highlight::Baseline:
        return m_hasBaseline && !value.isUndefined() ? MarkSet(delta::diff(m_baseline, value)) : MarkSet();
    case Highlight::LastSeconds: {
        if (value.isUndefined() || deltas.empty())
            return {};
        const qint64 from = shownTime() - highlightSeconds * 1000;
        const auto after =
            std::upper_bound(deltas.begin(), deltas.end(), from, [](qint64 t, const FeedDelta &d) { return t < d.at; });
        const quint64 base = after == deltas.begin() ? deltas.front().delta.base : (after - 1)->delta.sequence;
        if (base >= m_shownSequence)
            return {};
        if (!m_secondsBaseKnown || base != m_secondsBaseSequence) {
            m_secondsBaseKnown = false;
            m_secondsBaseSequence = base;
            // In the past the cursor's own state has the word; the base is then taken at once.
            if (cursor() && !cursor()->isLive()) {
                m_secondsBase = feed()->stateAtNow(base);
                m_secondsBaseKnown = true;
            } else {
                feed()->stateAt(
                    base, this, [this, base, actor = feed()->actorId()](quint64 sequence, const Value &state) {
                        if (!feed() || feed()->actorId() != actor || sequence != base || m_secondsBaseSequence != base)
                            return;
                        m_secondsBase = state;
                        m_secondsBaseKnown = true;
                        if (m_highlight == Highlight::LastSeconds)
                            remark();
                    });
            }
        }
        return m_secondsBaseKnown && !m_secondsBase.isUndefined() ? MarkSet(delta::diff(m_secondsBase, value))
                                                                  : MarkSet();
    }
    }
    return {};
}

void StateSection::remark()
{
    if (!m_shown.isUndefined())
        m_tree->setState(m_shown, marksFor(m_shown));
}

void StateSection::setHighlight(Highlight mode)
{
    if (mode == Highlight::Baseline && !m_hasBaseline) {
        setBaseline();
        return;
    }
    m_highlight = mode;
    m_selectedDeltas.clear();
    m_secondsBaseKnown = false;
    updateHighlightBox();
    remark();
}

void StateSection::setBaseline()
{
    if (m_shown.isUndefined())
        return;
    m_baseline = m_shown;
    m_baselineSequence = m_shownSequence;
    m_hasBaseline = true;
    m_highlight = Highlight::Baseline;
    m_selectedDeltas.clear();
    updateHighlightBox();
    remark();
}

void StateSection::updateHighlightBox()
{
    const QSignalBlocker block(m_highlightBox);
    m_highlightBox->setItemText(0, tr("Highlight: last change"));
    m_highlightBox->setItemText(1, tr("Highlight: last 5 s"));
    m_highlightBox->setItemText(2, m_hasBaseline ? tr("Highlight: since #%1").arg(m_baselineSequence)
                                                 : tr("Highlight: since now"));
    m_highlightBox->setItemText(3, tr("Highlight: off"));
    m_highlightBox->setCurrentIndex(int(m_highlight));
    m_tree->setModes(viewName(m_view), highlightName(m_highlight));
}

void StateSection::scanTimes(int most)
{
    if (!feed())
        return;
    const auto &deltas = feed()->deltas();
    if (deltas.empty())
        return;
    const auto end = m_timesUpTo == 0
                         ? deltas.end()
                         : std::upper_bound(deltas.begin(), deltas.end(), m_timesUpTo,
                                            [](quint64 s, const FeedDelta &d) { return s < d.delta.sequence; });
    const qsizetype limit = end - deltas.begin();
    if (m_timesNewest == 0) {
        m_timesFrom = limit;
    } else {
        // The new ones at the end.
        for (qsizetype i = limit; i > 0 && deltas[size_t(i - 1)].delta.sequence > m_timesNewest; --i)
            m_times.add(deltas[size_t(i - 1)].delta.ops, deltas[size_t(i - 1)].at);
    }
    m_timesNewest = limit > 0 ? deltas[size_t(limit - 1)].delta.sequence : m_timesNewest;
    m_timesFrom = qMin(m_timesFrom, limit);
    for (; m_timesFrom > 0 && most > 0; --m_timesFrom, --most)
        m_times.add(deltas[size_t(m_timesFrom - 1)].delta.ops, deltas[size_t(m_timesFrom - 1)].at);
}

void StateSection::showView(int view)
{
    m_view = view;
    m_textDirty = true;
    m_find->setInvalid(false);
    updateHighlightBox();
    if (view != TreeView)
        renderText();
    showEmptyOr(m_views->widget(view == TreeView ? 0 : view == HexBytes ? 2 : 1));
}

void StateSection::renderText()
{
    if (m_shown.isUndefined()) {
        m_lines->setText({});
        m_hex->setBytes({});
        return;
    }
    if (m_rendering)
        return;
    m_textDirty = false;
    const bool large = feed() && feed()->summary().stateBytes > renderOffThreadAbove;
    if (large && m_renderedView == m_view && qAbs(localNow() - m_renderedAt) < renderPauseMs) {
        m_textDirty = true; // a large state that changes all the time must not keep a core busy
        return;
    }
    m_renderedAt = localNow();
    m_renderedView = m_view;
    m_lines->setAccessibleName(m_view == JsonView ? tr("State as JSON") : tr("State as CBOR notation"));
    if (!large) {
        if (m_view == HexBytes)
            m_hex->setBytes(cbor::encode(m_shown));
        else
            m_lines->setText(stateAsText(m_view, m_shown));
        return;
    }
    m_rendering = true;
    const quint64 run = ++m_renderRun;
    QPointer<StateSection> self(this);
    QThreadPool::globalInstance()->start([self, run, view = m_view, value = m_shown] {
        QString text;
        QByteArray bytes;
        if (view == HexBytes)
            bytes = cbor::encode(value);
        else
            text = stateAsText(view, value);
        QMetaObject::invokeMethod(
            qApp,
            [self, run, view, text, bytes] {
                if (!self || self->m_renderRun != run)
                    return;
                self->m_rendering = false;
                if (view == HexBytes)
                    self->m_hex->setBytes(bytes);
                else
                    self->m_lines->setText(text);
                if (view != self->m_view)
                    self->renderText();
            },
            Qt::QueuedConnection);
    });
}

void StateSection::applyFilter()
{
    const DeltaFilter filter(m_filter->text());
    m_filter->setInvalid(!filter.problem().isEmpty());
    m_filter->setToolTip(filter.problem());
    m_table->deltas()->setFilter(filter);
    if (feed())
        m_table->showSequence(m_shownSequence, true);
    updateCaption();
}

void StateSection::updateCaption()
{
    if (!feed() || !feed()->isLoaded()) {
        m_caption->setDetail({});
        m_table->setEmptyText(QStringLiteral("loading"), QString());
        return;
    }
    const qint64 since = feed()->keptSince()        ? feed()->keptSince()
                         : feed()->deltas().empty() ? 0
                                                    : feed()->deltas().front().at;
    const int total = m_table->totalCount();
    QString detail = since ? tr("%1 since %2").arg(format::count(total), format::time(since)) : format::count(total);
    if (!m_filter->text().isEmpty())
        detail = tr("%1 of %2").arg(format::count(m_table->shownCount()), detail);
    m_caption->setDetail(detail);
    if (!m_filter->text().isEmpty())
        m_table->setEmptyText(QStringLiteral("filteredOut"), tr("No change matches the filter"));
    else
        m_table->setEmptyText(QStringLiteral("noChanges"),
                              tr("No change since %1").arg(format::time(feed()->attachedAt())),
                              tr("Call an action to see what it changes."));
}

void StateSection::updatePathButtons()
{
    const bool on = m_tree->currentIndex().isValid() && feed();
    m_pathPrevious->setVisible(on);
    m_pathNext->setVisible(on);
}

bool StateSection::goToPathChange(bool forwards)
{
    if (!feed() || !cursor() || feed()->deltas().empty() || !m_tree->currentIndex().isValid())
        return false;
    const Path path = m_tree->currentPath();
    const auto &deltas = feed()->deltas();
    const bool live = cursor()->isLive();
    if (forwards && live)
        return false;
    const auto after = live ? deltas.end()
                            : std::upper_bound(deltas.begin(), deltas.end(), cursor()->sequence(),
                                               [](quint64 s, const FeedDelta &d) { return s < d.delta.sequence; });
    if (forwards) {
        for (auto it = after; it != deltas.end(); ++it) {
            if (touches(it->delta.ops, path)) {
                m_revealNext = path;
                cursor()->goTo(it->delta.sequence);
                return true;
            }
        }
        return false;
    }
    auto it = after;
    if (!live && it != deltas.begin())
        --it; // the one we stand at
    while (it != deltas.begin()) {
        --it;
        if (touches(it->delta.ops, path)) {
            m_revealNext = path;
            cursor()->goTo(it->delta.sequence);
            return true;
        }
    }
    return false;
}

void StateSection::setWatched(const Path &path, bool watched)
{
    if (!feed())
        return;
    QSet<Path> &paths = m_watched[feed()->actorId()];
    if (watched)
        paths.insert(path);
    else
        paths.remove(path);
    m_tree->values()->setStarred(paths);
}

void StateSection::find(bool backwards)
{
    const QString needle = m_find->text();
    bool found = false;
    switch (m_view) {
    case TreeView:
        if (const auto path = m_tree->values()->findNext(needle, m_tree->currentPath(), backwards))
            found = m_tree->reveal(*path);
        break;
    case JsonView:
    case CborView: found = m_lines->find(needle, backwards); break;
    case HexBytes: found = m_hex->find(needle, backwards); break;
    }
    m_find->setInvalid(!found && !needle.isEmpty());
    m_find->setToolTip(found || needle.isEmpty() ? QString() : tr("Not found in this state"));
}

void StateSection::stateMenu(QMenu *menu, const QModelIndex &index)
{
    if (!index.isValid())
        return;
    ValueTreeModel *model = m_tree->values();
    if (!model->isBucket(index)) {
        const QString pathText = index.siblingAtColumn(0).data(PathRole).toString();
        const Value value = model->valueOf(index);
        const auto copy = [](const QString &text) { QGuiApplication::clipboard()->setText(text); };
        menu->addAction(tr("Copy path"), this, [copy, pathText] { copy(pathText); });
        menu->addAction(tr("Copy path and value"), this, [copy, pathText, value] {
            copy(pathText + QLatin1String(" = ") + QString::fromUtf8(json::write(value)));
        });
        menu->addAction(tr("Copy as CBOR hex"), this,
                        [copy, value] { copy(QString::fromLatin1(cbor::encode(value).toHex())); });
        menu->addSeparator();
        if (!model->isGhost(index)) {
            const Path path = model->pathOf(index);
            const bool starred = model->starred().contains(path);
            menu->addAction(starred ? tr("Stop watching") : tr("Watch"), QKeySequence(Qt::Key_S), this,
                            [this, path, starred] { setWatched(path, !starred); });
            menu->addAction(tr("Change before"), QKeySequence(Qt::ALT | Qt::Key_Up), this,
                            [this] { goToPathChange(false); });
            menu->addAction(tr("Next change"), QKeySequence(Qt::ALT | Qt::Key_Down), this,
                            [this] { goToPathChange(true); });
            QAction *edit = menu->addAction(tr("Edit…"));
            edit->setEnabled(false);
            edit->setToolTip(tr("Off: this host does not take edits of the state."));
            menu->setToolTipsVisible(true);
        }
        menu->addSeparator();
    }
}

void StateSection::moreMenu()
{
    QMenu menu(this);
    menu.setToolTipsVisible(true);
    menu.addAction(tr("Expand all below"), this, [this] {
        if (m_tree->currentIndex().isValid())
            m_tree->expandRecursively(m_tree->currentIndex().siblingAtColumn(0), 4);
        else
            m_tree->expandToDepth(2);
    });
    menu.addAction(tr("Collapse all"), this, [this] {
        m_tree->collapseAll();
        m_tree->expandToDepth(0);
    });
    menu.addSeparator();
    menu.addAction(tr("Copy the state as JSON"), this, [this] {
        if (!m_shown.isUndefined())
            QGuiApplication::clipboard()->setText(QString::fromUtf8(json::writePretty(m_shown)));
    });
    QAction *edit = menu.addAction(tr("Replace the whole state…"));
    edit->setEnabled(false);
    edit->setToolTip(tr("Off: this host does not take edits of the state."));
    if (feed() && !m_watched.value(feed()->actorId()).isEmpty()) {
        menu.addSection(tr("Watched"));
        QList<Path> paths(m_watched[feed()->actorId()].begin(), m_watched[feed()->actorId()].end());
        std::sort(paths.begin(), paths.end());
        for (const Path &path : std::as_const(paths)) {
            QString text = path.toText();
            text.replace(QLatin1Char('&'), QLatin1String("&&"));
            menu.addAction(text, this, [this, path] { m_tree->reveal(path); });
        }
    }
    menu.exec(m_more->mapToGlobal(QPoint(0, m_more->height())));
}

void StateSection::focusFirst()
{
    if (m_views->currentWidget() == m_empty)
        m_table->setFocus(Qt::OtherFocusReason);
    else
        m_views->currentWidget()->setFocus(Qt::OtherFocusReason);
}

void StateSection::focusFind()
{
    m_find->setFocus(Qt::ShortcutFocusReason);
    m_find->selectAll();
}

bool StateSection::follow(const QString &link)
{
    if (link == QLatin1String("live")) {
        m_strip->goLive();
        return true;
    }
    if (link.startsWith(QLatin1String("delta:")) && cursor() && feed()) {
        bool ok = false;
        const quint64 sequence = link.mid(6).toULongLong(&ok);
        if (!ok || feed()->indexOf(sequence) < 0)
            return false;
        const FeedDelta &delta = feed()->deltas()[size_t(feed()->indexOf(sequence))];
        if (!delta.delta.ops.isEmpty())
            m_revealNext = delta.delta.ops.first().path;
        if (sequence == feed()->newestSequence() && cursor()->isLive()) {
            m_table->showSequence(sequence, true);
            if (m_revealNext)
                m_tree->reveal(*std::exchange(m_revealNext, std::nullopt), false);
        } else {
            cursor()->goTo(sequence);
        }
        return true;
    }
    if (link.startsWith(QLatin1String("path:"))) {
        const auto path = Path::fromText(QStringView(link).mid(5));
        return path && m_tree->reveal(*path);
    }
    if (link.startsWith(QLatin1String("time:")) && cursor() && feed()) {
        const qint64 at = link.mid(5).toLongLong();
        const auto &deltas = feed()->deltas();
        const auto after =
            std::upper_bound(deltas.begin(), deltas.end(), at, [](qint64 t, const FeedDelta &d) { return t < d.at; });
        if (after == deltas.begin())
            return false;
        cursor()->goTo((after - 1)->delta.sequence);
        return true;
    }
    return false;
}

bool StateSection::copySelection(bool ofTree)
{
    if (ofTree) {
        const QModelIndex index = m_tree->currentIndex();
        if (!index.isValid() || m_tree->values()->isBucket(index))
            return false;
        QGuiApplication::clipboard()->setText(QString::fromUtf8(json::writePretty(m_tree->values()->valueOf(index))));
        return true;
    }
    QString text;
    for (const quint64 sequence : m_table->selectedSequences()) {
        const int at = feed() ? feed()->indexOf(sequence) : -1;
        if (at < 0)
            continue;
        const FeedDelta &delta = feed()->deltas()[size_t(at)];
        text += QStringLiteral("#%1 %2 %3\n")
                    .arg(sequence)
                    .arg(format::timeMs(delta.at),
                         delta.delta.causes.isEmpty() ? QString() : format::causeText(delta.delta.causes.first()));
        text += readableDiff(delta.delta.ops);
    }
    if (text.isEmpty())
        return false;
    QGuiApplication::clipboard()->setText(text);
    return true;
}

bool StateSection::handleKey(QObject *watched, int key, Qt::KeyboardModifiers modifiers)
{
    const bool tree = watched == m_tree;
    const int far = modifiers & Qt::ShiftModifier ? 10 : 1;
    if (modifiers & Qt::AltModifier) {
        if (key == Qt::Key_Up || key == Qt::Key_Down) {
            goToPathChange(key == Qt::Key_Down);
            return true;
        }
        return false;
    }
    if (watched == m_find) {
        if (key != Qt::Key_F3)
            return false;
        find(modifiers & Qt::ShiftModifier);
        return true;
    }
    if (modifiers == Qt::ControlModifier && key == Qt::Key_C)
        return copySelection(tree);
    if (modifiers & (Qt::ControlModifier | Qt::MetaModifier))
        return false;
    switch (key) {
    case Qt::Key_BracketLeft:
    case Qt::Key_BraceLeft: m_strip->step(-far); return true;
    case Qt::Key_BracketRight:
    case Qt::Key_BraceRight: m_strip->step(far); return true;
    case Qt::Key_B: setBaseline(); return true;
    case Qt::Key_F3: find(modifiers & Qt::ShiftModifier); return true;
    case Qt::Key_Home:
        if (tree)
            return false;
        m_strip->goFirst();
        return true;
    case Qt::Key_End:
        if (tree)
            return false;
        m_strip->goLive();
        return true;
    case Qt::Key_Space:
        if (tree)
            return false;
        m_strip->togglePlay();
        return true;
    case Qt::Key_S:
        if (!tree || !m_tree->currentIndex().isValid())
            return false;
        setWatched(m_tree->currentPath(), !m_tree->values()->starred().contains(m_tree->currentPath()));
        return true;
    default: return false;
    }
}

bool StateSection::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress) {
        auto *key = static_cast<QKeyEvent *>(event);
        if (handleKey(watched, key->key(), key->modifiers()))
            return true;
    }
    return Section::eventFilter(watched, event);
}

} // namespace terrarium::ui
