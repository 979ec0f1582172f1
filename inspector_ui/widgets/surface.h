#pragma once
// A plain area in one of the theme's surface colours, with hairlines where asked for.

#include "style/theme.h"

#include <QWidget>

namespace terrarium::ui {

class Surface : public QWidget {
    Q_OBJECT
public:
    enum Edge { NoEdge = 0, Top = 1, Bottom = 2, Left = 4, Right = 8 };
    Q_DECLARE_FLAGS(Edges, Edge)

    explicit Surface(ColorRole color, QWidget *parent = nullptr, Edges edges = NoEdge);

    void setColorRole(ColorRole color);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    ColorRole m_color;
    Edges m_edges;
};

} // namespace terrarium::ui
