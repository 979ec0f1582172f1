#include "models/delta_text.h"

#include "models/value_text.h"

#include <QCoreApplication>

namespace terrarium::ui {

namespace {

constexpr int mostValueChars = 60;

QString deltaTr(const char *text, int n = -1)
{
    return QCoreApplication::translate("DeltaText", text, nullptr, n);
}

/// Several values of one parent as the parent would show them: {98, 60}
QString together(const Delta &delta, bool old)
{
    QString out = QStringLiteral("{");
    for (const DeltaOp &op : delta) {
        if (out.size() > 1)
            out += QLatin1String(", ");
        out += value_text::oneLine(old ? op.old : op.value, 24);
    }
    return out + QLatin1Char('}');
}

/// {98, 60} for a small map of plain values, when `other` has the same keys; else nothing.
QString valuesOnly(const Value &map, const Value &other)
{
    if (!map.isMap() || !other.isMap() || map.size() != other.size() || map.size() == 0 || map.size() > 4)
        return {};
    QString out = QStringLiteral("{");
    for (const auto &[key, item] : map.entries()) {
        if (!other.contains(key) || item.isMap() || item.isArray())
            return {};
        if (out.size() > 1)
            out += QLatin1String(", ");
        out += value_text::oneLine(item, 24);
    }
    return out + QLatin1Char('}');
}

/// Items of a list taken away one after the other at one index were neighbours: messages[0..11].
QString removedRun(const Delta &delta)
{
    const Path &first = delta.first().path;
    if (first.isRoot() || !std::holds_alternative<qsizetype>(first.steps().constLast()))
        return {};
    for (const DeltaOp &op : delta)
        if (op.kind != DeltaOp::Kind::Remove || op.path != first)
            return {};
    const qsizetype at = std::get<qsizetype>(first.steps().constLast());
    const QString parent = first.parent().isRoot() ? QString() : first.parent().toText();
    return QStringLiteral("%1[%2..%3]").arg(parent).arg(at).arg(at + delta.size() - 1);
}

} // namespace

DeltaText DeltaText::of(const Delta &delta)
{
    DeltaText out;
    int sets = 0, adds = 0, removes = 0;
    bool sameParent = true;
    for (const DeltaOp &op : delta) {
        if (op.kind == DeltaOp::Kind::Remove)
            ++removes;
        else if (op.isAdd())
            ++adds;
        else
            ++sets;
        sameParent = sameParent && !op.path.isRoot() && op.path.parent() == delta.first().path.parent();
    }
    if (delta.isEmpty()) {
        out.words = deltaTr("no change");
        return out;
    }
    if (sets == delta.size() && sets > 1 && sets <= 4 && sameParent) {
        // Below the root the leaves say more than "$".
        out.paths = delta.first().path.size() > 1 ? delta.first().path.parent().toText()
                                                  : delta::summarizePaths(delta, 4).join(QLatin1String(", "));
        out.from = together(delta, true);
        out.to = together(delta, false);
        return out;
    }
    out.paths = delta.size() > 1 ? removedRun(delta) : QString();
    if (out.paths.isEmpty())
        out.paths = delta::summarizePaths(delta, 2).join(QLatin1String(", "));
    if (delta.size() == 1 && sets == 1) {
        out.from = valuesOnly(delta.first().old, delta.first().value);
        out.to = valuesOnly(delta.first().value, delta.first().old);
        if (out.from.isEmpty() || out.to.isEmpty()) {
            out.from = value_text::oneLine(delta.first().old, mostValueChars);
            out.to = value_text::oneLine(delta.first().value, mostValueChars);
        }
        return out;
    }
    if (delta.size() == 1) {
        out.words = adds ? deltaTr("added") : deltaTr("removed");
        return out;
    }
    QStringList words;
    if (sets)
        words.append(deltaTr("%n changed", sets));
    if (adds)
        words.append(deltaTr("%n added", adds));
    if (removes)
        words.append(deltaTr("%n removed", removes));
    out.words = words.join(QLatin1String(", "));
    return out;
}

QString DeltaText::change() const
{
    return to.isEmpty() ? words : QStringLiteral("%1 \u2192 %2").arg(from, to);
}

QString readableDiff(const Delta &delta)
{
    QString out;
    for (const DeltaOp &op : delta) {
        const QString path = op.path.toText();
        if (op.kind == DeltaOp::Kind::Remove)
            out += QStringLiteral("- %1: %2\n").arg(path, value_text::oneLine(op.old, 2000));
        else if (op.isAdd())
            out += QStringLiteral("+ %1: %2\n").arg(path, value_text::oneLine(op.value, 2000));
        else
            out += QStringLiteral("~ %1: %2 -> %3\n")
                       .arg(path, value_text::oneLine(op.old, 2000), value_text::oneLine(op.value, 2000));
    }
    return out;
}

bool touches(const Delta &delta, const Path &path)
{
    for (const DeltaOp &op : delta) {
        if (op.path.startsWith(path) || path.startsWith(op.path))
            return true;
        // Items of a list move when one before them comes or goes.
        if (op.kind != DeltaOp::Kind::Set && path.size() >= op.path.size() && !op.path.isRoot()
            && path.startsWith(op.path.parent())) {
            const auto *moved = std::get_if<qsizetype>(&op.path.steps().constLast());
            const auto *here = std::get_if<qsizetype>(&path.steps().at(op.path.size() - 1));
            if (moved && here && *moved <= *here)
                return true;
        }
    }
    return false;
}

} // namespace terrarium::ui
