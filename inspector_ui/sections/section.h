#pragma once
// One page about one actor: a child of the actor page's stack, reached by the rail.
//
// The page hands over what is looked at with setContext(), tells which section is visible with setActive(),
// and calls beat() on the active one only, once per beat of the window. A hidden section does nothing; it
// catches up when it becomes active.

#include "client/inspector_client.h"
#include "models/time_cursor.h"

#include <QPointer>
#include <QWidget>

namespace terrarium {
class Clock;
}

namespace terrarium::ui {

/// What a section shows. All null: nothing.
struct SectionContext {
    InspectorClient *client = nullptr;
    std::shared_ptr<ActorFeed> feed;
    TimeCursor *cursor = nullptr;
    const Clock *clock = nullptr; ///< this computer's time; the host's is clock + client->clockOffsetMs()
};

class Section : public QWidget {
    Q_OBJECT
    Q_PROPERTY(bool busy READ isBusy)
    Q_PROPERTY(QString emptyReason READ emptyReason)
public:
    /// `id` is the section's id in section_registry; the widget is named id + "Section".
    explicit Section(const QString &id, QWidget *parent = nullptr);

    const QString &id() const { return m_id; }
    const SectionContext &context() const { return m_context; }
    bool isActive() const { return m_active; }

    /// Shows something else from now on. What was shown is gone when this returns.
    void setContext(const SectionContext &context);
    void setActive(bool active);
    /// The window's beat: take over what the feed brought. Called while active only.
    void beat();
    /// About once a second while active, for ages and countdowns.
    void tick();
    /// Puts the keyboard where people start on this page.
    virtual void focusFirst() { setFocus(Qt::OtherFocusReason); }
    /// Ctrl+F. Does nothing on pages without a find field.
    virtual void focusFind() {}
    /// A link within the page, for example "delta:1284" or "blocker:connections". False: not for this section.
    virtual bool follow(const QString &link);

    /// True while something was asked for and has not come.
    virtual bool isBusy() const;
    /// Why there is nothing to see; empty when there is something.
    virtual QString emptyReason() const { return {}; }

Q_SIGNALS:
    /// Somewhere else on the page: "section:lifecycle", "delta:1284", "action:move", "live", "time:<ms>",
    /// "actor:<id>". The page switches to the section and calls follow() on it.
    void linkActivated(const QString &link);
    /// Asks the page for the dialog of a verb: "sleep", "restart", "destroy", "wake".
    void verbRequested(const QString &verb);

protected:
    virtual void contextChanged() {} ///< forget everything, show the new one
    virtual void feedChanged(const terrarium::FeedChange &change)
    {
        Q_UNUSED(change)
    }                           ///< also while hidden: only note what is dirty
    virtual void activated() {} ///< catch up
    virtual void deactivated() {}
    virtual void refresh() {}            ///< beat() while active
    virtual void ticked() { refresh(); } ///< tick() while active
    virtual void linkChanged() {}        ///< link state or rights of the client changed

    ActorFeed *feed() const { return m_context.feed.get(); }
    InspectorClient *client() const { return m_client; }
    TimeCursor *cursor() const { return m_cursor; }
    /// Wall ms of this computer; 0 without a clock.
    qint64 localNow() const;
    /// The host's wall ms now, frozen at the moment the link was lost.
    qint64 hostNow() const;

private:
    QString m_id;
    SectionContext m_context;
    QPointer<InspectorClient> m_client; ///< a host may be detached before the page shows something else
    QPointer<TimeCursor> m_cursor;
    bool m_active = false;
};

} // namespace terrarium::ui
