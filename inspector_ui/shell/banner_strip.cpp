#include "shell/banner_strip.h"

#include "widgets/banner.h"

#include <QAccessible>
#include <QVBoxLayout>

namespace terrarium::ui {

BannerStrip::BannerStrip(QWidget *parent) : QWidget(parent)
{
    struct Look {
        Kind kind;
        const char *name;
        Family family;
        const char *icon;
    };
    static const Look looks[] = {
        {Disconnected, "bannerDisconnected", Family::Bad, "link-lost"},
        {Recording, "bannerRecording", Family::Info, "recording"},
        {NotLive, "bannerNotLive", Family::Warn, "replay"},
        {Gap, "bannerGap", Family::Warn, "warning-solid"},
        {Version, "bannerVersion", Family::Info, "info"},
        {Writes, "bannerWrites", Family::Warn, "unlock"},
        {Command, "bannerCommand", Family::Bad, "failed"},
    };
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    for (const Look &look : looks) {
        auto *banner = new Banner(look.family, QLatin1String(look.icon), this);
        banner->setObjectName(QLatin1String(look.name));
        banner->hide();
        layout->addWidget(banner);
        m_banners[size_t(look.kind)] = banner;
    }
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void BannerStrip::setOn(Kind kind, bool on)
{
    if (m_on[size_t(kind)] == on)
        return;
    m_on[size_t(kind)] = on;
    int room = most;
    for (int i = 0; i < KindCount; ++i) {
        const bool visible = m_on[size_t(i)] && room-- > 0;
        if (m_banners[size_t(i)]->isVisibleTo(this) != visible) {
            m_banners[size_t(i)]->setVisible(visible);
            if (visible) {
                QAccessibleEvent event(m_banners[size_t(i)], QAccessible::Alert);
                QAccessible::updateAccessibility(&event);
            }
        }
    }
}

QList<BannerStrip::Kind> BannerStrip::shown() const
{
    QList<Kind> kinds;
    for (int i = 0; i < KindCount; ++i) {
        if (m_banners[size_t(i)]->isVisibleTo(this))
            kinds.append(Kind(i));
    }
    return kinds;
}

} // namespace terrarium::ui
