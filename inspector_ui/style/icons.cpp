#include "style/icons.h"

#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPaintDevice>
#include <QSvgRenderer>

namespace terrarium::ui::icons {

namespace {

struct IconKey {
    QString name;
    QRgb color;
    int size;
    int ratioPercent;

    friend bool operator==(const IconKey &, const IconKey &) = default;
    friend size_t qHash(const IconKey &key, size_t seed) noexcept
    {
        return qHashMulti(seed, key.name, key.color, key.size, key.ratioPercent);
    }
};

QString iconFile(const QString &name)
{
    return QStringLiteral(":/terrarium/icons/%1.svg").arg(name);
}

class IconEngine final : public QIconEngine {
public:
    IconEngine(QString name, ColorRole color) : m_name(std::move(name)), m_color(color) {}

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State) override
    {
        const int size = std::min(rect.width(), rect.height());
        const QPoint at(rect.x() + (rect.width() - size) / 2, rect.y() + (rect.height() - size) / 2);
        icons::paint(painter, at, m_name, shade(mode), size);
    }
    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State) override
    {
        return icons::pixmap(m_name, shade(mode), std::min(size.width(), size.height()), 1);
    }
    QPixmap scaledPixmap(const QSize &size, QIcon::Mode mode, QIcon::State, qreal scale) override
    {
        const int side = qRound(std::min(size.width(), size.height()) / scale);
        return icons::pixmap(m_name, shade(mode), side, scale);
    }
    QString key() const override { return QStringLiteral("terrarium"); }
    QIconEngine *clone() const override { return new IconEngine(m_name, m_color); }
    bool isNull() override { return !exists(m_name); }

private:
    QColor shade(QIcon::Mode mode) const
    {
        QColor color = theme().color(mode == QIcon::Disabled ? ColorRole::Faint : m_color);
        if (mode == QIcon::Disabled && !theme().isHighContrast())
            color.setAlphaF(0.6f);
        return color;
    }

    QString m_name;
    ColorRole m_color;
};

} // namespace

bool exists(const QString &name)
{
    return QFile::exists(iconFile(name));
}

QPixmap pixmap(const QString &name, const QColor &color, int size, qreal ratio)
{
    static QHash<IconKey, QPixmap> cache;
    static QHash<QString, QByteArray> sources;

    const IconKey key{name, color.rgba(), size, qRound(ratio * 100)};
    if (const auto found = cache.constFind(key); found != cache.constEnd())
        return *found;

    QByteArray &source = sources[name];
    if (source.isEmpty()) {
        QFile file(iconFile(name));
        if (!file.open(QIODevice::ReadOnly)) {
            qWarning("icon \"%s\" does not exist", qPrintable(name));
            return {};
        }
        source = file.readAll();
    }
    QByteArray tinted = source;
    tinted.replace("currentColor", color.name(QColor::HexRgb).toLatin1());
    QSvgRenderer renderer(tinted);
    QImage image(qRound(size * ratio), qRound(size * ratio), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setOpacity(color.alphaF());
    renderer.render(&painter, QRectF(0, 0, image.width(), image.height()));
    painter.end();
    QPixmap result = QPixmap::fromImage(std::move(image));
    result.setDevicePixelRatio(ratio);
    if (cache.size() > 4000)
        cache.clear();
    cache.insert(key, result);
    return result;
}

void paint(QPainter *painter, const QPoint &topLeft, const QString &name, const QColor &color, int size)
{
    painter->drawPixmap(topLeft, pixmap(name, color, size, painter->device()->devicePixelRatioF()));
}

QIcon icon(const QString &name, ColorRole color)
{
    return QIcon(new IconEngine(name, color));
}

QIcon product()
{
    return QIcon(new IconEngine(QStringLiteral("app-icon"), ColorRole::Text));
}

} // namespace terrarium::ui::icons
