#include "widgets/blockers_view.h"

#include "models/blocker_model.h"
#include "models/format.h"
#include "style/icons.h"

#include <QPaintEvent>
#include <QPainter>
#include <QStyledItemDelegate>

namespace terrarium::ui {

namespace {

class BlockerDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const override
    {
        const int line = theme().rowHeight() - 2;
        const bool on = index.data(OnRole).toBool();
        // The first one that is off has room for the line above it.
        const bool first = !on && index.row() > 0 && index.siblingAtRow(index.row() - 1).data(OnRole).toBool();
        return {100, on ? line + 18 : first ? line + 8 : line};
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const Theme &th = theme();
        const bool on = index.data(OnRole).toBool();
        const bool focused = (option.state & QStyle::State_HasFocus) && (option.state & QStyle::State_Selected);
        const int above = on ? 0 : option.rect.height() - (th.rowHeight() - 2);
        const QRect r = option.rect.adjusted(12, above, -12, 0);
        if (focused)
            painter->fillRect(option.rect, th.color(ColorRole::SelSide));
        const QString title = index.data(Qt::DisplayRole).toString();
        const QString age = index.data(BlockerModel::AgeRole).toString();
        const QRect line(r.left() + 24, r.top() + (on ? 1 : 0), r.width() - 24, on ? 20 : r.height());
        painter->setFont(th.font(FontRole::Secondary));
        painter->setPen(th.color(ColorRole::Muted));
        const QFontMetrics small(th.font(FontRole::Secondary));
        const QString shownAge = small.elidedText(age, Qt::ElideRight, line.width() / 2);
        painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter, shownAge);
        const int room = line.width() - small.horizontalAdvance(shownAge) - 8;
        if (on) {
            icons::paint(painter, QPoint(r.left(), r.top() + 3), index.data(BlockerModel::IconRole).toString(),
                         th.color(ColorRole::Ok), 16);
            painter->setFont(th.font(FontRole::Strong));
            painter->setPen(th.color(ColorRole::Text));
            painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                              QFontMetrics(th.font(FontRole::Strong)).elidedText(title, Qt::ElideRight, room));
            painter->setFont(th.font(FontRole::Secondary));
            painter->setPen(th.color(ColorRole::Muted));
            const QRect second(line.left(), line.bottom() - 2, line.width(), 18);
            painter->drawText(
                second, Qt::AlignLeft | Qt::AlignVCenter,
                small.elidedText(index.data(BlockerModel::DetailRole).toString(), Qt::ElideRight, second.width()));
        } else {
            painter->save();
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(QPen(th.color(ColorRole::Faint), 1));
            painter->setBrush(Qt::NoBrush);
            painter->drawEllipse(QPointF(r.left() + 8, r.center().y() + 0.5), 3.5, 3.5);
            painter->restore();
            painter->setFont(th.font(FontRole::Secondary));
            painter->setPen(th.color(ColorRole::Muted));
            painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter, small.elidedText(title, Qt::ElideRight, room));
        }
    }
};

} // namespace

BlockersView::BlockersView(QWidget *parent) : QListView(parent)
{
    setItemDelegate(new BlockerDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setEditTriggers(NoEditTriggers);
    setVerticalScrollMode(ScrollPerPixel);
    setAccessibleName(tr("What keeps the actor awake"));
    setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    const auto follow = [this](const QModelIndex &index) {
        if (const QString link = index.data(LinkRole).toString(); !link.isEmpty())
            Q_EMIT linkActivated(link);
    };
    connect(this, &QListView::activated, this, follow);
}

QSize BlockersView::sizeHint() const
{
    int height = 8;
    if (model())
        for (int row = 0; row < model()->rowCount(); ++row)
            height += sizeHintForRow(row);
    return {240, height};
}

void BlockersView::paintEvent(QPaintEvent *event)
{
    {
        QPainter painter(viewport());
        painter.fillRect(event->rect(), theme().color(ColorRole::Panel));
    }
    QListView::paintEvent(event);
    // A hairline between what is on and what is off.
    if (!model())
        return;
    for (int row = 1; row < model()->rowCount(); ++row) {
        if (model()->index(row - 1, 0).data(OnRole).toBool() && !model()->index(row, 0).data(OnRole).toBool()) {
            QPainter painter(viewport());
            painter.setPen(theme().color(ColorRole::Hair));
            const int y = visualRect(model()->index(row, 0)).top() + 2;
            painter.drawLine(12, y, viewport()->width() - 13, y);
        }
    }
}

} // namespace terrarium::ui
