#include "shell/attach_dialog.h"

#include "models/format.h"
#include "models/roles.h"
#include "shell/host_links.h"
#include "shell/settings.h"
#include "style/icons.h"
#include "style/proxy_style.h"
#include "widgets/cell_delegate.h"
#include "widgets/data_table.h"
#include "widgets/dialog_surface.h"
#include "widgets/row_painter.h"
#include "widgets/run_label.h"
#include "widgets/themed_label.h"

#include "async/environment.h"

#include <QAbstractListModel>
#include <QButtonGroup>
#include <QCheckBox>
#include <QDateTime>
#include <QFormLayout>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

namespace terrarium::ui {

namespace {

struct AttachRow {
    QString name;
    QUrl url;
    QString token;
    QString detail;
    bool running = true;
    bool needsToken = false;
};

QString attachPort(const QUrl &url)
{
    return url.port() > 0 ? QStringLiteral(":%1").arg(url.port()) : url.toDisplayString();
}

/// Two lines: name and port, then what is known about the host.
class AttachDelegate final : public CellDelegate {
public:
    using CellDelegate::CellDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const bool selected = option.state & QStyle::State_Selected;
        const QRect r = option.rect;
        const QRect first(r.left() + 5, r.top() + 3, r.width() - 10, 20);
        const QRect second(r.left() + 5, r.top() + 22, r.width() - 10, 18);
        row_painter::paintCell(painter, first, index.data(CellRole).value<Cell>(), selected, false, option.direction);
        row_painter::paintCell(painter, second, index.data(FirstFreeRole).value<Cell>(), selected, false,
                               option.direction);
    }
};

} // namespace

class AttachDialog::HostModel final : public QAbstractListModel {
public:
    using QAbstractListModel::QAbstractListModel;

    void setRows(std::vector<AttachRow> rows)
    {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
    }
    const AttachRow &row(int i) const { return m_rows[size_t(i)]; }
    int rowCount(const QModelIndex &parent = {}) const override { return parent.isValid() ? 0 : int(m_rows.size()); }
    QVariant data(const QModelIndex &index, int role) const override
    {
        const AttachRow &row = m_rows[size_t(index.row())];
        switch (role) {
        case Qt::DisplayRole:
        case Qt::AccessibleTextRole:
            return row.name + QLatin1Char(' ') + attachPort(row.url) + QStringLiteral(", ") + row.detail;
        case CellRole:
            return QVariant::fromValue(Cell(QList<Run>{
                Run::withIcon(row.running ? QStringLiteral("host") : QStringLiteral("link-lost"), ColorRole::Muted, 14),
                Run(row.name, row.running ? ColorRole::Text : ColorRole::Muted, FontRole::Strong).after(7),
                Run(attachPort(row.url), ColorRole::Muted).after(6)}));
        case FirstFreeRole: {
            QList<Run> runs;
            if (row.needsToken) {
                runs = {Run::space(21), Run::withIcon(QStringLiteral("key"), ColorRole::Muted, 14),
                        Run(row.detail, ColorRole::Muted, FontRole::Secondary)};
            } else {
                runs = {Run(row.detail, ColorRole::Muted, FontRole::Secondary).after(21)};
            }
            return QVariant::fromValue(Cell(runs));
        }
        default: return {};
        }
    }

private:
    std::vector<AttachRow> m_rows;
};

AttachDialog::AttachDialog(Environment &environment, HostLinks &links, Settings &settings, Discovery discovery,
                           QWidget *parent)
    : QDialog(parent),
      m_environment(environment),
      m_links(links),
      m_settings(settings),
      m_discovery(std::move(discovery)),
      m_hosts(new HostModel(this)),
      m_list(new DataTable(this)),
      m_url(new QLineEdit(this)),
      m_token(new QLineEdit(this)),
      m_error(new RunLabel(this)),
      m_session(new QRadioButton(tr("For this session"), this)),
      m_remember(new QRadioButton(tr("Remember on this computer"), this)),
      m_readOnly(new QCheckBox(tr("Read-only: every control that changes something is off"), this)),
      m_example(new QPushButton(tr("Start example host"), this)),
      m_cancel(new QPushButton(tr("Cancel"), this)),
      m_attach(new QPushButton(tr("Attach"), this))
{
    setObjectName(QStringLiteral("attachDialog"));
    setWindowTitle(tr("Attach to a host"));
    m_list->setObjectName(QStringLiteral("attachHostList"));
    m_list->setAccessibleName(tr("Hosts on this computer"));
    m_url->setObjectName(QStringLiteral("attachUrlEdit"));
    m_token->setObjectName(QStringLiteral("attachTokenEdit"));
    m_token->setEchoMode(QLineEdit::Password);
    m_readOnly->setObjectName(QStringLiteral("attachReadOnlyCheck"));
    m_error->setObjectName(QStringLiteral("attachError"));
    m_attach->setObjectName(QStringLiteral("attachButton"));
    m_attach->setProperty("primary", true);
    m_attach->setDefault(true);
    m_attach->setMinimumWidth(72);
    m_cancel->setMinimumWidth(72);
    m_example->setAutoDefault(false);
    m_example->setObjectName(QStringLiteral("attachExampleButton"));
    m_session->setChecked(true);
    m_url->setPlaceholderText(QStringLiteral("ws://127.0.0.1:6420"));
    m_url->setClearButtonEnabled(false);

    m_list->setItemDelegate(new AttachDelegate(m_list));
    m_list->horizontalHeader()->hide();
    m_list->setModel(m_hosts);
    m_list->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->verticalHeader()->setDefaultSectionSize(44);
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setInset(true, 0);
    m_list->setEmptyText(QStringLiteral("noHosts"), tr("No host is running on this computer"),
                         tr("Start one with “terrarium host”, or type an address."));
    // The frame stands around the list, so that its rounded corners stay whole.
    auto *frame = new QFrame(this);
    frame->setFrameShape(QFrame::StyledPanel);
    frame->setAutoFillBackground(true);
    frame->setBackgroundRole(QPalette::Base);
    auto *frameLayout = new QVBoxLayout(frame);
    frameLayout->setContentsMargins(4, 4, 4, 4);
    frameLayout->addWidget(m_list);
    m_list->setFixedHeight(132);

    QAction *reveal =
        m_token->addAction(icons::icon(QStringLiteral("eye"), ColorRole::Muted), QLineEdit::TrailingPosition);
    reveal->setText(tr("Show the token"));
    reveal->setToolTip(reveal->text());
    connect(reveal, &QAction::triggered, this, [this, reveal] {
        const bool hidden = m_token->echoMode() == QLineEdit::Password;
        m_token->setEchoMode(hidden ? QLineEdit::Normal : QLineEdit::Password);
        reveal->setIcon(icons::icon(hidden ? QStringLiteral("eye-off") : QStringLiteral("eye"), ColorRole::Muted));
        reveal->setText(hidden ? tr("Hide the token") : tr("Show the token"));
        reveal->setToolTip(reveal->text());
    });

    const auto label = [this](const QString &text, QWidget *buddy) {
        auto *made = new ThemedLabel(text, ColorRole::Muted, FontRole::Body, this);
        made->setBuddy(buddy);
        if (buddy)
            buddy->setAccessibleName(text);
        return made;
    };
    auto *grid = new QGridLayout;
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(8);
    grid->setColumnMinimumWidth(0, 58);
    grid->addWidget(label(tr("Address"), m_url), 0, 0);
    grid->addWidget(m_url, 0, 1);
    grid->addWidget(label(tr("Token"), m_token), 1, 0);
    grid->addWidget(m_token, 1, 1);
    m_error->setMinimumHeight(24);
    grid->addWidget(m_error, 2, 1);
    auto *keep = new QHBoxLayout;
    keep->setSpacing(22);
    keep->addWidget(m_session);
    keep->addWidget(m_remember);
    keep->addStretch(1);
    grid->addWidget(label(tr("Keep"), nullptr), 3, 0);
    grid->addLayout(keep, 3, 1);
    grid->addWidget(label(tr("Access"), nullptr), 4, 0);
    grid->addWidget(m_readOnly, 4, 1);

    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_example);
    buttons->addStretch(1);
    buttons->addWidget(m_cancel);
    buttons->addWidget(m_attach);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 16, 20, 16);
    layout->setSpacing(0);
    layout->addWidget(new ThemedLabel(tr("On this computer"), ColorRole::Text, FontRole::Strong, this));
    layout->addSpacing(6);
    layout->addWidget(frame);
    layout->addSpacing(16);
    layout->addLayout(grid);
    layout->addStretch(1);
    layout->addSpacing(18);
    layout->addLayout(buttons);
    setFixedWidth(560);
    useDialogSurface(this);

    connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &index) { hostChosen(index.row()); });
    connect(m_list, &QAbstractItemView::activated, this, [this] { attach(); });
    connect(m_attach, &QPushButton::clicked, this, &AttachDialog::attach);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_example, &QPushButton::clicked, this, [this] {
        reject();
        Q_EMIT exampleHostRequested();
    });
    const auto edited = [this] { showError({}, {}, nullptr); };
    connect(m_url, &QLineEdit::textEdited, this, edited);
    connect(m_token, &QLineEdit::textEdited, this, edited);
    fillHosts();
    m_url->setFocus();
}

AttachDialog::~AttachDialog() = default;

void AttachDialog::fillHosts()
{
    std::vector<AttachRow> rows;
    const QList<DiscoveredHost> found = m_discovery ? m_discovery() : QList<DiscoveredHost>();
    for (const DiscoveredHost &host : found) {
        AttachRow row;
        row.name = host.name;
        row.url = host.url;
        row.token = host.token;
        row.needsToken = host.needsToken && host.token.isEmpty();
        QStringList facts;
        if (host.actors >= 0)
            facts.append(tr("%n actor(s)", nullptr, host.actors));
        if (host.startedAt)
            facts.append(tr("started %1").arg(format::timeShort(host.startedAt)));
        if (host.pid)
            facts.append(tr("process %1").arg(host.pid));
        if (row.needsToken)
            facts.append(tr("needs a token"));
        else if (!host.token.isEmpty())
            facts.append(tr("token found"));
        row.detail = facts.join(QStringLiteral(", "));
        rows.push_back(row);
    }
    for (const Settings::RecentHost &recent : m_settings.recentHosts()) {
        const QUrl url(recent.url);
        if (std::any_of(rows.begin(), rows.end(), [&](const AttachRow &row) { return row.url == url; }))
            continue;
        AttachRow row;
        row.name = recent.name;
        row.url = url;
        row.running = false;
        const QDate used = QDateTime::fromMSecsSinceEpoch(recent.usedAt).date();
        const qint64 days = used.daysTo(QDateTime::fromMSecsSinceEpoch(m_environment.clock.wallMs()).date());
        const bool local = url.host() == QLatin1String("127.0.0.1") || url.host() == QLatin1String("localhost");
        const QString when = days <= 0   ? tr("used today")
                             : days == 1 ? tr("used yesterday")
                                         : tr("used %n day(s) ago", nullptr, int(days));
        row.detail = local ? tr("%1, not running").arg(when) : when;
        rows.push_back(row);
    }
    const bool any = !rows.empty();
    m_hosts->setRows(std::move(rows));
    if (any && m_hosts->row(0).running)
        m_list->setCurrentIndex(m_hosts->index(0));
}

void AttachDialog::hostChosen(int row)
{
    if (row < 0 || row >= m_hosts->rowCount())
        return;
    const AttachRow &host = m_hosts->row(row);
    setAddress(host.url, host.token);
}

void AttachDialog::setAddress(const QUrl &url, const QString &token)
{
    // The row first: choosing one fills the fields with what is known about it.
    for (int row = 0; row < m_hosts->rowCount(); ++row) {
        if (m_hosts->row(row).url == url && m_list->currentIndex().row() != row)
            m_list->setCurrentIndex(m_hosts->index(row));
    }
    m_url->setText(url.toDisplayString());
    m_token->setText(token.isEmpty() ? m_settings.token(url.toString()) : token);
    showError({}, {}, nullptr);
}

QString AttachDialog::hostLabel() const
{
    const QModelIndex current = m_list->currentIndex();
    if (current.isValid() && m_hosts->row(current.row()).url.toDisplayString() == m_url->text())
        return m_hosts->row(current.row()).name;
    return m_url->text();
}

void AttachDialog::attach()
{
    if (isBusy())
        return;
    QString text = m_url->text().trimmed();
    if (text.isEmpty()) {
        showError(tr("An address is missing."), tr("For example ws://127.0.0.1:6420."), m_url);
        return;
    }
    if (!text.contains(QLatin1String("://")))
        text.prepend(QLatin1String("ws://"));
    QUrl url(text, QUrl::StrictMode);
    if (url.scheme() == QLatin1String("http"))
        url.setScheme(QStringLiteral("ws"));
    else if (url.scheme() == QLatin1String("https"))
        url.setScheme(QStringLiteral("wss"));
    if (!url.isValid() || url.host().isEmpty()
        || (url.scheme() != QLatin1String("ws") && url.scheme() != QLatin1String("wss"))) {
        showError(tr("“%1” is no address of a host.").arg(m_url->text()), tr("Write ws://NAME:PORT."), m_url);
        return;
    }
    if (m_links.size() >= HostLinks::most) {
        showError(tr("Sixteen hosts are attached."), tr("Detach one first."), m_url);
        return;
    }
    for (int i = 0; i < m_links.size(); ++i) {
        if (!m_connect && m_links.at(i)->address().url == url && m_links.at(i)->state() != LinkState::Closed) {
            showError(tr("%1 is attached already.").arg(m_links.at(i)->name()), tr("It is in the list at the left."),
                      m_url);
            return;
        }
    }
    HostAddress address;
    address.url = url;
    address.token = m_token->text();
    address.label = hostLabel();
    address.readOnly = m_readOnly->isChecked();
    address.connect = m_connect;
    m_finished = false;
    m_client = m_links.makeClient(address);
    connect(m_client.get(), &InspectorClient::linkChanged, this, &AttachDialog::linkChanged);
    const auto arm = [this] {
        m_beat = m_environment.clock.after(std::chrono::milliseconds(20), [this] {
            if (m_client)
                m_client->beat();
        });
    };
    connect(m_client.get(), &InspectorClient::pending, this, arm);
    setBusy(true);
    m_client->open();
}

void AttachDialog::linkChanged()
{
    if (!m_client || m_finished)
        return;
    const LinkState state = m_client->state();
    if (state == LinkState::Live || state == LinkState::Behind || state == LinkState::Resyncing) {
        m_finished = true;
        const QString url = m_client->address().url.toString();
        m_settings.addRecentHost({m_client->name(), url, m_environment.clock.wallMs()});
        if (m_remember->isChecked() && !m_token->text().isEmpty())
            m_settings.rememberToken(url, m_token->text());
        accept();
        return;
    }
    if (state != LinkState::Lost && state != LinkState::Refused && state != LinkState::Closed)
        return;
    const LinkProblem problem = m_client->problem();
    const QString words = m_client->problemText();
    m_finished = true;
    // Deleted later: this runs inside one of its signals.
    m_client->disconnect(this);
    m_client->close();
    m_client.release()->deleteLater();
    setBusy(false);
    showProblem(problem, hostLabel(), words);
}

std::pair<QString, QString> AttachDialog::problemText(LinkProblem problem, const QString &host, const QString &words)
{
    switch (problem) {
    case LinkProblem::NothingListens:
        return {tr("Nothing listens at %1.").arg(host), tr("Start the host, or check the port.")};
    case LinkProblem::NotAHost:
        return {tr("Something else answers here."),
                tr("%1Check the port.").arg(words.isEmpty() ? QString() : words + QStringLiteral(". "))};
    case LinkProblem::TokenWrong:
        return {tr("This token is not accepted by %1.").arg(host), tr("Its host prints it at start.")};
    case LinkProblem::TokenMissing: return {tr("%1 asks for a token.").arg(host), tr("Its host prints it at start.")};
    case LinkProblem::VersionTooNew:
        return {tr("%1 is newer than this window.").arg(host), tr("Update Terrarium to attach.")};
    case LinkProblem::VersionTooOld:
        return {tr("%1 is older than this window understands.").arg(host), tr("Update the host.")};
    case LinkProblem::NameNotFound: return {tr("No computer has this name."), tr("Check the address.")};
    case LinkProblem::TimedOut:
        return {tr("%1 did not answer in time.").arg(host), tr("Check the address, or try again.")};
    case LinkProblem::Tls: return {tr("The secure connection failed."), words};
    case LinkProblem::HostStopped: return {tr("%1 is stopping.").arg(host), tr("Try again when it runs.")};
    case LinkProblem::Cut:
        return {tr("The connection to %1 was cut.").arg(host), words.isEmpty() ? tr("Try again.") : words};
    case LinkProblem::None: break;
    }
    return {tr("The link to %1 failed.").arg(host), words};
}

void AttachDialog::showProblem(LinkProblem problem, const QString &hostName, const QString &words)
{
    const auto [fact, detail] = problemText(problem, hostName, words);
    const bool token = problem == LinkProblem::TokenWrong || problem == LinkProblem::TokenMissing;
    showError(fact, detail, token ? m_token : m_url);
}

void AttachDialog::showError(const QString &fact, const QString &detail, QLineEdit *field)
{
    for (QLineEdit *edit : {m_url, m_token}) {
        edit->setProperty("invalid", edit == field);
        edit->update();
    }
    if (fact.isEmpty()) {
        m_error->setRuns({});
        return;
    }
    m_error->setRuns({Run::withIcon(QStringLiteral("failed"), ColorRole::Bad, 14).after(1), Run(fact).after(7),
                      Run(detail, ColorRole::Muted).after(4)});
    m_error->setToolTip((fact + QLatin1Char(' ') + detail).toHtmlEscaped());
    if (field) {
        field->setFocus();
        field->setAccessibleDescription(fact + QLatin1Char(' ') + detail);
    }
}

void AttachDialog::setBusy(bool busy)
{
    m_attach->setEnabled(!busy);
    m_attach->setText(busy ? tr("Connecting…") : tr("Attach"));
    for (QWidget *widget : QList<QWidget *>{m_url, m_token, m_list, m_readOnly, m_session, m_remember})
        widget->setEnabled(!busy);
}

std::unique_ptr<InspectorClient> AttachDialog::takeClient()
{
    if (!m_finished || !m_client)
        return nullptr;
    m_client->disconnect(this);
    return std::move(m_client);
}

} // namespace terrarium::ui
