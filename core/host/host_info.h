#pragma once
// The registry file by which windows and commands find a running host, and the token they need.
//
// One JSON file per host in $XDG_RUNTIME_DIR/terrarium, else $TMPDIR/terrarium-<uid>: {pid, port, address, name,
// startedAt, version, bootId, dataDir, tokenFile, actors}. The folder and both files are the owner's alone. They go
// when the host stops; a file left by a host that was killed is ignored by readers, who look at its pid.

#include "async/random.h"

#include <QString>
#include <QUrl>

namespace terrarium {

class HostInfo final {
public:
    struct Facts {
        QUrl url; ///< where the doors listen
        QString name;
        qint64 startedAt = 0; ///< wall ms
        QString bootId;
        QString dataDir; ///< absolute
        QString token;   ///< empty: none is needed
        qsizetype actors = 0;
    };

    /// `folder` empty: the usual one.
    explicit HostInfo(QString folder = {});
    HostInfo(const HostInfo &) = delete;
    HostInfo &operator=(const HostInfo &) = delete;
    /// Removes the files.
    ~HostInfo();

    /// Throws `host/registry_unavailable` {folder} when the folder or a file cannot be written, or is another user's.
    void write(const Facts &facts);
    void setActors(qsizetype actors);
    void remove();
    bool isWritten() const noexcept { return !m_file.isEmpty(); }
    QString file() const { return m_file; }
    QString tokenFile() const { return m_tokenFile; }

    static QString usualFolder();
    /// 32 characters, not to be guessed.
    static QString makeToken(Random &random);

private:
    void save();

    QString m_folder;
    QString m_file;
    QString m_tokenFile;
    Facts m_facts;
};

} // namespace terrarium
