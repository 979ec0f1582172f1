#pragma once
// One line of runs with links in it: "Awake because of 2 connections, keep-awake turn 41".
//
// Links are reached with Tab and the arrow keys and followed with Enter or a click. When there is nothing to
// follow it takes no focus.

#include "widgets/cell.h"

#include <QWidget>

namespace terrarium::ui {

class RunLabel : public QWidget {
    Q_OBJECT
    Q_PROPERTY(QString text READ text)
public:
    explicit RunLabel(QWidget *parent = nullptr);

    void setRuns(QList<Run> runs);
    const QList<Run> &runs() const { return m_cell.runs; }
    void setElide(Qt::TextElideMode mode);
    void setAlignment(Qt::Alignment align);
    /// A click anywhere follows this link when it hits no other.
    void setWholeLink(const QString &link);
    QString text() const { return m_cell.plainText(); }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void linkActivated(const QString &link);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool event(QEvent *event) override;

private:
    QStringList links() const;

    Cell m_cell;
    QString m_wholeLink;
    int m_currentLink = 0;
};

} // namespace terrarium::ui
