#include "storage/sql.h"

#include "storage/sqlite_handle.h"

#include <QSqlDatabase>
#include <QSqlDriver>
#include <QSqlError>
#include <QSqlQuery>
#include <QUrl>
#include <QUrlQuery>

#include <unordered_map>

namespace terrarium {
namespace {

Error sqlErrorOf(const QSqlError &error, const QString &doing)
{
    const QString text = error.databaseText().isEmpty() ? error.driverText() : error.databaseText();
    return storageError(error.nativeErrorCode().toInt(), text, doing);
}

} // namespace

Error storageError(int sqliteCode, const QString &text, const QString &doing)
{
    QString code;
    switch (sqliteCode & 0xff) {
    case 5: // BUSY
    case 6: // LOCKED
        code = QStringLiteral("busy");
        break;
    case 8: code = QStringLiteral("read_only"); break;
    case 10: code = QStringLiteral("io_error"); break;
    case 11: // CORRUPT
    case 26: // NOTADB
        code = QStringLiteral("corrupt");
        break;
    case 13: code = QStringLiteral("disk_full"); break;
    case 14: code = QStringLiteral("unavailable"); break;
    case 19: code = QStringLiteral("constraint"); break;
    default: code = QStringLiteral("failed");
    }
    Value metadata = Value::map();
    metadata.set(QStringLiteral("sqlite"), sqliteCode);
    metadata.set(QStringLiteral("text"), text);
    return Error(QStringLiteral("storage"), code, QStringLiteral("%1: %2").arg(doing, text), metadata);
}

// ---- Statement -------------------------------------------------------------------------------------

struct SqlConnection::Private {
    QString name;
    QString file;
    QSqlDatabase database;
    std::unordered_map<const char *, std::unique_ptr<SqlStatement>> statements;
};

SqlStatement::SqlStatement(SqlConnection &connection, const char *sql)
    : m_query(std::make_unique<QSqlQuery>(connection.d->database)),
      m_sql(sql)
{
    m_query->setForwardOnly(true);
    if (!m_query->prepare(QString::fromUtf8(sql)))
        throw sqlErrorOf(m_query->lastError(), QStringLiteral("cannot prepare \"%1\"").arg(QString::fromUtf8(sql)));
}

SqlStatement::~SqlStatement() = default;

void SqlStatement::execute(const QVariantList &values)
{
    for (qsizetype i = 0; i < values.size(); ++i)
        m_query->bindValue(int(i), values.at(i));
    if (!m_query->exec()) {
        const Error error =
            sqlErrorOf(m_query->lastError(), QStringLiteral("cannot run \"%1\"").arg(QString::fromUtf8(m_sql)));
        m_query->finish();
        throw error;
    }
}

int SqlStatement::run(const QVariantList &values)
{
    execute(values);
    return m_query->numRowsAffected();
}

SqlStatement::Rows SqlStatement::query(const QVariantList &values)
{
    execute(values);
    return Rows(m_query.get());
}

SqlStatement::Rows::~Rows()
{
    // An unfinished reading would pin the write-ahead log.
    if (m_query != nullptr)
        m_query->finish();
}

bool SqlStatement::Rows::next()
{
    if (m_query->next())
        return true;
    if (m_query->lastError().isValid())
        throw sqlErrorOf(m_query->lastError(), QStringLiteral("cannot read rows"));
    return false;
}

bool SqlStatement::Rows::isNull(int column) const
{
    return m_query->isNull(column);
}

qint64 SqlStatement::Rows::integer(int column) const
{
    return m_query->value(column).toLongLong();
}

QString SqlStatement::Rows::text(int column) const
{
    return m_query->value(column).toString();
}

QByteArray SqlStatement::Rows::bytes(int column) const
{
    return m_query->value(column).toByteArray();
}

// ---- Connection ------------------------------------------------------------------------------------

SqlConnection::SqlConnection(const QString &file, const Options &options) : d(std::make_unique<Private>())
{
    d->file = file;
    d->name = QStringLiteral("terrarium-%1").arg(quintptr(this), 0, 16);
    d->database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), d->name);
    QString connect = QStringLiteral("QSQLITE_BUSY_TIMEOUT=%1").arg(options.busyTimeoutMs);
    if (options.access == Access::ReadOnly)
        connect += QStringLiteral(";QSQLITE_OPEN_READONLY");
    if (!options.vfs.isEmpty() && file != QLatin1String(":memory:")) {
        QUrl url = QUrl::fromLocalFile(file);
        QUrlQuery query;
        query.addQueryItem(QStringLiteral("vfs"), options.vfs);
        url.setQuery(query);
        connect += QStringLiteral(";QSQLITE_OPEN_URI");
        d->database.setDatabaseName(QString::fromLatin1(url.toEncoded()));
    } else {
        d->database.setDatabaseName(file);
    }
    d->database.setConnectOptions(connect);
    if (!d->database.open()) {
        const Error error = sqlErrorOf(d->database.lastError(), QStringLiteral("cannot open \"%1\"").arg(file));
        d->database = QSqlDatabase();
        QSqlDatabase::removeDatabase(d->name);
        throw error;
    }
}

SqlConnection::~SqlConnection()
{
    d->statements.clear();
    d->database.close();
    d->database = QSqlDatabase();
    QSqlDatabase::removeDatabase(d->name);
}

SqlStatement &SqlConnection::statement(const char *sql)
{
    std::unique_ptr<SqlStatement> &kept = d->statements[sql];
    if (!kept) {
        try {
            kept.reset(new SqlStatement(*this, sql));
        } catch (...) {
            d->statements.erase(sql);
            throw;
        }
    }
    return *kept;
}

void SqlConnection::execute(const QString &sql)
{
    QSqlQuery query(d->database);
    query.setForwardOnly(true);
    if (!query.exec(sql))
        throw sqlErrorOf(query.lastError(), QStringLiteral("cannot run \"%1\"").arg(sql));
}

qint64 SqlConnection::integer(const QString &sql)
{
    return text(sql).toLongLong();
}

QString SqlConnection::text(const QString &sql)
{
    QSqlQuery query(d->database);
    query.setForwardOnly(true);
    if (!query.exec(sql) || !query.next())
        throw sqlErrorOf(query.lastError(), QStringLiteral("cannot run \"%1\"").arg(sql));
    return query.value(0).toString();
}

const QString &SqlConnection::file() const noexcept
{
    return d->file;
}

void *SqlConnection::handle() const
{
    const QVariant handle = d->database.driver()->handle();
    return *static_cast<void *const *>(handle.constData());
}

// ---- Transaction -----------------------------------------------------------------------------------

namespace {
constexpr const char *sqlBegin = "BEGIN IMMEDIATE";
constexpr const char *sqlCommit = "COMMIT";
constexpr const char *sqlRollback = "ROLLBACK";
} // namespace

SqlTransaction::SqlTransaction(SqlConnection &connection) : m_connection(connection)
{
    m_connection.statement(sqlBegin).run();
}

SqlTransaction::~SqlTransaction()
{
    if (!m_open)
        return;
    try {
        // A full disk or a failed write has ended it already.
        if (!SqliteHandle(m_connection).isAutocommit())
            m_connection.statement(sqlRollback).run();
    } catch (const Error &) {
        // The connection is beyond help; what comes next says so.
    }
}

void SqlTransaction::commit()
{
    m_connection.statement(sqlCommit).run();
    m_open = false;
}

} // namespace terrarium
