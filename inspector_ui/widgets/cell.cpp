#include "widgets/cell.h"

namespace terrarium::ui {

Run Run::withIcon(QString name, ColorRole color, int size)
{
    Run run;
    run.icon = std::move(name);
    run.color = color;
    run.iconSize = size;
    return run;
}

Run Run::space(int px)
{
    Run run;
    run.gap = px;
    return run;
}

Run Run::withLink(QString text, QString link, FontRole font)
{
    Run run(std::move(text), ColorRole::Accent, font);
    run.link = std::move(link);
    return run;
}

Cell Cell::number(QString text, ColorRole color)
{
    return Cell(Run(std::move(text), color, FontRole::Data), Qt::AlignRight);
}

QString Cell::plainText() const
{
    QString text;
    for (const Run &run : runs) {
        if (run.text.isEmpty() && run.extra.isEmpty())
            continue;
        if (run.gap > 0 && !text.isEmpty() && !text.endsWith(QLatin1Char(' ')))
            text += QLatin1Char(' ');
        text += run.text;
        if (!run.extra.isEmpty())
            text += QLatin1Char(' ') + run.extra;
    }
    return text;
}

RowLook gapLook(const QString &fact, const QString &detail)
{
    RowLook look;
    look.kind = RowKind::Gap;
    look.tint = ColorRole::WarnTint;
    look.full.runs = {Run::withIcon(QStringLiteral("warning-solid"), ColorRole::Warn),
                      Run(fact, ColorRole::Text, FontRole::Strong).after(6), Run(detail, ColorRole::Muted).after(10)};
    return look;
}

RowLook dividerLook(const QString &icon, const QString &fact, const QString &detail)
{
    RowLook look;
    look.kind = RowKind::Divider;
    look.tint = ColorRole::Panel;
    look.full.runs = {Run::withIcon(icon, ColorRole::Muted), Run(fact, ColorRole::Text, FontRole::Strong).after(6),
                      Run(detail, ColorRole::Muted).after(10)};
    return look;
}

} // namespace terrarium::ui
