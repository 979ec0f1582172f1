#pragma once
// Work that is counted while it lives, besides actions: it keeps an actor awake, holds its grace, or both.
//
//   kind               keeps awake   holds grace
//   keepAwake          yes           yes
//   internalKeepAwake  yes           yes
//   waitUntil          no            yes
//   socketCallback     yes           yes
//   disconnectCallback yes           yes
//   httpRequest        yes           yes
//
// Each region remembers since when, by whom and what for. Without any, no memory.

#include <QString>

#include <array>
#include <memory>
#include <vector>

namespace terrarium {

enum class WorkKind : quint8 {
    KeepAwake,
    InternalKeepAwake,
    WaitUntil,
    SocketCallback,
    DisconnectCallback,
    HttpRequest
};

/// "keepAwake", "internalKeepAwake", ...
QString workKindName(WorkKind kind);

class WorkTracker final {
public:
    struct Region {
        quint64 id;
        WorkKind kind;
        QString label;
        QString origin;
        qint64 since; ///< wall ms
    };

    /// Returns the id to end it with; ids count up from 1.
    quint64 begin(WorkKind kind, QString label, QString origin, qint64 wallMs);
    /// False when it is not there (any more).
    bool end(quint64 id);
    /// Everything is forgotten; later ends find nothing.
    void clear();

    int count(WorkKind kind) const noexcept { return m_counts[std::size_t(kind)]; }
    int total() const noexcept { return m_regions ? int(m_regions->size()) : 0; }
    const std::vector<Region> &regions() const noexcept;

private:
    std::array<int, 6> m_counts{};
    quint64 m_lastId = 0;
    std::unique_ptr<std::vector<Region>> m_regions; // oldest first
};

} // namespace terrarium
