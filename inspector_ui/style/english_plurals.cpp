#include "style/english_plurals.h"

#include <QCoreApplication>

#include <cstring>

namespace terrarium::ui {

void EnglishPlurals::ensure()
{
    static const QString name = QStringLiteral("terrariumEnglishPlurals");
    if (qApp->findChild<EnglishPlurals *>(name, Qt::FindDirectChildrenOnly))
        return;
    auto *plurals = new EnglishPlurals(qApp);
    plurals->setObjectName(name);
    QCoreApplication::installTranslator(plurals);
}

QString EnglishPlurals::translate(const char *, const char *sourceText, const char *, int n) const
{
    if (n < 0 || !sourceText || !std::strstr(sourceText, "(s)"))
        return {};
    return QString::fromUtf8(sourceText).replace(QLatin1String("(s)"), n == 1 ? QString() : QStringLiteral("s"));
}

} // namespace terrarium::ui
