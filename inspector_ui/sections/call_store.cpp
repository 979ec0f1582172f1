#include "sections/call_store.h"

#include "value/json.h"

#include <QSettings>

namespace terrarium::ui::call_store {

namespace {

constexpr int mostRemembered = 20;
constexpr qsizetype longestRemembered = 4000;

QString storeKey(const QString &type, const QString &action)
{
    // Names may hold anything; a settings key may not.
    const QString name = type + QLatin1Char('\n') + action;
    return QLatin1String("calls/") + QString::fromLatin1(name.toUtf8().toHex());
}

bool looksSecret(const wire::ActionInfo &action)
{
    for (const wire::ParameterInfo &parameter : action.parameters)
        for (const char *word : {"password", "passwd", "secret", "token", "apikey", "credential"})
            if (parameter.name.contains(QLatin1String(word), Qt::CaseInsensitive))
                return true;
    return false;
}

} // namespace

QStringList recall(const QString &type, const QString &action)
{
    return QSettings().value(storeKey(type, action)).toStringList();
}

void remember(const QString &type, const wire::ActionInfo &action, const Value &args)
{
    if (looksSecret(action) || args.size() == 0)
        return;
    const QString text = QString::fromUtf8(json::write(args));
    if (text.size() > longestRemembered)
        return;
    QSettings settings;
    QStringList list = settings.value(storeKey(type, action.name)).toStringList();
    list.removeAll(text);
    list.prepend(text);
    settings.setValue(storeKey(type, action.name), QStringList(list.mid(0, mostRemembered)));
}

void forget(const QString &type, const QString &action)
{
    QSettings().remove(storeKey(type, action));
}

} // namespace terrarium::ui::call_store
