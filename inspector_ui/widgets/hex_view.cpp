#include "widgets/hex_view.h"

#include "style/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

namespace terrarium::ui {

namespace {
constexpr int hexRowPitch = 20;
constexpr int hexLeft = 12;
constexpr int hexColumn = 10; // characters of the offset and two spaces
constexpr int charColumn = 10 + 16 * 3 + 2;

int hexCell(int byte) // in characters; a wider gap after eight
{
    return hexColumn + byte * 3 + (byte >= 8 ? 1 : 0);
}

QChar printable(char c)
{
    return c >= 0x20 && c < 0x7f ? QChar::fromLatin1(c) : QChar(0x00b7);
}
} // namespace

HexView::HexView(QWidget *parent) : QAbstractScrollArea(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    connect(&theme(), &Theme::changed, this, [this] {
        updateBars();
        viewport()->update();
    });
}

void HexView::setBytes(const QByteArray &bytes)
{
    if (m_bytes == bytes)
        return;
    m_bytes = bytes;
    if (m_selected >= m_bytes.size())
        m_selected = -1;
    updateBars();
    viewport()->update();
}

void HexView::setMark(qint64 offset)
{
    m_mark = offset;
    if (offset >= 0)
        reveal(offset);
    viewport()->update();
}

void HexView::setSelection(qint64 offset, qint64 length)
{
    m_selected = offset;
    m_anchor = offset;
    m_length = length;
    if (offset >= 0)
        reveal(offset);
    viewport()->update();
}

bool HexView::find(const QString &needle, bool backwards)
{
    if (needle.isEmpty())
        return false;
    QByteArray bytes = needle.toUtf8();
    const auto search = [&](const QByteArray &wanted) {
        if (wanted.isEmpty())
            return qsizetype(-1);
        const qsizetype from = backwards ? (m_selected > 0 ? m_selected - 1 : -1) : m_selected + 1;
        qsizetype at = backwards ? m_bytes.lastIndexOf(wanted, from) : m_bytes.indexOf(wanted, from);
        if (at < 0)
            at = backwards ? m_bytes.lastIndexOf(wanted) : m_bytes.indexOf(wanted);
        return at;
    };
    qsizetype at = search(bytes);
    if (at < 0) {
        QByteArray digits = bytes;
        digits.replace(' ', "");
        const bool hex = !digits.isEmpty() && digits.size() % 2 == 0
                         && std::all_of(digits.begin(), digits.end(),
                                        [](char c) { return std::isxdigit(static_cast<unsigned char>(c)); });
        if (!hex)
            return false;
        bytes = QByteArray::fromHex(digits);
        at = search(bytes);
    }
    if (at < 0)
        return false;
    setSelection(at, bytes.size());
    return true;
}

QString HexView::row(int index) const
{
    const QByteArray part = m_bytes.mid(index * 16, 16);
    QString out = QStringLiteral("%1  ").arg(index * 16, 8, 16, QLatin1Char('0'));
    for (int i = 0; i < 16; ++i) {
        out += i < part.size() ? QStringLiteral("%1 ").arg(uchar(part.at(i)), 2, 16, QLatin1Char('0'))
                               : QStringLiteral("   ");
        if (i == 7)
            out += QLatin1Char(' ');
    }
    out += QLatin1Char(' ');
    for (const char c : part)
        out += printable(c);
    return out;
}

void HexView::copy() const
{
    if (m_selected >= 0)
        QApplication::clipboard()->setText(QString::fromLatin1(m_bytes.mid(m_selected, m_length).toHex(' ')));
}

int HexView::rowHeight() const
{
    return qMax(hexRowPitch, QFontMetrics(theme().font(FontRole::Data)).height() + 4);
}

void HexView::updateBars()
{
    const int page = qMax(1, viewport()->height() / rowHeight());
    verticalScrollBar()->setRange(0, qMax(0, rowCount() - page));
    verticalScrollBar()->setPageStep(page);
}

void HexView::resizeEvent(QResizeEvent *)
{
    updateBars();
}

void HexView::reveal(qint64 offset)
{
    const int row = int(offset / 16);
    const int page = qMax(1, viewport()->height() / rowHeight());
    if (row < verticalScrollBar()->value() || row >= verticalScrollBar()->value() + page)
        verticalScrollBar()->setValue(qMax(0, row - page / 3));
}

void HexView::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    const Theme &th = theme();
    painter.fillRect(event->rect(), th.color(ColorRole::Base));
    painter.setFont(th.font(FontRole::Data));
    const int h = rowHeight();
    const int cw = QFontMetrics(th.font(FontRole::Data)).horizontalAdvance(QLatin1Char('0'));
    const int first = verticalScrollBar()->value();
    const int last = qMin(rowCount() - 1, first + viewport()->height() / h);
    for (int r = first; r <= last; ++r) {
        const int y = (r - first) * h + 4;
        painter.setPen(th.color(ColorRole::Faint));
        painter.drawText(QRect(hexLeft, y, cw * 9, h), Qt::AlignVCenter,
                         QStringLiteral("%1").arg(r * 16, 8, 16, QLatin1Char('0')));
        for (int i = 0; i < 16; ++i) {
            const qint64 at = qint64(r) * 16 + i;
            if (at >= m_bytes.size())
                break;
            const QRect hex(hexLeft + hexCell(i) * cw, y, cw * 2, h);
            const QRect character(hexLeft + (charColumn + i) * cw, y, cw, h);
            const bool selected = m_selected >= 0 && at >= m_selected && at < m_selected + m_length;
            if (at == m_mark || selected) {
                const QColor fill = th.color(at == m_mark ? ColorRole::RemovedMark : ColorRole::Sel);
                painter.fillRect(hex.adjusted(-2, 1, 2, -1), fill);
                painter.fillRect(character.adjusted(0, 1, 0, -1), fill);
            }
            const char byte = m_bytes.at(at);
            painter.setPen(th.color(selected ? ColorRole::SelText : byte == 0 ? ColorRole::Faint : ColorRole::Text));
            painter.drawText(hex, Qt::AlignVCenter, QStringLiteral("%1").arg(uchar(byte), 2, 16, QLatin1Char('0')));
            painter.setPen(th.color(selected ? ColorRole::SelText : ColorRole::Muted));
            painter.drawText(character, Qt::AlignVCenter, QString(printable(byte)));
        }
    }
}

qint64 HexView::byteAt(const QPointF &pos) const
{
    const int cw = QFontMetrics(theme().font(FontRole::Data)).horizontalAdvance(QLatin1Char('0'));
    const int row = verticalScrollBar()->value() + int(pos.y() - 4) / rowHeight();
    const double column = (pos.x() - hexLeft) / cw;
    int byte = 0;
    if (column >= charColumn) {
        byte = qBound(0, int(column) - charColumn, 15);
    } else {
        while (byte < 15 && column >= hexCell(byte + 1))
            ++byte;
    }
    return qBound<qint64>(0, qint64(row) * 16 + byte, qMax<qint64>(0, m_bytes.size() - 1));
}

void HexView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && !m_bytes.isEmpty())
        setSelection(byteAt(event->position()), 1);
}

void HexView::mouseMoveEvent(QMouseEvent *event)
{
    if (!(event->buttons() & Qt::LeftButton) || m_anchor < 0)
        return;
    const qint64 at = byteAt(event->position());
    m_selected = qMin(at, m_anchor);
    m_length = qAbs(at - m_anchor) + 1;
    viewport()->update();
}

void HexView::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy)) {
        copy();
        return;
    }
    if (event->matches(QKeySequence::SelectAll)) {
        setSelection(0, m_bytes.size());
        return;
    }
    const qint64 at = qMax<qint64>(0, m_selected);
    const auto go = [this](qint64 to) {
        if (!m_bytes.isEmpty())
            setSelection(qBound<qint64>(0, to, m_bytes.size() - 1), 1);
    };
    switch (event->key()) {
    case Qt::Key_Left: go(at - 1); return;
    case Qt::Key_Right: go(at + 1); return;
    case Qt::Key_Up: go(at - 16); return;
    case Qt::Key_Down: go(at + 16); return;
    case Qt::Key_Home: go(0); return;
    case Qt::Key_End: go(m_bytes.size() - 1); return;
    default: QAbstractScrollArea::keyPressEvent(event);
    }
}

} // namespace terrarium::ui
