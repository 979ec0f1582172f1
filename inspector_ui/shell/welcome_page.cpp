#include "shell/welcome_page.h"

#include "models/format.h"
#include "style/icons.h"
#include "style/proxy_style.h"
#include "widgets/glyph_label.h"
#include "widgets/icon_button.h"
#include "widgets/run_label.h"
#include "widgets/themed_label.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace terrarium::ui {

namespace {

class WelcomeMark final : public QWidget {
public:
    explicit WelcomeMark(QWidget *parent) : QWidget(parent) { setFixedSize(48, 48); }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        icons::paint(&painter, {0, 0}, QStringLiteral("app-icon"), Qt::black, 48);
    }
};

/// A row of a card: icon, bold name, second line, perhaps a link at the right.
QWidget *welcomeRow(const QString &icon, const QList<Run> &first, const QString &second, RunLabel *link,
                    QWidget *parent)
{
    auto *row = new QWidget(parent);
    auto *glyph = new GlyphLabel(16, row);
    glyph->setGlyph(icon, ColorRole::Muted, {});
    auto *name = new RunLabel(row);
    name->setRuns(first);
    auto *grid = new QGridLayout(row);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(2);
    grid->addWidget(glyph, 0, 0);
    grid->addWidget(name, 0, 1);
    grid->addWidget(new ThemedLabel(second, ColorRole::Muted, FontRole::Secondary, row), 1, 1, 1, 2);
    grid->setColumnStretch(1, 1);
    if (link)
        grid->addWidget(link, 0, 2);
    row->setFixedHeight(44 - 10);
    return row;
}

} // namespace

class WelcomePage::Card final : public QWidget {
public:
    Card(const QString &icon, const QString &title, QWidget *parent) : QWidget(parent), body(new QVBoxLayout(this))
    {
        body->setContentsMargins(16, 18, 16, 16);
        body->setSpacing(0);
        auto *glyph = new GlyphLabel(20, this);
        glyph->setGlyph(icon, ColorRole::Accent, {});
        auto *head = new QHBoxLayout;
        head->setSpacing(8);
        head->addWidget(glyph);
        head->addWidget(new ThemedLabel(title, ColorRole::Text, FontRole::Strong, this), 1);
        body->addLayout(head);
        setAccessibleName(title);
    }
    QVBoxLayout *body;

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        paintPanel(&painter, rect(), theme().color(ColorRole::Base), theme().color(ColorRole::Hair), 6);
    }
};

WelcomePage::WelcomePage(QWidget *parent)
    : QWidget(parent),
      m_hostsText(new ThemedLabel({}, ColorRole::Muted, FontRole::Body, this)),
      m_hostRows(nullptr),
      m_hostList(nullptr),
      m_example(new QPushButton(tr("Start example host"), this))
{
    setObjectName(QStringLiteral("welcomePage"));
    setAccessibleName(tr("Welcome"));
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(48, 73, 48, 24);
    outer->setSpacing(0);

    auto *head = new QHBoxLayout;
    head->setSpacing(14);
    head->addWidget(new WelcomeMark(this));
    auto *words = new QVBoxLayout;
    words->setSpacing(2);
    auto *product = new ThemedLabel(QStringLiteral("Terrarium"), ColorRole::Text, FontRole::Product, this);
    words->addStretch(1);
    words->addWidget(product);
    words->addWidget(new ThemedLabel(tr("Run actors on this computer and see everything they do."), ColorRole::Muted,
                                     FontRole::Lead, this));
    words->addStretch(1);
    head->addLayout(words, 1);
    outer->addLayout(head);
    outer->addSpacing(25);

    auto *cards = new QHBoxLayout;
    cards->setSpacing(16);

    auto *attach = new Card(QStringLiteral("attach"), tr("Attach to a running host"), this);
    m_hostsText->setWordWrap(true);
    attach->body->addSpacing(8);
    attach->body->addWidget(m_hostsText);
    attach->body->addSpacing(19);
    m_hostList = new QWidget(attach);
    m_hostList->setObjectName(QStringLiteral("welcomeAttachList"));
    m_hostList->setAccessibleName(tr("Hosts on this computer"));
    m_hostRows = new QVBoxLayout(m_hostList);
    m_hostRows->setContentsMargins(0, 0, 0, 0);
    m_hostRows->setSpacing(10);
    attach->body->addWidget(m_hostList);
    attach->body->addStretch(1);
    auto *other = new QPushButton(tr("Other address…"), attach);
    other->setObjectName(QStringLiteral("welcomeAddressButton"));
    attach->body->addWidget(other);
    connect(other, &QPushButton::clicked, this, &WelcomePage::otherAddressRequested);

    auto *example = new Card(QStringLiteral("play"), tr("Start the example host"), this);
    auto *exampleText = new ThemedLabel(tr("Runs in this window, in memory, and stops with it."), ColorRole::Muted,
                                        FontRole::Body, example);
    exampleText->setWordWrap(true);
    example->body->addSpacing(8);
    example->body->addWidget(exampleText);
    example->body->addSpacing(19);
    struct Kind {
        const char *icon;
        const char *name;
        QString text;
    };
    for (const Kind &kind : {Kind{"metrics", "counter", tr("ticks once a second")},
                             Kind{"connections", "chatRoom", tr("connections, queue, keep-awake")},
                             Kind{"workflow", "checkout", tr("a workflow that fails at one step")},
                             Kind{"database", "archive", tr("a database, asleep")}}) {
        example->body->addWidget(welcomeRow(QLatin1String(kind.icon),
                                            {Run(QLatin1String(kind.name), ColorRole::Text, FontRole::Strong)},
                                            kind.text, nullptr, example));
        example->body->addSpacing(10);
    }
    example->body->addStretch(1);
    m_example->setObjectName(QStringLiteral("welcomeExampleButton"));
    m_example->setProperty("primary", true);
    example->body->addWidget(m_example);
    connect(m_example, &QPushButton::clicked, this, &WelcomePage::exampleRequested);

    auto *recording = new Card(QStringLiteral("recording"), tr("Open a recording"), this);
    auto *recordingText =
        new ThemedLabel(tr("Look at what happened without any host."), ColorRole::Muted, FontRole::Body, recording);
    recordingText->setWordWrap(true);
    recording->body->addSpacing(8);
    recording->body->addWidget(recordingText);
    recording->body->addSpacing(17);
    auto *note = new ThemedLabel(tr("This version writes and reads no recordings."), ColorRole::Muted,
                                 FontRole::Secondary, recording);
    note->setWordWrap(true);
    recording->body->addWidget(note);
    recording->body->addStretch(1);
    auto *openFile = new QPushButton(tr("Open file…"), recording);
    openFile->setObjectName(QStringLiteral("welcomeSampleButton"));
    setButtonReason(openFile, tr("Off: this version reads no recordings."));
    recording->body->addWidget(openFile);

    for (Card *card : {attach, example, recording}) {
        card->setMinimumHeight(334);
        card->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        cards->addWidget(card, 1);
    }
    outer->addLayout(cards);
    outer->addSpacing(28);

    outer->addWidget(
        new ThemedLabel(tr("Three things to try with the example host"), ColorRole::Text, FontRole::Strong, this));
    outer->addSpacing(8);
    const std::pair<QList<Run>, QString> tries[] = {
        {{Run::withLink(tr("Go back to the moment a value changed"), QStringLiteral("travel")),
          Run(tr("and see which action changed it"), ColorRole::Muted).after(9)},
         {}},
        {{Run::withLink(tr("Ask why chatRoom/lobby is not asleep"), QStringLiteral("awake")),
          Run(tr("every reason is listed, with its age"), ColorRole::Muted).after(9)},
         {}},
        {{Run::withLink(tr("Replay checkout from the step that failed"), QStringLiteral("replay")),
          Run(tr("the old run stays for comparison"), ColorRole::Muted).after(9)},
         {}},
    };
    int number = 1;
    for (const auto &[runs, unused] : tries) {
        auto *line = new RunLabel(this);
        line->setObjectName(QStringLiteral("welcomeTry%1").arg(number));
        QList<Run> all{Run(QString::number(number), ColorRole::Muted, FontRole::Data)};
        QList<Run> rest = runs;
        rest.first().gap = 10;
        line->setRuns(all + rest);
        line->setFixedHeight(26);
        connect(line, &RunLabel::linkActivated, this, &WelcomePage::tryRequested);
        outer->addWidget(line);
        ++number;
    }
    outer->addStretch(1);
    setHosts({});
    connect(&theme(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void WelcomePage::setHosts(const QList<DiscoveredHost> &hosts)
{
    while (QLayoutItem *item = m_hostRows->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_hostsText->setText(hosts.isEmpty()     ? tr("No host is running on this computer.")
                         : hosts.size() == 1 ? tr("One host is running on this computer.")
                         : hosts.size() == 2
                             ? tr("Two hosts are running on this computer.")
                             : tr("%n hosts are running on this computer.", nullptr, int(hosts.size())));
    for (const DiscoveredHost &host : hosts.mid(0, 4)) {
        QStringList facts;
        if (host.actors >= 0)
            facts.append(tr("%n actor(s)", nullptr, host.actors));
        if (host.needsToken && host.token.isEmpty())
            facts.append(tr("needs a token"));
        else if (host.startedAt)
            facts.append(tr("started %1").arg(format::timeShort(host.startedAt)));
        auto *link = new RunLabel(m_hostList);
        link->setRuns({Run::withLink(tr("Attach"), QStringLiteral("attach"))});
        link->setAccessibleName(tr("Attach to %1").arg(host.name));
        connect(link, &RunLabel::linkActivated, this, [this, host] { Q_EMIT attachRequested(host); });
        QList<Run> first{Run(host.name, ColorRole::Text, FontRole::Strong)};
        if (host.url.port() > 0)
            first.append(Run(QStringLiteral(":%1").arg(host.url.port()), ColorRole::Muted).after(6));
        m_hostRows->addWidget(
            welcomeRow(QStringLiteral("host"), first, facts.join(QStringLiteral(", ")), link, m_hostList));
    }
}

void WelcomePage::setExampleUnavailable(const QString &reason)
{
    setButtonReason(m_example, reason);
}

void WelcomePage::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color(ColorRole::Panel));
}

} // namespace terrarium::ui
