#pragma once
// The banners of one page, by priority, at most two at a time.
//
// Disconnected > recording > not live > gap > version > writes > command. One that is set and has no room waits
// until a more important one is over.

#include <QWidget>

#include <array>

namespace terrarium::ui {

class Banner;

class BannerStrip final : public QWidget {
    Q_OBJECT
public:
    enum Kind { Disconnected, Recording, NotLive, Gap, Version, Writes, Command, KindCount };
    static constexpr int most = 2;

    explicit BannerStrip(QWidget *parent = nullptr);

    Banner *banner(Kind kind) const { return m_banners[size_t(kind)]; }
    void setOn(Kind kind, bool on);
    bool isOn(Kind kind) const { return m_on[size_t(kind)]; }
    /// Those with room, most important first.
    QList<Kind> shown() const;

private:
    std::array<Banner *, KindCount> m_banners{};
    std::array<bool, KindCount> m_on{};
};

} // namespace terrarium::ui
