#pragma once
// The list of an actor's twelve sections at the left of its page. Order and place never change.
//
// Counts stand at the right, the attention glyph left of them. Under 1000 px of window width only icons are left.

#include "sections/section_registry.h"
#include "widgets/painted_items.h"

#include <QWidget>

namespace terrarium::ui {

class SectionRail final : public QWidget, public PaintedItems {
    Q_OBJECT
    Q_PROPERTY(QString current READ current WRITE setCurrent NOTIFY currentChanged)
    Q_PROPERTY(bool iconsOnly READ iconsOnly WRITE setIconsOnly)
public:
    explicit SectionRail(QWidget *parent = nullptr);

    QString current() const;
    void setCurrent(const QString &id);
    void setBadges(const QList<SectionBadge> &badges);
    bool iconsOnly() const { return m_iconsOnly; }
    void setIconsOnly(bool on);
    int count() const;
    QString title(int index) const; ///< with count and attention, for screen readers
    QRect itemRect(int index) const;

    QSize sizeHint() const override;
    int paintedCount() const override { return count(); }
    QString paintedName(int index) const override { return title(index); }
    QRect paintedRect(int index) const override { return itemRect(index); }
    bool isPaintedCurrent(int index) const override { return index == m_current; }
    void activatePainted(int index) override { choose(index); }

Q_SIGNALS:
    void currentChanged(const QString &id);
    /// Enter: the section should take the keyboard.
    void opened();

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool event(QEvent *event) override;

private:
    int itemAt(const QPoint &pos) const;
    void choose(int index);

    QList<SectionBadge> m_badges;
    int m_current = 1;
    int m_hover = -1;
    bool m_iconsOnly = false;
};

} // namespace terrarium::ui
