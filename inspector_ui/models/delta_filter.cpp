#include "models/delta_filter.h"

#include "models/delta_text.h"
#include "value/cbor.h"

#include <QCoreApplication>

namespace terrarium::ui {

namespace {

/// "1.5K" as bytes, or -1.
qint64 bytesFromText(QString text)
{
    qint64 unit = 1;
    text = text.trimmed().toUpper();
    if (text.endsWith(QLatin1Char('B')))
        text.chop(1);
    if (text.endsWith(QLatin1Char('K')))
        unit = 1024;
    else if (text.endsWith(QLatin1Char('M')))
        unit = 1024 * 1024;
    if (unit > 1)
        text.chop(1);
    bool ok = false;
    const double number = text.trimmed().toDouble(&ok);
    return ok && number >= 0 ? qint64(number * double(unit)) : -1;
}

} // namespace

qint64 deltaBytes(const wire::DeltaRecord &delta)
{
    qint64 bytes = 0;
    for (const DeltaOp &op : delta.ops)
        bytes += cbor::encodedSize(op.path.toValue())
                 + (op.kind == DeltaOp::Kind::Remove ? 0 : cbor::encodedSize(op.value)) + 2;
    return bytes;
}

DeltaFilter::DeltaFilter(const QString &text)
{
    QStringList parts;
    QString part;
    bool quoted = false;
    for (const QChar c : text) {
        if (c == QLatin1Char('"')) {
            quoted = !quoted;
        } else if (c.isSpace() && !quoted) {
            if (!part.isEmpty())
                parts.append(part);
            part.clear();
        } else {
            part += c;
        }
    }
    if (!part.isEmpty())
        parts.append(part);
    for (QString word : parts) {
        Term term;
        if (word.size() > 1 && word.startsWith(QLatin1Char('-'))) {
            term.negated = true;
            word.remove(0, 1);
        }
        const auto takes = [&word](QLatin1String name) {
            if (!word.startsWith(name, Qt::CaseInsensitive))
                return false;
            word.remove(0, name.size());
            return true;
        };
        if (takes(QLatin1String("path:"))) {
            term.kind = Term::PathIs;
        } else if (takes(QLatin1String("cause:"))) {
            term.kind = Term::CauseIs;
        } else if (takes(QLatin1String("op:"))) {
            term.kind = Term::OpIs;
        } else if (takes(QLatin1String("bytes:"))) {
            term.kind = Term::Bytes;
            QString number = word;
            if (number.startsWith(QLatin1String(">=")) || number.startsWith(QLatin1String("<="))) {
                term.compare = number.at(0) == QLatin1Char('>') ? QChar(0x2265) : QChar(0x2264);
                number.remove(0, 2);
            } else if (number.startsWith(QLatin1Char('>')) || number.startsWith(QLatin1Char('<'))) {
                term.compare = number.at(0);
                number.remove(0, 1);
            }
            term.bytes = bytesFromText(number);
            if (term.bytes < 0) {
                m_problem = QCoreApplication::translate("DeltaFilter", "bytes: needs a number, for example bytes:>1K");
                continue;
            }
        }
        if (word.isEmpty())
            continue;
        term.text = word;
        m_terms.append(term);
    }
}

bool DeltaFilter::matches(const FeedDelta &delta) const
{
    for (const Term &term : m_terms)
        if (holds(term, delta) == term.negated)
            return false;
    return true;
}

bool DeltaFilter::holds(const Term &term, const FeedDelta &delta)
{
    const auto inCause = [&] {
        for (const Cause &cause : delta.delta.causes) {
            const QString whole = cause.kind + QLatin1Char(' ') + cause.name + QLatin1Char(' ') + cause.id;
            if (whole.contains(term.text, Qt::CaseInsensitive))
                return true;
        }
        return false;
    };
    const auto inPath = [&] {
        for (const DeltaOp &op : delta.delta.ops)
            if (op.path.toText().contains(term.text, Qt::CaseInsensitive))
                return true;
        return false;
    };
    switch (term.kind) {
    case Term::Word:
        if (inCause() || inPath())
            return true;
        if (QStringView(term.text).startsWith(QLatin1Char('#')))
            return QString::number(delta.delta.sequence) == QStringView(term.text).mid(1);
        return DeltaText::of(delta.delta.ops).change().contains(term.text, Qt::CaseInsensitive);
    case Term::PathIs: return inPath();
    case Term::CauseIs: return inCause();
    case Term::OpIs:
        for (const DeltaOp &op : delta.delta.ops) {
            const QLatin1String name(op.kind == DeltaOp::Kind::Remove ? "remove" : op.isAdd() ? "add" : "set");
            if (name.startsWith(term.text, Qt::CaseInsensitive))
                return true;
        }
        return false;
    case Term::Bytes: {
        const qint64 bytes = deltaBytes(delta.delta);
        switch (term.compare.unicode()) {
        case '>': return bytes > term.bytes;
        case '<': return bytes < term.bytes;
        case 0x2265: return bytes >= term.bytes;
        case 0x2264: return bytes <= term.bytes;
        default: return bytes == term.bytes;
        }
    }
    }
    return false;
}

} // namespace terrarium::ui
