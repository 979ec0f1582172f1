#include "shell/actor_page.h"

#include "models/format.h"
#include "models/link_facts.h"
#include "sections/section.h"
#include "sections/section_registry.h"
#include "shell/banner_strip.h"
#include "shell/section_rail.h"
#include "shell/settings.h"
#include "shell/verb_dialog.h"
#include "style/icons.h"
#include "widgets/banner.h"
#include "widgets/chip.h"
#include "widgets/glyph_label.h"
#include "widgets/icon_button.h"
#include "widgets/run_label.h"

#include "async/environment.h"
#include "value/json.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace terrarium::ui {

class ActorPage::Header final : public QWidget {
public:
    explicit Header(QWidget *parent) : QWidget(parent) { setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed); }
    QSize sizeHint() const override { return {600, std::max(58, 2 * theme().rowHeight() + 10)}; }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), theme().color(ColorRole::Base));
        painter.fillRect(QRect(0, height() - 1, width(), 1), theme().color(ColorRole::Hair));
    }
};

/// Makes what lies under it paler, without taking the mouse.
class ActorPage::Veil final : public QWidget {
public:
    explicit Veil(QWidget *parent) : QWidget(parent)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        hide();
        parent->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject *, QEvent *event) override
    {
        if (event->type() == QEvent::Resize)
            resize(parentWidget()->size());
        return false;
    }
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        QColor base = theme().color(ColorRole::Base);
        base.setAlphaF(theme().isDark() ? 0.25f : 0.12f);
        painter.fillRect(rect(), base);
    }
};

ActorPage::ActorPage(Environment &environment, Settings &settings, QWidget *parent)
    : QWidget(parent),
      m_environment(environment),
      m_settings(settings),
      m_header(new Header(this)),
      m_glyph(new GlyphLabel(20, m_header)),
      m_title(new RunLabel(m_header)),
      m_status(new Chip(m_header)),
      m_unsaved(new Chip(m_header)),
      m_awake(new RunLabel(m_header)),
      m_sleep(new QPushButton(m_header)),
      m_restart(new QPushButton(tr("Restart"), m_header)),
      m_destroy(new QPushButton(tr("Destroy…"), m_header)),
      m_pin(new IconButton(QStringLiteral("pin"), tr("Pin this actor"), m_header)),
      m_menu(new IconButton(QStringLiteral("more"), tr("More about this actor"), m_header)),
      m_banners(new BannerStrip(this)),
      m_rail(new SectionRail(this)),
      m_stack(new QStackedWidget(this)),
      m_veil(new Veil(m_stack))
{
    setObjectName(QStringLiteral("actorPage"));
    m_glyph->setObjectName(QStringLiteral("actorStatusIcon"));
    m_title->setObjectName(QStringLiteral("actorTitle"));
    m_title->setElide(Qt::ElideMiddle);
    m_status->setObjectName(QStringLiteral("actorStatusText"));
    m_unsaved->setObjectName(QStringLiteral("actorUnsaved"));
    m_unsaved->setFamily(Family::Warn);
    m_unsaved->hide();
    m_awake->setObjectName(QStringLiteral("awakeSummary"));
    m_awake->setWholeLink(QStringLiteral("section:lifecycle"));
    m_sleep->setObjectName(QStringLiteral("wakeSleepButton"));
    m_sleep->setIcon(icons::icon(QStringLiteral("state-sleeping")));
    m_sleep->setText(tr("Sleep…"));
    m_restart->setObjectName(QStringLiteral("restartButton"));
    m_restart->setIcon(icons::icon(QStringLiteral("restart")));
    m_destroy->setObjectName(QStringLiteral("destroyButton"));
    m_destroy->setIcon(icons::icon(QStringLiteral("state-destroying")));
    m_pin->setObjectName(QStringLiteral("pinButton"));
    m_menu->setObjectName(QStringLiteral("actorMenuButton"));
    m_stack->setObjectName(QStringLiteral("sectionStack"));

    auto *first = new QHBoxLayout;
    first->setContentsMargins(0, 0, 0, 0);
    first->setSpacing(8);
    first->addWidget(m_glyph);
    first->addWidget(m_title);
    first->addSpacing(2);
    first->addWidget(m_status);
    first->addWidget(m_unsaved);
    first->addStretch(1);
    auto *left = new QVBoxLayout;
    left->setContentsMargins(0, 5, 0, 5);
    left->setSpacing(0);
    left->addLayout(first, 28);
    left->addWidget(m_awake, 19);
    auto *layout = new QHBoxLayout(m_header);
    layout->setContentsMargins(14, 0, 10, 0);
    layout->setSpacing(6);
    layout->addLayout(left, 1);
    layout->addSpacing(6);
    layout->addWidget(m_sleep);
    layout->addWidget(m_restart);
    layout->addWidget(m_destroy);
    layout->addSpacing(2);
    layout->addWidget(m_pin);
    layout->addWidget(m_menu);

    auto *body = new QHBoxLayout;
    body->setContentsMargins(0, 0, 0, 0);
    body->setSpacing(0);
    body->addWidget(m_rail);
    body->addWidget(m_stack, 1);
    auto *page = new QVBoxLayout(this);
    page->setContentsMargins(0, 0, 0, 0);
    page->setSpacing(0);
    page->addWidget(m_header);
    page->addWidget(m_banners);
    page->addLayout(body, 1);

    connect(m_rail, &SectionRail::currentChanged, this, [this](const QString &id) { openSection(id); });
    connect(m_rail, &SectionRail::opened, this, &ActorPage::focusSection);
    connect(m_awake, &RunLabel::linkActivated, this, &ActorPage::followLink);
    connect(m_sleep, &QPushButton::clicked, this, [this] { requestVerb(m_sleep->property("verb").toString()); });
    connect(m_restart, &QPushButton::clicked, this, [this] { requestVerb(QStringLiteral("restart")); });
    connect(m_destroy, &QPushButton::clicked, this, [this] { requestVerb(QStringLiteral("destroy")); });
    m_pin->setDisabledReason(tr("Only one page is open at a time."));
    connect(m_menu, &QToolButton::clicked, this, [this] {
        QMenu menu(this);
        fillMenu(&menu);
        menu.exec(m_menu->mapToGlobal(QPoint(0, m_menu->height())));
    });
    connect(&m_cursor, &TimeCursor::changed, this, [this] {
        updateBanners();
        updateVerbs();
        Q_EMIT editsChanged();
    });
    connect(m_banners->banner(BannerStrip::Disconnected), &Banner::actionTriggered, this, [this] {
        if (m_client)
            Q_EMIT reconnectRequested(m_client);
    });
    connect(m_banners->banner(BannerStrip::Disconnected), &Banner::whyTriggered, this, [this] {
        if (m_client)
            Q_EMIT whyLostRequested(m_client);
    });
    connect(m_banners->banner(BannerStrip::NotLive), &Banner::actionTriggered, &m_cursor, &TimeCursor::goLive);
    connect(m_banners->banner(BannerStrip::Gap), &Banner::actionTriggered, this, [this] {
        m_banners->setOn(BannerStrip::Gap, false);
        if (m_feed && !m_feed->gaps().isEmpty())
            followLink(QStringLiteral("delta:%1").arg(m_feed->gaps().last().resyncSequence));
    });
    connect(m_banners->banner(BannerStrip::Command), &Banner::actionTriggered, this,
            [this] { m_banners->setOn(BannerStrip::Command, false); });
    m_banners->banner(BannerStrip::NotLive)->setAction(tr("Back to live"), tr("End"));
    m_banners->banner(BannerStrip::NotLive)->setReason(QStringLiteral("past"));
    m_banners->banner(BannerStrip::Gap)->setAction(tr("Show"), {});
    m_banners->banner(BannerStrip::Command)->setAction(tr("Close"), {});
    m_banners->banner(BannerStrip::Disconnected)->setAction(tr("Reconnect now"), tr("F5"));
    m_banners->banner(BannerStrip::Disconnected)->setWhy(tr("Why"));
}

ActorPage::~ActorPage() = default;

void ActorPage::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color(ColorRole::Base));
}

const wire::ActorSummary *ActorPage::summary() const
{
    if (!m_feed || !m_client)
        return nullptr;
    if (const wire::ActorSummary *listed = m_client->store().actor(m_feed->actorId()))
        return listed;
    return m_feed->isLoaded() ? &m_feed->summary() : nullptr;
}

QString ActorPage::actorId() const
{
    return m_feed ? m_feed->actorId() : QString();
}

QString ActorPage::status() const
{
    const wire::ActorSummary *actor = summary();
    return actor ? wire::statusName(actor->status) : QString();
}

quint64 ActorPage::cursorSeq() const
{
    return m_cursor.isLive() ? (m_feed ? m_feed->newestSequence() : 0) : m_cursor.sequence();
}

bool ActorPage::isLive() const
{
    return m_feed && m_client && m_cursor.isLive() && m_client->state() == LinkState::Live && m_feed->isCurrent();
}

qint64 ActorPage::dataAgeMs() const
{
    if (!m_feed || m_feed->isCurrent())
        return 0;
    return std::max<qint64>(0, m_environment.clock.wallMs() - m_feed->currentAsOf());
}

QString ActorPage::immutableReason() const
{
    if (!m_client || !m_feed)
        return tr("No actor is shown.");
    return disabledReason(*m_client, m_feed.get(), &m_cursor, QLatin1String("call"));
}

Section *ActorPage::currentSection() const
{
    return qobject_cast<Section *>(m_stack->currentWidget());
}

Section *ActorPage::section(const QString &id)
{
    if (Section *known = m_sections.value(id))
        return known;
    if (section_registry::indexOf(id) < 0)
        return nullptr;
    Section *made = section_registry::create(id, m_stack);
    m_sections.insert(id, made);
    m_stack->addWidget(made);
    made->setAccessibleName(section_registry::sections().at(section_registry::indexOf(id)).title);
    connect(made, &Section::linkActivated, this, &ActorPage::followLink);
    connect(made, &Section::verbRequested, this, qOverload<const QString &>(&ActorPage::requestVerb));
    if (m_feed)
        made->setContext({m_client, m_feed, &m_cursor, &m_environment.clock});
    return made;
}

void ActorPage::openSection(const QString &id)
{
    Section *old = currentSection();
    Section *wanted = section(id); // the first one made becomes current by itself
    if (!wanted || (wanted == old && wanted->isActive()))
        return;
    if (old && old != wanted)
        old->setActive(false);
    m_stack->setCurrentWidget(wanted);
    m_rail->setCurrent(id);
    wanted->setActive(true);
    if (const wire::ActorSummary *actor = summary())
        m_settings.setSection(actor->type, id);
    updateDim();
}

void ActorPage::openSection(int index)
{
    if (index >= 0 && index < section_registry::sections().size())
        openSection(section_registry::sections().at(index).id);
}

void ActorPage::followLink(const QString &link)
{
    const auto after = [&](QLatin1String prefix) { return link.mid(prefix.size()); };
    if (link == QLatin1String("live")) {
        m_cursor.goLive();
    } else if (link.startsWith(QLatin1String("section:"))) {
        openSection(after(QLatin1String("section:")));
    } else if (link.startsWith(QLatin1String("actor:"))) {
        Q_EMIT actorLinkActivated(m_client, after(QLatin1String("actor:")));
    } else {
        // Each kind of link belongs to one section; the one that is open may take it itself.
        if (Section *open = currentSection(); open && open->follow(link))
            return;
        QString id;
        if (link.startsWith(QLatin1String("delta:")) || link.startsWith(QLatin1String("path:")))
            id = QStringLiteral("state");
        else if (link.startsWith(QLatin1String("time:")) || link.startsWith(QLatin1String("blocker:")))
            id = QStringLiteral("lifecycle");
        else if (link.startsWith(QLatin1String("action:")))
            id = QStringLiteral("actions");
        if (id.isEmpty())
            return;
        openSection(id);
        if (Section *open = currentSection())
            open->follow(link);
    }
}

void ActorPage::focusSection()
{
    if (Section *open = currentSection())
        open->focusFirst();
}

void ActorPage::show(InspectorClient *client, const QString &actorId, const QString &sectionId)
{
    if (client == m_client && m_feed && m_feed->actorId() == actorId) {
        if (!sectionId.isEmpty())
            openSection(sectionId);
        return;
    }
    if (m_feed)
        m_feed->disconnect(this);
    m_client = client;
    m_cursor.goLive();
    m_feed = client->feed(actorId);
    m_gapsSeen = m_feed->gaps().size();
    m_banners->setOn(BannerStrip::Gap, false);
    m_banners->setOn(BannerStrip::Command, false);
    connect(m_feed.get(), &ActorFeed::changed, this, &ActorPage::feedChanged);
    for (Section *known : std::as_const(m_sections))
        known->setContext({m_client, m_feed, &m_cursor, &m_environment.clock});
    const wire::ActorSummary *actor = summary();
    QString id = sectionId;
    if (id.isEmpty())
        id = actor ? m_settings.section(actor->type) : QStringLiteral("state");
    if (section_registry::indexOf(id) < 0)
        id = QStringLiteral("state");
    openSection(id);
    updateHeader();
    updateBanners();
    Q_EMIT currentActorChanged();
    Q_EMIT editsChanged();
}

void ActorPage::clear()
{
    if (m_feed)
        m_feed->disconnect(this);
    for (Section *known : std::as_const(m_sections))
        known->setContext({});
    m_feed.reset();
    m_client = nullptr;
    m_cursor.goLive();
    for (int kind = 0; kind < BannerStrip::KindCount; ++kind)
        m_banners->setOn(BannerStrip::Kind(kind), false);
    Q_EMIT currentActorChanged();
    Q_EMIT editsChanged();
}

void ActorPage::feedChanged(const FeedChange &change)
{
    m_headerDirty = true;
    if (change.gapAppended && m_feed && !m_feed->gaps().isEmpty()) {
        // Only what was lost while this page looked; older gaps are rows in the lists.
        const FeedGap &gap = m_feed->gaps().last();
        if (m_feed->gaps().size() > m_gapsSeen && gap.from >= m_feed->attachedAt()) {
            Banner *banner = m_banners->banner(BannerStrip::Gap);
            banner->setReason(gap.reason);
            banner->setContent(gap.count ? tr("About %n change(s) lost.", nullptr, int(gap.count))
                                         : tr("Changes were lost."),
                               tr("Between %1 and %2. The state was taken whole at #%3 and is right again.")
                                   .arg(format::timeTenths(gap.from), format::timeTenths(gap.to))
                                   .arg(gap.resyncSequence));
            m_banners->setOn(BannerStrip::Gap, true);
        }
        m_gapsSeen = m_feed->gaps().size();
    }
}

void ActorPage::beat()
{
    if (!m_feed)
        return;
    if (m_headerDirty) {
        updateHeader();
        updateBanners();
    } else {
        updateRail();
    }
    if (Section *open = currentSection())
        open->beat();
}

void ActorPage::tick()
{
    if (!m_feed)
        return;
    updateHeader();
    updateBanners();
    if (Section *open = currentSection())
        open->tick();
}

void ActorPage::linkChanged()
{
    if (!m_feed)
        return;
    updateHeader();
    updateBanners();
    updateDim();
    Q_EMIT editsChanged();
}

void ActorPage::updateHeader()
{
    m_headerDirty = false;
    const wire::ActorSummary *actor = summary();
    if (!actor || !m_client) {
        m_title->setRuns({Run(m_feed ? m_feed->actorId() : QString(), ColorRole::Muted, FontRole::Title)});
        m_status->setText(tr("Loading"));
        m_awake->setRuns({});
        updateVerbs();
        return;
    }
    const bool linked = isLinked(*m_client);
    const qint64 now = hostNow(m_environment.clock, *m_client);
    const QString label = format::statusLabel(actor->status);
    const Family family = format::statusFamily(actor->status);
    m_glyph->setGlyph(format::statusIcon(actor->status), linked ? familyColor(family) : ColorRole::Muted, label);
    m_title->setRuns({Run(actor->type + QLatin1Char('/'), ColorRole::Muted, FontRole::Title),
                      Run(actor->key.display(), ColorRole::Text, FontRole::TitleStrong)});
    Value key = Value::array();
    for (const QString &segment : actor->key.segments())
        key.append(Value(segment));
    m_title->setToolTip(format::toolTip(actor->type + QLatin1Char(' ') + QString::fromUtf8(json::write(key))));

    m_status->setOutlined(!linked);
    m_status->setFamily(family);
    m_status->setText(linked ? format::statusWithTimer(*actor, now)
                             : tr("%1, as of %2").arg(label, format::time(m_client->dataAsOf())));
    m_status->setProperty("status", wire::statusName(actor->status));
    const bool unsaved = linked && actor->unsavedSince > 0;
    if (unsaved)
        m_unsaved->setText(tr("Unsaved %1").arg(format::timer(now - actor->unsavedSince)));
    m_unsaved->setVisible(unsaved);
    updateAwake();
    updateVerbs();
    updateRail();
}

void ActorPage::updateAwake()
{
    const wire::ActorSummary *actor = summary();
    if (!actor)
        return;
    const bool linked = isLinked(*m_client);
    const qint64 now = hostNow(m_environment.clock, *m_client);
    const QString lifecycle = QStringLiteral("section:lifecycle");
    QList<Run> runs;
    using S = wire::ActorStatus;
    const auto muted = [&](const QString &text) { runs.append(Run(text, ColorRole::Muted)); };
    if (actor->status == S::crashed || actor->status == S::backoff) {
        if (actor->lastError) {
            muted(tr("Crashed: "));
            runs.append(Run(actor->lastError->group + QLatin1Char('/') + actor->lastError->code, ColorRole::Text));
            muted(QLatin1Char(' ') + actor->lastError->message.simplified().left(300));
        } else {
            muted(tr("Crashed; the host gave no error."));
        }
    } else if (actor->status == S::sleeping) {
        muted(actor->nextAlarmAt > 0 ? tr("Asleep. Wakes at %1 for %2. Shown from disk.")
                                           .arg(format::time(actor->nextAlarmAt),
                                                actor->nextAlarmName.isEmpty() ? tr("an alarm") : actor->nextAlarmName)
                                     : tr("Asleep until somebody calls it. Shown from disk."));
    } else if (actor->status == S::destroyed) {
        muted(tr("Destroyed. This is the last that was known."));
    } else if (!actor->blockers.isEmpty()) {
        muted(tr("Awake because of "));
        bool first = true;
        for (const wire::Blocker &blocker : actor->blockers) {
            if (!first)
                muted(QStringLiteral(", "));
            first = false;
            const QString link = QStringLiteral("blocker:") + blocker.kind;
            const QString text = format::blockerText(blocker);
            if (!linked) {
                muted(text);
            } else if (blocker.kind == QLatin1String("keepAwake") && !blocker.label.isEmpty()
                       && text.endsWith(blocker.label)) {
                muted(text.chopped(blocker.label.size()));
                runs.append(Run::withLink(blocker.label, link));
            } else {
                runs.append(Run::withLink(text, link));
            }
        }
    } else if (actor->forecast.kind == QLatin1String("countdown")) {
        muted(tr("Nothing keeps it awake. Goes to sleep in %1").arg(format::countdown(actor->forecast.at - now)));
        if (!actor->forecast.resetBy.kind.isEmpty())
            muted(tr("; the timer was restarted by %1").arg(format::causeText(actor->forecast.resetBy)));
    } else if (actor->forecast.kind == QLatin1String("grace")) {
        muted(tr("Finishing its work; cut off in %1").arg(format::countdown(actor->forecast.at - now)));
    } else if (actor->forecast.kind == QLatin1String("never")) {
        muted(tr("Awake: it is set never to sleep"));
    } else if (actor->status == S::starting && !actor->hook.isEmpty()) {
        muted(tr("Starting: %1 runs").arg(actor->hook));
    } else if (actor->status == S::running) {
        muted(tr("Nothing keeps it awake"));
    } else {
        muted(format::statusLabel(actor->status));
    }
    if (!linked)
        muted(tr(" (as of %1)").arg(format::time(m_client->dataAsOf())));
    m_awake->setRuns(runs);
}

void ActorPage::updateVerbs()
{
    const wire::ActorSummary *actor = summary();
    using S = wire::ActorStatus;
    const S status = actor ? actor->status : S::unknown;
    const bool asleep = status == S::sleeping || status == S::crashed || status == S::backoff;
    m_sleep->setProperty("verb", asleep ? QStringLiteral("wake") : QStringLiteral("sleep"));
    const QString text = asleep ? tr("Wake") : tr("Sleep…");
    if (m_sleep->text() != text) {
        m_sleep->setText(text);
        m_sleep->setIcon(icons::icon(asleep ? QStringLiteral("wake") : QStringLiteral("state-sleeping")));
    }
    const auto reason = [&](const char *capability) -> QString {
        if (!m_client || !m_feed)
            return tr("No actor is shown.");
        // Also while the page looks at the past: these act on the actor as it is, and the header shows it so.
        return disabledReason(*m_client, m_feed.get(), nullptr, QLatin1String(capability));
    };
    QString sleepReason = reason(asleep ? "wake" : "sleep");
    if (sleepReason.isEmpty() && (status == S::sleepGrace || status == S::sleepFinalize))
        sleepReason = tr("Off: it is going to sleep already.");
    if (sleepReason.isEmpty() && (status == S::destroyGrace || status == S::destroying))
        sleepReason = tr("Off: it is being destroyed.");
    setButtonReason(m_sleep, sleepReason,
                    asleep ? tr("Starts it now.") : tr("Lets it finish its work, then puts it to sleep."));
    QString restartReason = reason("restart");
    if (restartReason.isEmpty() && (status == S::destroyGrace || status == S::destroying))
        restartReason = tr("Off: it is being destroyed.");
    setButtonReason(m_restart, restartReason, tr("Stops it and starts it again from what is saved."));
    QString destroyReason = reason("destroy");
    if (destroyReason.isEmpty() && (status == S::destroyGrace || status == S::destroying))
        destroyReason = tr("Off: it is being destroyed already.");
    setButtonReason(m_destroy, destroyReason, tr("Removes the actor and everything it stored."));
}

void ActorPage::updateRail()
{
    const wire::ActorSummary *actor = summary();
    QList<SectionBadge> badges;
    for (const SectionInfo &info : section_registry::sections())
        badges.append(actor ? section_registry::badge(info.id, *actor) : SectionBadge());
    m_rail->setBadges(badges);
}

void ActorPage::updateBanners()
{
    if (!m_client || !m_feed)
        return;
    const bool lost = m_client->state() == LinkState::Lost || m_client->state() == LinkState::Refused
                      || m_client->state() == LinkState::Closed;
    if (lost) {
        Banner *banner = m_banners->banner(BannerStrip::Disconnected);
        QString detail = m_client->dataAsOf() ? tr("Showing data as of %1.").arg(format::time(m_client->dataAsOf()))
                                              : tr("No data yet.");
        if (m_client->retryInMs() >= 0)
            detail += QLatin1Char(' ')
                      + tr("Next try in %1 (attempt %2).")
                            .arg(format::countdown(m_client->retryInMs()))
                            .arg(m_client->attempt());
        else if (m_client->problem() == LinkProblem::HostStopped)
            detail += QLatin1Char(' ') + tr("The host said goodbye; waiting for it to come back.");
        banner->setReason(linkStateName(m_client->state()));
        banner->setContent(m_client->problem() == LinkProblem::HostStopped
                               ? tr("%1 has stopped").arg(m_client->name())
                               : tr("Lost connection to %1").arg(m_client->name()),
                           detail);
    }
    m_banners->setOn(BannerStrip::Disconnected, lost);
    if (!m_cursor.isLive()) {
        const quint64 sequence = m_cursor.sequence();
        const int index = m_feed->indexOf(sequence);
        QString fact = tr("Not live: #%1").arg(sequence);
        QString detail = tr("Edits are off while you look at the past.");
        if (index >= 0) {
            const qint64 at = m_feed->deltas()[size_t(index)].at;
            const qint64 behind = hostNow(m_environment.clock, *m_client) - at;
            fact += QStringLiteral(", ") + format::timeMs(at);
            detail = tr("%1 behind. %2").arg(format::age(behind), detail);
        }
        m_banners->banner(BannerStrip::NotLive)->setContent(fact, detail);
    }
    m_banners->setOn(BannerStrip::NotLive, !m_cursor.isLive());
}

void ActorPage::updateDim()
{
    // The page of a lost host is paler as a whole; muted text keeps 4.5:1.
    const bool lost = m_client && !isLinked(*m_client) && m_client->state() != LinkState::Connecting;
    m_veil->setVisible(lost && !theme().isHighContrast());
    m_veil->setGeometry(m_stack->rect());
    m_veil->raise();
}

void ActorPage::requestVerb(const QString &verb)
{
    if (m_client && m_feed)
        requestVerb(m_client, m_feed->actorId(), verb);
}

void ActorPage::requestVerb(InspectorClient *client, const QString &actorId, const QString &verb)
{
    const wire::ActorSummary *actor = client->store().actor(actorId);
    if (!actor && m_feed && m_feed->actorId() == actorId && m_feed->isLoaded())
        actor = &m_feed->summary();
    if (!actor)
        return;
    const QString name = format::actorName(*actor);
    const auto done = [this, name, verb](const Outcome<wire::Done> &outcome) {
        if (outcome.kind == Outcome<wire::Done>::Ok)
            return;
        const QString what = verb == QLatin1String("sleep")     ? tr("%1 was not put to sleep.")
                             : verb == QLatin1String("wake")    ? tr("%1 was not woken.")
                             : verb == QLatin1String("restart") ? tr("%1 was not restarted.")
                                                                : tr("%1 was not destroyed.");
        showCommandError(what.arg(name), outcome.error, outcome.kind == Outcome<wire::Done>::Unconfirmed);
    };
    m_banners->setOn(BannerStrip::Command, false);
    if (verb == QLatin1String("wake")) {
        client->wakeActor(actorId, this, done);
    } else if (verb == QLatin1String("restart")) {
        client->restartActor(actorId, this, done);
    } else if (verb == QLatin1String("sleep") || verb == QLatin1String("destroy")) {
        const QPointer<InspectorClient> guarded(client);
        auto *dialog = new VerbDialog(verb, *actor, client->name(), this);
        connect(dialog, &QDialog::accepted, this, [guarded, actorId, verb, done, this] {
            if (!guarded)
                return;
            if (verb == QLatin1String("sleep"))
                guarded->sleepActor(actorId, this, done);
            else
                guarded->destroyActor(actorId, this, done);
        });
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    }
}

void ActorPage::showCommandError(const QString &what, const Error &error, bool unconfirmed)
{
    Banner *banner = m_banners->banner(BannerStrip::Command);
    banner->setReason(unconfirmed ? QStringLiteral("unconfirmed") : error.group() + QLatin1Char('/') + error.code());
    if (unconfirmed)
        banner->setContent(tr("Not confirmed."),
                           tr("The link was lost before %1 answered. It may have happened; it is not sent again.")
                               .arg(m_client ? m_client->name() : QString()));
    else
        banner->setContent(what, error.message());
    banner->setFamily(unconfirmed ? Family::Warn : Family::Bad);
    m_banners->setOn(BannerStrip::Command, true);
}

void ActorPage::fillMenu(QMenu *menu)
{
    const wire::ActorSummary *actor = summary();
    if (!actor)
        return;
    const QString name = format::actorName(*actor);
    const QString id = actor->id;
    Value key = Value::array();
    for (const QString &segment : actor->key.segments())
        key.append(Value(segment));
    const QString keyText = QString::fromUtf8(json::write(key));
    menu->addAction(tr("Copy &name"), this, [name] { QApplication::clipboard()->setText(name); });
    menu->addAction(tr("Copy &key as JSON"), this, [keyText] { QApplication::clipboard()->setText(keyText); });
    menu->addAction(tr("Copy &ID"), this, [id] { QApplication::clipboard()->setText(id); });
}

} // namespace terrarium::ui
