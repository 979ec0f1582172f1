#pragma once
// How one cell and one row of a list look, as data. Models give it by CellRole and RowLookRole, RowPainter
// and CellDelegate paint it.
//
// A cell is a list of runs painted one after another: "118  was 112" is two runs, "action move" is an icon and
// two runs. The last run is elided when there is no room. Runs say roles, never colours.

#include "models/roles.h"
#include "style/theme.h"

#include <QList>
#include <QMetaType>
#include <QString>

namespace terrarium::ui {

struct Run {
    Run() = default;
    Run(QString text, ColorRole color = ColorRole::Text, FontRole font = FontRole::Body)
        : text(std::move(text)),
          color(color),
          font(font)
    {}

    /// 16 px (14 in dense cells) in front of what follows.
    static Run withIcon(QString name, ColorRole color = ColorRole::Muted, int size = 16);
    static Run space(int px);
    /// Text in the link colour that leads somewhere.
    static Run withLink(QString text, QString link, FontRole font = FontRole::Body);

    Run &strike(bool on = true)
    {
        isStruck = on;
        return *this;
    }
    Run &hit(bool on = true)
    {
        isHit = on;
        return *this;
    }
    Run &after(int px)
    {
        gap = px;
        return *this;
    } ///< free space in front of the run

    QString text;
    ColorRole color = ColorRole::Text;
    FontRole font = FontRole::Body;
    bool isStruck = false;
    bool isHit = false; ///< search hit: mark colour behind it
    QString icon;
    int iconSize = 16;
    int gap = 0;
    QString link;
    QString extra; ///< not painted, read by screen readers after the text
};

struct Cell {
    Cell() = default;
    Cell(Run run, Qt::Alignment align = Qt::AlignLeft) : runs{std::move(run)}, align(align) {}
    Cell(QList<Run> runs, Qt::Alignment align = Qt::AlignLeft) : runs(std::move(runs)), align(align) {}

    /// Numbers, sizes, times: fixed width, at the right.
    static Cell number(QString text, ColorRole color = ColorRole::Muted);
    /// All runs' texts, for copying, searching and screen readers.
    QString plainText() const;

    QList<Run> runs;
    Qt::Alignment align = Qt::AlignLeft;
    Qt::TextElideMode elide = Qt::ElideRight; ///< keys: ElideMiddle
    int padding = 6;
    int paddingRight = -1; ///< -1: the same
};

struct RowLook {
    RowKind kind = RowKind::Row;
    ColorRole tint = ColorRole::None; ///< behind the whole row
    bool error = false;               ///< 2 px edge of a failed row
    bool dimmed = false;              ///< later than the cursor, or of a lost host: everything quiet, glyphs faint
    Cell full;                        ///< Gap and Divider: "Gap: about 37 changes lost", from, to, why
};

/// A Gap row's text: bold fact, muted detail.
RowLook gapLook(const QString &fact, const QString &detail);
/// A quiet row across the list: "Idle timer fired, actor stayed up".
RowLook dividerLook(const QString &icon, const QString &fact, const QString &detail);

} // namespace terrarium::ui

Q_DECLARE_METATYPE(terrarium::ui::Cell)
Q_DECLARE_METATYPE(terrarium::ui::RowLook)
