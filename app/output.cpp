#include "output.h"

#include "value/json.h"

#include <cstdio>

namespace terrarium::app {

void printLine(const QByteArray &text)
{
    std::fwrite(text.constData(), 1, size_t(text.size()), stdout);
    std::fputc('\n', stdout);
    std::fflush(stdout);
}

void printError(const Error &error, bool json)
{
    QByteArray line;
    if (json) {
        Value record = Value::map({{QStringLiteral("group"), error.group()},
                                   {QStringLiteral("code"), error.code()},
                                   {QStringLiteral("message"), error.message()}});
        if (error.metadata().isMap())
            record.set(QStringLiteral("metadata"), error.metadata());
        line = json::write(record);
    } else {
        line = "terrarium: " + error.text().toUtf8().replace('\n', ' ');
    }
    std::fwrite(line.constData(), 1, size_t(line.size()), stderr);
    std::fputc('\n', stderr);
    std::fflush(stderr);
}

} // namespace terrarium::app
