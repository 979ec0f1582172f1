#pragma once
// The figures along the lower edge: links, updates, lag, gaps, frame cost, whether edits are on.

#include <QWidget>

QT_BEGIN_NAMESPACE
class QHBoxLayout;
QT_END_NAMESPACE

namespace terrarium {
class Clock;
}

namespace terrarium::ui {

class ActorPage;
class HostLinks;
class StatusItem;
class UiTick;

class StatusLine final : public QWidget {
    Q_OBJECT
public:
    StatusLine(HostLinks &links, UiTick &tick, ActorPage &page, QWidget *parent = nullptr);

    void refresh();

Q_SIGNALS:
    void gapsClicked(QWidget *anchor);
    void connectionClicked(QWidget *anchor);

private:
    void refreshLinks();
    void refreshEdits();

    HostLinks &m_links;
    UiTick &m_tick;
    ActorPage &m_page;
    StatusItem *m_connection;
    StatusItem *m_others;
    StatusItem *m_rateLeft;
    StatusItem *m_rateRight;
    StatusItem *m_lag;
    StatusItem *m_gaps;
    StatusItem *m_frame;
    StatusItem *m_edits;
    StatusItem *m_writes;
    StatusItem *m_recorder;
};

} // namespace terrarium::ui
