#include "widgets/line_view.h"

#include "style/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace terrarium::ui {

namespace {

constexpr int linePitch = 20;
constexpr qsizetype mostShownChars = 4000; // of one line; copying gives all

struct LinePiece {
    qsizetype begin = 0;
    qsizetype end = 0;
    ColorRole color = ColorRole::Text;
};

/// JSON and CBOR diagnostic notation, one line at a time: keys, text, numbers, words.
std::vector<LinePiece> linePieces(QStringView line)
{
    std::vector<LinePiece> out;
    qsizetype i = 0;
    const qsizetype n = line.size();
    while (i < n) {
        const QChar c = line.at(i);
        const qsizetype begin = i;
        if (c == u'"' || (c == u'\'') || (c == u'h' && i + 1 < n && line.at(i + 1) == u'\'')) {
            const QChar end = c == u'h' ? QChar(u'\'') : c;
            i += c == u'h' ? 2 : 1;
            while (i < n && line.at(i) != end)
                i += line.at(i) == u'\\' ? 2 : 1;
            i = qMin(n, i + 1);
            qsizetype next = i;
            while (next < n && line.at(next).isSpace())
                ++next;
            out.push_back({begin, i, next < n && line.at(next) == u':' ? ColorRole::ValueKey : ColorRole::ValueText});
        } else if (c.isDigit() || (c == u'-' && i + 1 < n && line.at(i + 1).isDigit())) {
            ++i;
            while (i < n
                   && (line.at(i).isLetterOrNumber() || line.at(i) == u'.' || line.at(i) == u'+' || line.at(i) == u'-'))
                ++i;
            out.push_back({begin, i, ColorRole::ValueNumber});
        } else if (c.isLetter()) {
            while (i < n && line.at(i).isLetterOrNumber())
                ++i;
            out.push_back({begin, i, ColorRole::ValueKeyword});
        } else {
            while (i < n && !line.at(i).isLetterOrNumber() && line.at(i) != u'"' && line.at(i) != u'\''
                   && line.at(i) != u'-')
                ++i;
            if (i == begin)
                ++i;
            out.push_back({begin, i, ColorRole::Muted});
        }
    }
    return out;
}

} // namespace

LineView::LineView(QWidget *parent) : QAbstractScrollArea(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    viewport()->setBackgroundRole(QPalette::Base);
    viewport()->setAutoFillBackground(true);
    connect(&theme(), &Theme::changed, this, [this] {
        updateBars();
        viewport()->update();
    });
}

void LineView::setText(const QString &text)
{
    m_text = text;
    m_starts.clear();
    m_longest = 0;
    if (!text.isEmpty()) {
        m_starts.push_back(0);
        for (qsizetype at = text.indexOf(QLatin1Char('\n')); at >= 0 && at + 1 < text.size();
             at = text.indexOf(QLatin1Char('\n'), at + 1)) {
            m_longest = qMax(m_longest, at - m_starts.back());
            m_starts.push_back(at + 1);
        }
        m_longest = qMax(m_longest, text.size() - m_starts.back());
    }
    m_current = qMin(m_current, lineCount() - 1);
    m_anchor = qMin(m_anchor, lineCount() - 1);
    updateBars();
    viewport()->update();
}

QString LineView::line(int index) const
{
    if (index < 0 || index >= lineCount())
        return {};
    const qsizetype begin = m_starts[size_t(index)];
    qsizetype end = index + 1 < lineCount() ? m_starts[size_t(index + 1)] - 1 : m_text.size();
    if (end > begin && m_text.at(end - 1) == QLatin1Char('\n'))
        --end;
    return m_text.mid(begin, end - begin);
}

int LineView::lineHeight() const
{
    return qMax(linePitch, QFontMetrics(theme().font(FontRole::Data)).height() + 4);
}

int LineView::gutterWidth() const
{
    return QFontMetrics(theme().font(FontRole::DataSmall)).horizontalAdvance(QLatin1Char('0'))
               * qMax(3, int(QString::number(lineCount()).size()))
           + 24;
}

void LineView::updateBars()
{
    const int page = qMax(1, viewport()->height() / lineHeight());
    verticalScrollBar()->setRange(0, qMax(0, lineCount() - page));
    verticalScrollBar()->setPageStep(page);
    const int charWidth = QFontMetrics(theme().font(FontRole::Data)).horizontalAdvance(QLatin1Char('0'));
    const int wide = int(qMin(m_longest, mostShownChars)) * charWidth + gutterWidth() + 24;
    horizontalScrollBar()->setRange(0, qMax(0, wide - viewport()->width()));
    horizontalScrollBar()->setPageStep(viewport()->width());
    horizontalScrollBar()->setSingleStep(charWidth * 4);
}

void LineView::resizeEvent(QResizeEvent *)
{
    updateBars();
}

std::pair<int, int> LineView::visibleLines() const
{
    const int first = verticalScrollBar()->value();
    return {first, qMin(lineCount() - 1, first + viewport()->height() / lineHeight())};
}

int LineView::lineAt(int y) const
{
    return qBound(0, verticalScrollBar()->value() + y / lineHeight(), qMax(0, lineCount() - 1));
}

void LineView::select(int index, bool extend)
{
    if (lineCount() == 0)
        return;
    m_current = qBound(0, index, lineCount() - 1);
    if (!extend || m_anchor < 0)
        m_anchor = m_current;
    const auto [first, last] = visibleLines();
    const int page = qMax(1, viewport()->height() / lineHeight());
    if (m_current < first)
        verticalScrollBar()->setValue(m_current);
    else if (m_current >= first + page)
        verticalScrollBar()->setValue(m_current - page + 1);
    viewport()->update();
}

void LineView::setCurrentLine(int index)
{
    select(index, false);
}

bool LineView::find(const QString &needle, bool backwards)
{
    m_needle = needle;
    viewport()->update();
    if (needle.isEmpty() || m_text.isEmpty())
        return false;
    qsizetype at = -1;
    if (backwards) {
        const qsizetype from = m_current > 0 ? m_starts[size_t(m_current)] - 1 : -1;
        if (from >= 0)
            at = m_text.lastIndexOf(needle, from, Qt::CaseInsensitive);
        if (at < 0)
            at = m_text.lastIndexOf(needle, -1, Qt::CaseInsensitive);
    } else {
        const qsizetype from = m_current + 1 < lineCount() ? m_starts[size_t(m_current + 1)] : 0;
        at = m_text.indexOf(needle, from, Qt::CaseInsensitive);
        if (at < 0)
            at = m_text.indexOf(needle, 0, Qt::CaseInsensitive);
    }
    if (at < 0)
        return false;
    const auto after = std::upper_bound(m_starts.begin(), m_starts.end(), at);
    select(int(after - m_starts.begin()) - 1, false);
    return true;
}

void LineView::copy() const
{
    if (m_current < 0)
        return;
    const int from = qMin(m_current, m_anchor), to = qMax(m_current, m_anchor);
    const qsizetype begin = m_starts[size_t(from)];
    const qsizetype end = to + 1 < lineCount() ? m_starts[size_t(to + 1)] : m_text.size();
    QApplication::clipboard()->setText(m_text.mid(begin, end - begin));
}

void LineView::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    const Theme &th = theme();
    painter.fillRect(event->rect(), th.color(ColorRole::Base));
    if (lineCount() == 0)
        return;
    const int h = lineHeight();
    const int gutter = gutterWidth();
    const int shift = horizontalScrollBar()->value();
    const QFontMetrics data(th.font(FontRole::Data));
    const auto [first, last] = visibleLines();
    const int from = qMin(m_current, m_anchor), to = qMax(m_current, m_anchor);
    for (int i = first; i <= last; ++i) {
        const int y = (i - first) * h;
        const bool selected = m_current >= 0 && i >= from && i <= to;
        if (selected)
            painter.fillRect(QRect(0, y, viewport()->width(), h), th.color(ColorRole::Sel));
        const QString text = line(i).left(mostShownChars);
        painter.setClipRect(QRect(gutter, y, viewport()->width() - gutter, h));
        int x = gutter - shift;
        painter.setFont(th.font(FontRole::Data));
        if (!m_needle.isEmpty()) {
            for (qsizetype hit = text.indexOf(m_needle, 0, Qt::CaseInsensitive); hit >= 0;
                 hit = text.indexOf(m_needle, hit + m_needle.size(), Qt::CaseInsensitive)) {
                const double left = x + data.horizontalAdvance(text.left(hit)) - 1.5;
                const double width = data.horizontalAdvance(text.mid(hit, m_needle.size())) + 3.0;
                painter.fillRect(QRectF(left, y + 2, width, h - 4), th.color(ColorRole::ChangedMark));
            }
        }
        for (const LinePiece &piece : linePieces(text)) {
            const QString part = text.mid(piece.begin, piece.end - piece.begin);
            painter.setPen(th.color(selected && piece.color == ColorRole::Muted ? ColorRole::SelText : piece.color));
            const int width = data.horizontalAdvance(part);
            if (x + width > gutter && x < viewport()->width())
                painter.drawText(QRect(x, y, width + 4, h), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                                 part);
            x += width;
        }
        painter.setClipping(false);
        painter.setFont(th.font(FontRole::DataSmall));
        painter.setPen(th.color(ColorRole::Faint));
        painter.drawText(QRect(0, y, gutter - 12, h), Qt::AlignRight | Qt::AlignVCenter, QString::number(i + 1));
    }
    painter.setClipping(false);
}

void LineView::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy)) {
        copy();
        return;
    }
    if (event->matches(QKeySequence::SelectAll)) {
        m_anchor = 0;
        m_current = lineCount() - 1;
        viewport()->update();
        return;
    }
    const bool extend = event->modifiers() & Qt::ShiftModifier;
    const int page = qMax(1, viewport()->height() / lineHeight());
    switch (event->key()) {
    case Qt::Key_Up: select(m_current - 1, extend); return;
    case Qt::Key_Down: select(m_current + 1, extend); return;
    case Qt::Key_PageUp: select(m_current - page, extend); return;
    case Qt::Key_PageDown: select(m_current + page, extend); return;
    case Qt::Key_Home: select(0, extend); return;
    case Qt::Key_End: select(lineCount() - 1, extend); return;
    default: QAbstractScrollArea::keyPressEvent(event);
    }
}

void LineView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        select(lineAt(int(event->position().y())), event->modifiers() & Qt::ShiftModifier);
}

void LineView::mouseMoveEvent(QMouseEvent *event)
{
    if (event->buttons() & Qt::LeftButton)
        select(lineAt(int(event->position().y())), true);
}

void LineView::contextMenuEvent(QContextMenuEvent *event)
{
    QMenu menu(this);
    menu.addAction(tr("Copy lines"), QKeySequence(QKeySequence::Copy), this, [this] { copy(); })
        ->setEnabled(m_current >= 0);
    menu.addAction(tr("Copy all"), this, [this] { QApplication::clipboard()->setText(m_text); });
    menu.exec(event->globalPos());
}

} // namespace terrarium::ui
