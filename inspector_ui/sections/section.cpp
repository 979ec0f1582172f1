#include "sections/section.h"

#include "async/clock.h"
#include "models/link_facts.h"

namespace terrarium::ui {

Section::Section(const QString &id, QWidget *parent) : QWidget(parent), m_id(id)
{
    setObjectName(id + QLatin1String("Section"));
    setFocusPolicy(Qt::NoFocus);
}

void Section::setContext(const SectionContext &context)
{
    if (m_context.feed)
        m_context.feed->disconnect(this);
    if (m_client)
        m_client->disconnect(this);
    if (m_cursor)
        m_cursor->disconnect(this);
    m_context = context;
    m_client = context.client;
    m_cursor = context.cursor;
    if (m_context.feed)
        connect(m_context.feed.get(), &ActorFeed::changed, this, &Section::feedChanged);
    if (m_context.client)
        connect(m_context.client, &InspectorClient::linkChanged, this, &Section::linkChanged);
    contextChanged();
    if (m_active)
        activated();
}

void Section::setActive(bool active)
{
    if (m_active == active)
        return;
    m_active = active;
    if (active)
        activated();
    else
        deactivated();
}

void Section::beat()
{
    if (m_active)
        refresh();
}

void Section::tick()
{
    if (m_active)
        ticked();
}

bool Section::follow(const QString &link)
{
    Q_UNUSED(link)
    return false;
}

bool Section::isBusy() const
{
    return m_context.feed && !m_context.feed->isLoaded();
}

qint64 Section::localNow() const
{
    return m_context.clock ? m_context.clock->wallMs() : 0;
}

qint64 Section::hostNow() const
{
    if (!m_client || !m_context.clock)
        return localNow();
    return terrarium::ui::hostNow(*m_context.clock, *m_client);
}

} // namespace terrarium::ui
