#include <terrarium/error.h>

namespace terrarium {

Error::Error(QString group, QString code, QString message, Value metadata)
    : m_group(std::move(group)),
      m_code(std::move(code)),
      m_message(std::move(message)),
      m_metadata(std::move(metadata)),
      m_what(text().toUtf8())
{}

Error Error::fromException(const std::exception_ptr &exception) noexcept
{
    if (!exception)
        return internal(QStringLiteral("no exception"));
    try {
        std::rethrow_exception(exception);
    } catch (const Error &error) {
        return error;
    } catch (const std::exception &error) {
        return internal(QString::fromUtf8(error.what()));
    } catch (...) {
        return internal(QStringLiteral("an exception that is no std::exception"));
    }
}

Error Error::internal(const QString &text)
{
    Value metadata = Value::map();
    metadata.set(QStringLiteral("error"), text);
    return Error(QStringLiteral("core"), QStringLiteral("internal_error"), QStringLiteral("an internal error occurred"),
                 std::move(metadata));
}

Error Error::withActor(ActorIdentity actor) const
{
    Error copy(*this);
    if (!copy.m_actor)
        copy.m_actor = std::move(actor);
    return copy;
}

QString Error::text() const
{
    return m_group + u'/' + m_code + QLatin1String(": ") + m_message;
}

} // namespace terrarium
