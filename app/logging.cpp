#include "logging.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <QString>
#include <QtGlobal>

#include <string>

namespace terrarium::app {

namespace {

void qtMessage(QtMsgType type, const QMessageLogContext &, const QString &text)
{
    const std::string line = text.toStdString();
    switch (type) {
    case QtDebugMsg: spdlog::debug("qt: {}", line); break;
    case QtInfoMsg: spdlog::info("qt: {}", line); break;
    case QtWarningMsg: spdlog::warn("qt: {}", line); break;
    case QtCriticalMsg: spdlog::error("qt: {}", line); break;
    case QtFatalMsg:
        spdlog::critical("qt: {}", line);
        spdlog::shutdown();
        std::abort();
    }
}

} // namespace

void setUpLogging()
{
    spdlog::set_default_logger(spdlog::stderr_color_mt("terrarium"));
    spdlog::set_pattern("%Y-%m-%dT%H:%M:%S.%e %^%l%$ %v");
    const QString level = qEnvironmentVariable("TERRARIUM_LOG");
    spdlog::set_level(level.isEmpty() ? spdlog::level::warn : spdlog::level::from_str(level.toStdString()));
    qInstallMessageHandler(qtMessage);
}

} // namespace terrarium::app
