#pragma once
// Thin ownership over QtSql: a connection, and statements that are prepared once and read forward only.
//
// Every failure is thrown as an Error of group "storage" with metadata {sqlite: result code, text}. Placeholders are
// plain `?` only: QtSql binds by order of appearance, whatever numbers say. A connection belongs to the thread that
// made it.

#include <terrarium/error.h>

#include <QByteArray>
#include <QString>
#include <QVariant>

#include <initializer_list>
#include <memory>

class QSqlError;
class QSqlQuery;

namespace terrarium {

class SqlStatement final {
public:
    ~SqlStatement();

    /// Runs a statement that gives no rows. Returns how many rows it changed.
    int run(const QVariantList &values = {});

    /// The rows of a statement, one after another; ends the statement when it goes.
    class Rows final {
    public:
        Rows(Rows &&other) noexcept : m_query(std::exchange(other.m_query, nullptr)) {}
        Rows(const Rows &) = delete;
        Rows &operator=(const Rows &) = delete;
        ~Rows();

        bool next();
        bool isNull(int column) const;
        qint64 integer(int column) const;
        QString text(int column) const;
        QByteArray bytes(int column) const;

    private:
        friend class SqlStatement;
        explicit Rows(QSqlQuery *query) : m_query(query) {}
        QSqlQuery *m_query;
    };
    /// One reading at a time.
    [[nodiscard]] Rows query(const QVariantList &values = {});

private:
    friend class SqlConnection;
    SqlStatement(class SqlConnection &connection, const char *sql);
    void execute(const QVariantList &values);

    std::unique_ptr<QSqlQuery> m_query;
    const char *m_sql;
};

class SqlConnection final {
public:
    enum class Access { ReadWrite, ReadOnly };
    struct Options {
        Access access = Access::ReadWrite;
        QString vfs;           ///< empty: the default one
        int busyTimeoutMs = 0; ///< how long a locked file may block this thread
    };

    /// Opens `file` (":memory:" for a private database in memory). Throws `storage/unavailable`, `storage/...`.
    SqlConnection(const QString &file, const Options &options);
    SqlConnection(const SqlConnection &) = delete;
    SqlConnection &operator=(const SqlConnection &) = delete;
    ~SqlConnection();

    /// The prepared statement of a text, made on first use. `sql` is a constant: its address is the name.
    SqlStatement &statement(const char *sql);
    /// Runs one statement that is not kept.
    void execute(const QString &sql);
    /// The first column of the first row.
    qint64 integer(const QString &sql);
    QString text(const QString &sql);

    const QString &file() const noexcept;
    /// SQLite's own connection, for sqlite_handle.h.
    void *handle() const;

private:
    friend class SqlStatement;
    struct Private;
    std::unique_ptr<Private> d;
};

/// BEGIN ... COMMIT; rolls back when it goes without having been committed.
class SqlTransaction final {
public:
    explicit SqlTransaction(SqlConnection &connection);
    SqlTransaction(const SqlTransaction &) = delete;
    SqlTransaction &operator=(const SqlTransaction &) = delete;
    ~SqlTransaction();
    void commit();

private:
    SqlConnection &m_connection;
    bool m_open = true;
};

/// The Error of an SQLite result code: `busy`, `disk_full`, `io_error`, `corrupt`, `read_only`, `unavailable`,
/// `constraint`, else `failed`.
Error storageError(int sqliteCode, const QString &text, const QString &doing);

} // namespace terrarium
