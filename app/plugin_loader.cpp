#include "plugin_loader.h"

#include <QFile>
#include <QFileInfo>
#include <QLibrary>

namespace terrarium::app {

namespace {

constexpr qint64 largestPlugin = 1LL << 30;

QMap<QString, QString> pluginFields(QByteArrayView text)
{
    QMap<QString, QString> fields;
    const QStringList parts = QString::fromLatin1(text).split(u'|', Qt::SkipEmptyParts);
    for (const QString &part : parts) {
        const qsizetype equals = part.indexOf(u'=');
        if (equals > 0)
            fields.insert(part.left(equals), part.mid(equals + 1));
    }
    return fields;
}

} // namespace

std::optional<QMap<QString, QString>> readPluginInfo(const QString &fileName)
{
    QFile file(fileName);
    if (!file.open(QIODevice::ReadOnly) || file.size() > largestPlugin)
        return std::nullopt;
    const QByteArray bytes = file.readAll();
    // The program holds the text too, for comparison; only a plugin has it between the two marks.
    static const QByteArray mark = QByteArrayLiteral("\x02") + "terrarium-plugin/1|";
    const qsizetype begin = bytes.indexOf(mark);
    if (begin < 0)
        return std::nullopt;
    const qsizetype end = bytes.indexOf('\x03', begin);
    if (end < 0 || end - begin > 512)
        return std::nullopt;
    return pluginFields(QByteArrayView(bytes).sliced(begin + mark.size(), end - begin - mark.size()));
}

void loadPlugin(const QString &fileName, PluginTypes &types)
{
    const QFileInfo file(fileName);
    if (!file.exists())
        throw Error(QStringLiteral("plugin"), QStringLiteral("not_found"),
                    QStringLiteral("there is no file \"%1\"").arg(fileName));
    const auto info = readPluginInfo(file.absoluteFilePath());
    if (!info) {
        throw Error(QStringLiteral("plugin"), QStringLiteral("not_a_plugin"),
                    QStringLiteral("\"%1\" is no Terrarium plugin (it has no TERRARIUM_PLUGIN)").arg(fileName));
    }
    const QMap<QString, QString> ours = pluginFields(TERRARIUM_PLUGIN_INFO);
    for (const QString &what : {QStringLiteral("terrarium"), QStringLiteral("compiler"), QStringLiteral("qt")}) {
        if (info->value(what) != ours.value(what)) {
            const QString label = what == u"qt"          ? QStringLiteral("Qt")
                                  : what == u"terrarium" ? QStringLiteral("Terrarium")
                                                         : what;
            throw Error(QStringLiteral("plugin"), QStringLiteral("mismatch"),
                        QStringLiteral("\"%1\" was built for %2 %3, this program for %4: build it again with the same")
                            .arg(fileName, label, info->value(what), ours.value(what)),
                        Value::map({{QStringLiteral("what"), what},
                                    {QStringLiteral("plugin"), info->value(what)},
                                    {QStringLiteral("host"), ours.value(what)}}));
        }
    }
    QLibrary library(file.absoluteFilePath());
    library.setLoadHints(QLibrary::ResolveAllSymbolsHint | QLibrary::PreventUnloadHint);
    if (!library.load()) {
        throw Error(QStringLiteral("plugin"), QStringLiteral("load_failed"),
                    QStringLiteral("could not load \"%1\": %2").arg(fileName, library.errorString()));
    }
    using Register = void (*)(PluginTypes &);
    const auto registerTypes = reinterpret_cast<Register>(library.resolve("terrarium_plugin_register"));
    if (!registerTypes) {
        throw Error(QStringLiteral("plugin"), QStringLiteral("not_a_plugin"),
                    QStringLiteral("\"%1\" exports no terrarium_plugin_register").arg(fileName));
    }
    registerTypes(types);
}

} // namespace terrarium::app
