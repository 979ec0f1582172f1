#pragma once
// Where in an actor's history the page stands: live, or right after delta #N.
//
// One per actor page, shared by all its sections. Travelling is a matter of this window only: nothing is
// sent to the host.

#include <QObject>

namespace terrarium::ui {

class TimeCursor final : public QObject {
    Q_OBJECT
    Q_PROPERTY(bool live READ isLive NOTIFY changed)
    Q_PROPERTY(quint64 sequence READ sequence NOTIFY changed)
public:
    using QObject::QObject;

    bool isLive() const { return m_live; }
    /// The delta looked at; 0 while live.
    quint64 sequence() const { return m_live ? 0 : m_sequence; }

    void goLive();
    /// Sequence 0 is before the first delta.
    void goTo(quint64 sequence);

Q_SIGNALS:
    void changed();

private:
    bool m_live = true;
    quint64 m_sequence = 0;
};

} // namespace terrarium::ui
