#include "list/actor_list_model.h"

#include "models/format.h"
#include "models/link_facts.h"
#include "models/roles.h"
#include "widgets/cell.h"

#include "async/clock.h"

#include <algorithm>
#include <climits>
#include <unordered_map>

namespace terrarium::ui {

struct ActorListModel::Entry {
    QString id;
    QString sortKey;
    int row = -1; ///< in Host::shown; -1: hidden
};

struct ActorListModel::Host {
    InspectorClient *client = nullptr;
    std::unordered_map<QString, std::unique_ptr<Entry>> entries;
    std::vector<Entry *> shown; ///< sorted
    double rate = 0;            ///< of all actors, as of the last batch

    Entry *entry(const QString &id) const
    {
        const auto found = entries.find(id);
        return found == entries.end() ? nullptr : found->second.get();
    }
};

namespace {

/// Text and numbers in it in the order people expect: checkout/9 before checkout/10.
QString listSortKey(const wire::ActorSummary &actor)
{
    const QString name = actor.type.toCaseFolded() + QChar(1) + actor.key.toText().toCaseFolded();
    QString key;
    key.reserve(name.size() + 12);
    qsizetype i = 0;
    while (i < name.size()) {
        if (!name[i].isDigit()) {
            key += name[i++];
            continue;
        }
        qsizetype end = i;
        while (end < name.size() && name[end].isDigit())
            ++end;
        qsizetype begin = i;
        while (begin + 1 < end && name[begin] == QLatin1Char('0'))
            ++begin;
        key += QLatin1Char('0');
        key += QChar(ushort('0' + std::min<qsizetype>(end - begin, 200))); // longer numbers are larger
        key += QStringView(name).mid(begin, end - begin);
        i = end;
    }
    return key + QChar(1) + actor.id;
}

/// Up to this many rows come and go one by one; more are worked out in one pass over all.
constexpr qsizetype listFewChanges = 32;

bool listHasTimer(wire::ActorStatus status)
{
    using S = wire::ActorStatus;
    return status == S::pending || status == S::sleepGrace || status == S::destroyGrace || status == S::crashed
           || status == S::backoff;
}

} // namespace

ActorListModel::ActorListModel(const Clock &clock, HostLinks &links, QObject *parent)
    : QAbstractItemModel(parent),
      m_clock(clock),
      m_links(links)
{
    const auto add = [this](int index) {
        auto host = std::make_unique<Host>();
        host->client = m_links.at(index);
        Host *raw = host.get();
        beginInsertRows({}, index, index);
        m_hosts.insert(m_hosts.begin() + index, std::move(host));
        endInsertRows();
        connect(&raw->client->store(), &HostStore::changed, this,
                [this, raw](const ActorsBatch &batch) { applyBatch(*raw, batch); });
        rebuild(*raw);
    };
    connect(&links, &HostLinks::added, this, add);
    connect(&links, &HostLinks::aboutToBeRemoved, this, [this](int index) {
        m_hosts[size_t(index)]->client->store().disconnect(this);
        beginRemoveRows({}, index, index);
        m_hosts.erase(m_hosts.begin() + index);
        endRemoveRows();
        Q_EMIT countsChanged();
    });
    connect(&links, &HostLinks::linkChanged, this, [this](int index) {
        if (index < 0 || index >= int(m_hosts.size()))
            return;
        const QModelIndex host = this->index(index, 0);
        Q_EMIT dataChanged(host, this->index(index, ColumnCount - 1));
        if (const int rows = rowCount(host))
            Q_EMIT dataChanged(this->index(0, 0, host), this->index(rows - 1, ColumnCount - 1, host));
    });
    for (int i = 0; i < links.size(); ++i)
        add(i);
}

ActorListModel::~ActorListModel() = default;

ActorListModel::Host *ActorListModel::hostOf(const InspectorClient *client) const
{
    for (const auto &host : m_hosts) {
        if (host->client == client)
            return host.get();
    }
    return nullptr;
}

int ActorListModel::rowOfHost(const Host *host) const
{
    for (size_t i = 0; i < m_hosts.size(); ++i) {
        if (m_hosts[i].get() == host)
            return int(i);
    }
    return -1;
}

qint64 ActorListModel::now(const Host &host) const
{
    return hostNow(m_clock, *host.client);
}

bool ActorListModel::isShown(const Host &host, const wire::ActorSummary &actor, bool fuzzy) const
{
    return m_filter.matches(actor, host.client->name(), now(host), fuzzy);
}

bool ActorListModel::nothingMatchesExactly() const
{
    for (const auto &host : m_hosts) {
        for (const wire::ActorSummary &actor : host->client->store().actors()) {
            if (isShown(*host, actor, false))
                return false;
        }
    }
    return true;
}

void ActorListModel::setFilter(const ActorListFilter &filter)
{
    if (filter.error())
        return;
    m_filter = filter;
    refilter();
}

void ActorListModel::refilter()
{
    m_fuzzy = m_filter.hasWords() && nothingMatchesExactly();
    for (const auto &host : m_hosts)
        rebuild(*host);
    Q_EMIT countsChanged();
}

void ActorListModel::rebuild(Host &host)
{
    std::vector<Entry *> wanted;
    const auto &actors = host.client->store().actors();
    wanted.reserve(size_t(actors.size()));
    for (auto it = actors.constBegin(); it != actors.constEnd(); ++it) {
        std::unique_ptr<Entry> &entry = host.entries[it.key()];
        if (!entry) {
            entry = std::make_unique<Entry>();
            entry->id = it.key();
            entry->sortKey = listSortKey(*it);
        }
        if (isShown(host, *it, m_fuzzy))
            wanted.push_back(entry.get());
    }
    std::sort(wanted.begin(), wanted.end(), [](const Entry *a, const Entry *b) { return a->sortKey < b->sortKey; });
    showExactly(host, std::move(wanted));
    for (auto it = host.entries.begin(); it != host.entries.end();) {
        if (actors.contains(it->first))
            ++it;
        else
            it = host.entries.erase(it);
    }
    measureRate(host);
    Q_EMIT countsChanged();
}

void ActorListModel::showExactly(Host &host, std::vector<Entry *> wanted)
{
    const QModelIndex parent = index(rowOfHost(&host), 0);
    const auto renumber = [&host](size_t from) {
        for (size_t i = from; i < host.shown.size(); ++i)
            host.shown[i]->row = int(i);
    };
    const auto less = [](const Entry *a, const Entry *b) { return a->sortKey < b->sortKey; };

    // Runs that go, from the back, so that the rows in front keep their numbers.
    size_t i = host.shown.size();
    while (i > 0) {
        const auto stays = [&](size_t at) {
            return std::binary_search(wanted.begin(), wanted.end(), host.shown[at], less);
        };
        if (stays(i - 1)) {
            --i;
            continue;
        }
        size_t first = i - 1;
        while (first > 0 && !stays(first - 1))
            --first;
        beginRemoveRows(parent, int(first), int(i - 1));
        for (size_t at = first; at < i; ++at)
            host.shown[at]->row = -1;
        host.shown.erase(host.shown.begin() + long(first), host.shown.begin() + long(i));
        renumber(first);
        endRemoveRows();
        i = first;
    }
    // Runs that come, from the front.
    size_t at = 0;
    while (at < wanted.size()) {
        if (at < host.shown.size() && host.shown[at] == wanted[at]) {
            ++at;
            continue;
        }
        size_t end = at;
        while (end < wanted.size() && (at >= host.shown.size() || wanted[end] != host.shown[at]))
            ++end;
        beginInsertRows(parent, int(at), int(end - 1));
        host.shown.insert(host.shown.begin() + long(at), wanted.begin() + long(at), wanted.begin() + long(end));
        renumber(at);
        endInsertRows();
        at = end;
    }
}

void ActorListModel::applyBatch(Host &host, const ActorsBatch &batch)
{
    if (batch.reset || (m_fuzzy && !batch.added.isEmpty())) {
        refilter();
        return;
    }
    QStringList come = batch.added;
    QStringList go = batch.removed;
    int first = INT_MAX;
    int last = -1;
    for (const QString &id : batch.changed) {
        const wire::ActorSummary *actor = host.client->store().actor(id);
        const Entry *entry = host.entry(id);
        if (!actor || !entry)
            continue;
        const bool shown = isShown(host, *actor, m_fuzzy);
        if (shown && entry->row < 0) {
            come.append(id);
        } else if (!shown && entry->row >= 0) {
            go.append(id);
        } else if (shown) {
            first = std::min(first, entry->row);
            last = std::max(last, entry->row);
        }
    }
    const QModelIndex parent = index(rowOfHost(&host), 0);
    if (last >= 0)
        Q_EMIT dataChanged(index(first, 0, parent), index(last, ColumnCount - 1, parent));
    if (come.size() + go.size() > listFewChanges) {
        rebuild(host);
    } else if (!come.isEmpty() || !go.isEmpty()) {
        for (const QString &id : std::as_const(go))
            hideOne(host, id);
        for (const QString &id : std::as_const(come))
            showOne(host, id);
        Q_EMIT countsChanged();
    }
    measureRate(host);
    Q_EMIT dataChanged(index(parent.row(), RateColumn), index(parent.row(), RateColumn));
}

void ActorListModel::measureRate(Host &host)
{
    host.rate = 0;
    for (const wire::ActorSummary &actor : host.client->store().actors())
        host.rate += actor.rate;
}

void ActorListModel::showOne(Host &host, const QString &id)
{
    const wire::ActorSummary *actor = host.client->store().actor(id);
    if (!actor)
        return;
    std::unique_ptr<Entry> &entry = host.entries[id];
    if (!entry) {
        entry = std::make_unique<Entry>();
        entry->id = id;
        entry->sortKey = listSortKey(*actor);
    }
    if (entry->row >= 0 || !isShown(host, *actor, m_fuzzy))
        return;
    const auto at = std::lower_bound(host.shown.begin(), host.shown.end(), entry.get(),
                                     [](const Entry *a, const Entry *b) { return a->sortKey < b->sortKey; });
    const int row = int(at - host.shown.begin());
    beginInsertRows(index(rowOfHost(&host), 0), row, row);
    host.shown.insert(at, entry.get());
    for (size_t i = size_t(row); i < host.shown.size(); ++i)
        host.shown[i]->row = int(i);
    endInsertRows();
}

void ActorListModel::hideOne(Host &host, const QString &id)
{
    Entry *entry = host.entry(id);
    if (!entry)
        return;
    if (entry->row >= 0) {
        const int row = entry->row;
        beginRemoveRows(index(rowOfHost(&host), 0), row, row);
        host.shown.erase(host.shown.begin() + row);
        entry->row = -1;
        for (size_t i = size_t(row); i < host.shown.size(); ++i)
            host.shown[i]->row = int(i);
        endRemoveRows();
    }
    if (!host.client->store().actor(id))
        host.entries.erase(id);
}

void ActorListModel::tick()
{
    if (m_filter.usesTime())
        refilter();
    for (size_t h = 0; h < m_hosts.size(); ++h) {
        const Host &host = *m_hosts[h];
        const QModelIndex parent = index(int(h), 0);
        if (!isLinked(*host.client)) {
            Q_EMIT dataChanged(index(int(h), StateColumn), index(int(h), StateColumn));
            continue;
        }
        int first = INT_MAX;
        int last = -1;
        for (const Entry *entry : host.shown) {
            const wire::ActorSummary *actor = host.client->store().actor(entry->id);
            if (actor && listHasTimer(actor->status)) {
                first = std::min(first, entry->row);
                last = entry->row;
            }
        }
        if (last >= 0)
            Q_EMIT dataChanged(index(first, StateColumn, parent), index(last, StateColumn, parent));
    }
}

int ActorListModel::totalCount() const
{
    int count = 0;
    for (const auto &host : m_hosts)
        count += int(host->client->store().size());
    return count;
}

int ActorListModel::shownCount() const
{
    int count = 0;
    for (const auto &host : m_hosts)
        count += int(host->shown.size());
    return count;
}

int ActorListModel::hiddenDestroyed() const
{
    if (m_filter.isEmpty())
        return 0;
    int count = 0;
    for (const auto &host : m_hosts) {
        for (const auto &[id, entry] : host->entries) {
            const wire::ActorSummary *actor = entry->row < 0 ? host->client->store().actor(id) : nullptr;
            if (actor && actor->status == wire::ActorStatus::destroyed)
                ++count;
        }
    }
    return count;
}

QString ActorListModel::strongestPart() const
{
    QString strongest;
    int most = 0;
    for (const ActorListFilter::Part &part : m_filter.parts()) {
        int hidden = 0;
        for (const auto &host : m_hosts) {
            for (const wire::ActorSummary &actor : host->client->store().actors())
                hidden += part.filter->matches(actor, host->client->name(), now(*host), false) ? 0 : 1;
        }
        if (hidden > most) {
            most = hidden;
            strongest = part.text;
        }
    }
    return strongest;
}

QModelIndex ActorListModel::hostIndex(int host) const
{
    return index(host, 0);
}

QModelIndex ActorListModel::indexOf(const InspectorClient *client, const QString &actorId) const
{
    const Host *host = hostOf(client);
    const Entry *entry = host ? host->entry(actorId) : nullptr;
    if (!entry || entry->row < 0)
        return {};
    return index(entry->row, 0, index(rowOfHost(host), 0));
}

QModelIndex ActorListModel::firstActor() const
{
    for (size_t h = 0; h < m_hosts.size(); ++h) {
        if (!m_hosts[h]->shown.empty())
            return index(0, 0, index(int(h), 0));
    }
    return {};
}

InspectorClient *ActorListModel::client(const QModelIndex &index) const
{
    if (!index.isValid())
        return nullptr;
    const auto *host = static_cast<const Host *>(index.internalPointer());
    return host ? host->client : m_hosts[size_t(index.row())]->client;
}

QString ActorListModel::actorId(const QModelIndex &index) const
{
    const auto *host = index.isValid() ? static_cast<const Host *>(index.internalPointer()) : nullptr;
    return host && index.row() < int(host->shown.size()) ? host->shown[size_t(index.row())]->id : QString();
}

const wire::ActorSummary *ActorListModel::actor(const QModelIndex &index) const
{
    const QString id = actorId(index);
    return id.isEmpty() ? nullptr : client(index)->store().actor(id);
}

QModelIndex ActorListModel::index(int row, int column, const QModelIndex &parent) const
{
    if (row < 0 || column < 0 || column >= ColumnCount)
        return {};
    if (!parent.isValid())
        return row < int(m_hosts.size()) ? createIndex(row, column, static_cast<const void *>(nullptr)) : QModelIndex();
    if (parent.internalPointer() || parent.row() >= int(m_hosts.size()))
        return {};
    const Host *host = m_hosts[size_t(parent.row())].get();
    return row < int(host->shown.size()) ? createIndex(row, column, static_cast<const void *>(host)) : QModelIndex();
}

QModelIndex ActorListModel::parent(const QModelIndex &child) const
{
    const auto *host = child.isValid() ? static_cast<const Host *>(child.internalPointer()) : nullptr;
    return host ? index(rowOfHost(host), 0) : QModelIndex();
}

int ActorListModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return int(m_hosts.size());
    if (parent.internalPointer() || parent.column() > 0)
        return 0;
    return int(m_hosts[size_t(parent.row())]->shown.size());
}

int ActorListModel::columnCount(const QModelIndex &) const
{
    return ColumnCount;
}

QVariant ActorListModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == RateColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case ActorColumn: return tr("Actor");
    case StateColumn: return tr("State");
    case RateColumn: return tr("Rate");
    default: return {};
    }
}

QVariant ActorListModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const auto *host = static_cast<const Host *>(index.internalPointer());
    if (!host)
        return hostData(*m_hosts[size_t(index.row())], index.column(), role);
    const wire::ActorSummary *summary = actor(index);
    return summary ? actorData(*host, *summary, index.column(), role) : QVariant();
}

QVariant ActorListModel::hostData(const Host &host, int column, int role) const
{
    InspectorClient &client = *host.client;
    const bool lost = client.state() == LinkState::Lost || client.state() == LinkState::Refused;
    switch (role) {
    case RowLookRole: return QVariant::fromValue(RowLook());
    case StatusRole: return linkStateName(client.state());
    case HostRole: return rowOfHost(&host);
    case Qt::ToolTipRole: return format::toolTip(client.address().url.toDisplayString());
    case CellRole:
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole: break;
    default: return {};
    }
    Cell cell;
    switch (column) {
    case ActorColumn: {
        cell.padding = 11;
        const int port = client.address().url.port();
        cell.runs = {Run::withIcon(lost ? QStringLiteral("link-lost") : QStringLiteral("host"),
                                   lost ? ColorRole::Bad : ColorRole::Muted, 14),
                     Run(client.name(), ColorRole::Text, FontRole::Strong).after(7)};
        if (port > 0)
            cell.runs.append(Run(QStringLiteral(":%1").arg(port), ColorRole::Muted).after(6));
        break;
    }
    case StateColumn: {
        QString text;
        switch (client.state()) {
        case LinkState::Connecting: text = tr("Connecting"); break;
        case LinkState::Live: text = tr("Live"); break;
        case LinkState::Behind: text = tr("Behind"); break;
        case LinkState::Resyncing: text = tr("Resyncing"); break;
        case LinkState::Refused: text = tr("Refused"); break;
        case LinkState::Closed: text = tr("Closed"); break;
        case LinkState::Lost:
            text =
                client.dataAsOf()
                    ? tr("Lost %1 ago").arg(format::age(std::max<qint64>(1000, m_clock.wallMs() - client.dataAsOf())))
                    : tr("No answer");
            break;
        }
        cell.runs = {Run(text, lost ? ColorRole::Text : ColorRole::Muted)};
        break;
    }
    case RateColumn: {
        cell = Cell::number(isLinked(client) ? format::rate(host.rate) : QString());
        cell.padding = 9;
        break;
    }
    default: break;
    }
    if (role == CellRole)
        return QVariant::fromValue(cell);
    return cell.plainText();
}

QVariant ActorListModel::actorData(const Host &host, const wire::ActorSummary &actor, int column, int role) const
{
    const bool current = isLinked(*host.client);
    switch (role) {
    case RowLookRole: {
        RowLook look;
        look.dimmed = !current;
        return QVariant::fromValue(look);
    }
    case ActorIdRole: return actor.id;
    case StatusRole: return wire::statusName(actor.status);
    case HostRole: return rowOfHost(&host);
    case SortRole: return format::actorName(actor);
    case Qt::ToolTipRole:
        if (column == StateColumn)
            return format::toolTip(format::statusWithTimer(actor, now(host)));
        return format::toolTip(format::actorName(actor));
    case Qt::AccessibleTextRole:
        if (column == StateColumn && !current)
            return tr("%1, as of %2").arg(format::statusLabel(actor.status), format::time(host.client->dataAsOf()));
        break;
    case CellRole:
    case Qt::DisplayRole: break;
    default: return {};
    }
    Cell cell;
    switch (column) {
    case ActorColumn:
        cell.padding = 10;
        cell.paddingRight = 3;
        cell.elide = Qt::ElideMiddle;
        cell.runs = {
            Run::withIcon(format::statusIcon(actor.status), familyColor(format::statusFamily(actor.status)), 14),
            Run(actor.type + QLatin1Char('/'), ColorRole::Muted).after(7), Run(actor.key.display())};
        break;
    case StateColumn: {
        const bool trouble = actor.status == wire::ActorStatus::crashed || actor.status == wire::ActorStatus::backoff;
        cell.runs = {
            Run(format::statusInList(actor, now(host), current), trouble ? ColorRole::Text : ColorRole::Muted)};
        break;
    }
    case RateColumn:
        cell = Cell::number(current ? format::rate(actor.rate) : QString());
        cell.padding = 9;
        break;
    default: break;
    }
    if (role == CellRole)
        return QVariant::fromValue(cell);
    return cell.plainText();
}

} // namespace terrarium::ui
