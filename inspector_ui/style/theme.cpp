#include "style/theme.h"

#include "style/proxy_style.h"

#include <QApplication>
#include <QEvent>
#include <QFontDatabase>
#include <QFontMetrics>
#include <QPointer>
#include <QStyleFactory>
#include <QToolTip>

#include <cmath>

namespace terrarium::ui {

namespace {

struct ThemeRow {
    ColorRole role;
    QRgb light;
    QRgb dark;
};

constexpr QRgb themeRgb(quint32 rgb)
{
    return 0xff000000u | rgb;
}

// The token table. Checked by tst_theme: text 4.5:1, glyphs and field borders 3:1 on every surface they meet.
const ThemeRow themeRows[] = {
    {ColorRole::Chrome, themeRgb(0xF0F1F3), themeRgb(0x26292F)},
    {ColorRole::Panel, themeRgb(0xF7F8F9), themeRgb(0x202329)},
    {ColorRole::Base, themeRgb(0xFFFFFF), themeRgb(0x1B1D21)},
    {ColorRole::Hover, themeRgb(0xEEF1F5), themeRgb(0x2A2E35)},
    {ColorRole::Sel, themeRgb(0xD6E6FA), themeRgb(0x274563)},
    {ColorRole::SelText, themeRgb(0x0E1116), themeRgb(0xFFFFFF)},
    {ColorRole::SelSide, themeRgb(0xDDE9F9), themeRgb(0x2C3A4B)},
    {ColorRole::Text, themeRgb(0x1B1E23), themeRgb(0xE6E8EB)},
    {ColorRole::Muted, themeRgb(0x5B626D), themeRgb(0xA0A7B2)},
    {ColorRole::Quiet, themeRgb(0x6B727D), themeRgb(0x8A919C)},
    {ColorRole::Faint, themeRgb(0x868D98), themeRgb(0x757D89)},
    {ColorRole::Border, themeRgb(0x8A919C), themeRgb(0x6B7380)},
    {ColorRole::Edge, themeRgb(0xC9CED6), themeRgb(0x474D57)},
    {ColorRole::Hair, themeRgb(0xE1E4E8), themeRgb(0x31353C)},
    {ColorRole::Seam, themeRgb(0xC9CED6), themeRgb(0x17191C)},
    {ColorRole::Button, themeRgb(0xFFFFFF), themeRgb(0x30343B)},
    {ColorRole::ButtonPressed, themeRgb(0xE6E9ED), themeRgb(0x3B4049)},
    {ColorRole::Accent, themeRgb(0x0B5FCC), themeRgb(0x6CB2FF)},
    {ColorRole::AccentFill, themeRgb(0x0B5FCC), themeRgb(0x2A6CC4)},
    {ColorRole::AccentFillText, themeRgb(0xFFFFFF), themeRgb(0xFFFFFF)},
    {ColorRole::AccentTint, themeRgb(0xE4EEFB), themeRgb(0x243547)},
    {ColorRole::Trough, themeRgb(0xE7EAEE), themeRgb(0x15171A)},
    {ColorRole::Segment, themeRgb(0xFFFFFF), themeRgb(0x3A4049)},
    {ColorRole::SegmentEdge, themeRgb(0xCDD2D9), themeRgb(0x4A515C)},
    {ColorRole::Thumb, themeRgb(0xC3C8D0), themeRgb(0x4C525C)},
    {ColorRole::Ok, themeRgb(0x008F77), themeRgb(0x5BE0A0)},
    {ColorRole::OkTint, themeRgb(0xE2F3EF), themeRgb(0x1E3A32)},
    {ColorRole::OkFill, themeRgb(0x008F77), themeRgb(0x3F9E77)},
    {ColorRole::Info, themeRgb(0x094BAE), themeRgb(0x3D9BF2)},
    {ColorRole::InfoTint, themeRgb(0xE5EDF9), themeRgb(0x1D3450)},
    {ColorRole::Warn, themeRgb(0x8C6802), themeRgb(0xD6A52E)},
    {ColorRole::WarnTint, themeRgb(0xFBF3DA), themeRgb(0x3B3118)},
    {ColorRole::Bad, themeRgb(0x940015), themeRgb(0xFA5F86)},
    {ColorRole::BadTint, themeRgb(0xFAE6E7), themeRgb(0x3B212A)},
    {ColorRole::Rest, themeRgb(0x473B5E), themeRgb(0xC3BCF5)},
    {ColorRole::RestTint, themeRgb(0xEDEAF4), themeRgb(0x302E45)},
    {ColorRole::MutedTint, themeRgb(0xF7F8F9), themeRgb(0x202329)},
    {ColorRole::AddedRow, themeRgb(0xE6F0FF), themeRgb(0x162A45)},
    {ColorRole::AddedMark, themeRgb(0xBBD6FF), themeRgb(0x20508A)},
    {ColorRole::ChangedRow, themeRgb(0xFFF6DC), themeRgb(0x332B14)},
    {ColorRole::ChangedMark, themeRgb(0xFBDF8E), themeRgb(0x6B5510)},
    {ColorRole::RemovedRow, themeRgb(0xFBE9E7), themeRgb(0x3D1F26)},
    {ColorRole::RemovedMark, themeRgb(0xF3BDB7), themeRgb(0x7D2F40)},
    {ColorRole::ErrorRow, themeRgb(0xFDF4F4), themeRgb(0x251B20)},
    {ColorRole::MarkSign, themeRgb(0x1B1E23), themeRgb(0xFFFFFF)},
    {ColorRole::ValueText, themeRgb(0x0A6B57), themeRgb(0x7FD9B4)},
    {ColorRole::ValueNumber, themeRgb(0x8A3B00), themeRgb(0xF0B27A)},
    {ColorRole::ValueKeyword, themeRgb(0x7A2E8E), themeRgb(0xD7A8F0)},
    {ColorRole::ValueKey, themeRgb(0x094BAE), themeRgb(0x8CC2FF)},
};

bool themeFamilyInstalled(const QString &family)
{
    return QFontDatabase::hasFamily(family);
}

double themeLuminance(const QColor &color)
{
    const auto channel = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * channel(color.redF()) + 0.7152 * channel(color.greenF()) + 0.0722 * channel(color.blueF());
}

} // namespace

ColorRole familyColor(Family family)
{
    switch (family) {
    case Family::Ok: return ColorRole::Ok;
    case Family::Info: return ColorRole::Info;
    case Family::Warn: return ColorRole::Warn;
    case Family::Bad: return ColorRole::Bad;
    case Family::Rest: return ColorRole::Rest;
    case Family::Muted: break;
    }
    return ColorRole::Muted;
}

ColorRole familyTint(Family family)
{
    switch (family) {
    case Family::Ok: return ColorRole::OkTint;
    case Family::Info: return ColorRole::InfoTint;
    case Family::Warn: return ColorRole::WarnTint;
    case Family::Bad: return ColorRole::BadTint;
    case Family::Rest: return ColorRole::RestTint;
    case Family::Muted: break;
    }
    return ColorRole::MutedTint;
}

Theme::Theme(QObject *parent) : QObject(parent)
{
    setObjectName(QStringLiteral("terrariumTheme"));
    m_systemPalette = QApplication::palette();
    m_systemFont = QApplication::font();
    rebuild();
}

Theme &Theme::current()
{
    static const QString name = QStringLiteral("terrariumTheme");
    static QPointer<Theme> known;
    if (!known) {
        known = qApp->findChild<Theme *>(name, Qt::FindDirectChildrenOnly);
        if (!known)
            known = new Theme(qApp);
    }
    return *known;
}

void Theme::install(QApplication &app)
{
    if (m_installed)
        return;
    m_installed = true;
    m_systemPalette = QApplication::palette();
    m_systemFont = QApplication::font();
    app.setStyle(new ProxyStyle);
    app.installEventFilter(this);
    rebuild();
    applyToApplication();
}

void Theme::setMode(ThemeMode mode)
{
    if (m_mode == mode)
        return;
    m_mode = mode;
    rebuild();
    applyToApplication();
    Q_EMIT changed();
}

QString Theme::name() const
{
    if (isHighContrast())
        return QStringLiteral("highContrast");
    return m_dark ? QStringLiteral("dark") : QStringLiteral("light");
}

void Theme::setTextScale(double scale)
{
    scale = qBound(0.8, scale, 2.0);
    if (qFuzzyCompare(scale, m_textScale))
        return;
    m_textScale = scale;
    rebuild();
    applyToApplication();
    Q_EMIT changed();
}

QColor Theme::mix(const QColor &over, const QColor &under, double a)
{
    return QColor::fromRgbF(float(over.redF() * a + under.redF() * (1 - a)),
                            float(over.greenF() * a + under.greenF() * (1 - a)),
                            float(over.blueF() * a + under.blueF() * (1 - a)));
}

double Theme::contrast(const QColor &a, const QColor &b)
{
    const double la = themeLuminance(a);
    const double lb = themeLuminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

bool Theme::eventFilter(QObject *watched, QEvent *event)
{
    // The desktop switched between light and dark: only System follows it.
    if (event->type() == QEvent::ApplicationPaletteChange && watched == qApp && !m_applying) {
        m_systemPalette = QApplication::palette();
        if (m_mode == ThemeMode::System || m_mode == ThemeMode::HighContrast) {
            rebuild();
            applyToApplication();
            Q_EMIT changed();
        }
    }
    return QObject::eventFilter(watched, event);
}

void Theme::rebuild()
{
    const bool systemDark = m_systemPalette.color(QPalette::Window).lightness() < 128;
    m_dark = m_mode == ThemeMode::Dark || (m_mode != ThemeMode::Light && systemDark);
    m_colors.fill(QColor(Qt::transparent));
    for (const ThemeRow &row : themeRows)
        m_colors[size_t(row.role)] = QColor::fromRgb(m_dark ? row.dark : row.light);
    const auto set = [this](ColorRole role, const QColor &color) { m_colors[size_t(role)] = color; };

    if (isHighContrast()) {
        const QColor base = m_dark ? QColor(Qt::black) : QColor(Qt::white);
        const QColor text = m_dark ? QColor(Qt::white) : QColor(Qt::black);
        for (ColorRole role :
             {ColorRole::Chrome, ColorRole::Panel, ColorRole::Base, ColorRole::Button, ColorRole::Segment,
              ColorRole::Trough, ColorRole::OkTint, ColorRole::InfoTint, ColorRole::WarnTint, ColorRole::BadTint,
              ColorRole::RestTint, ColorRole::MutedTint, ColorRole::AddedRow, ColorRole::ChangedRow,
              ColorRole::RemovedRow, ColorRole::ErrorRow, ColorRole::AccentTint})
            set(role, base);
        for (ColorRole role :
             {ColorRole::Text,        ColorRole::Muted,        ColorRole::Quiet,    ColorRole::Border,
              ColorRole::Edge,        ColorRole::Hair,         ColorRole::Seam,     ColorRole::SegmentEdge,
              ColorRole::Thumb,       ColorRole::Ok,           ColorRole::OkFill,   ColorRole::Info,
              ColorRole::Warn,        ColorRole::Bad,          ColorRole::Rest,     ColorRole::ValueText,
              ColorRole::ValueNumber, ColorRole::ValueKeyword, ColorRole::ValueKey, ColorRole::MarkSign})
            set(role, text);
        const QColor strong = m_dark ? QColor(Qt::yellow) : QColor(Qt::blue);
        set(ColorRole::Accent, strong);
        set(ColorRole::AccentFill, strong);
        set(ColorRole::AccentFillText, base);
        for (ColorRole role : {ColorRole::Sel, ColorRole::SelSide, ColorRole::AddedMark, ColorRole::ChangedMark,
                               ColorRole::RemovedMark, ColorRole::Hover, ColorRole::ButtonPressed})
            set(role, mix(strong, base, 0.2));
        set(ColorRole::SelText, text);
        set(ColorRole::Faint, mix(text, base, 0.62)); // what is off looks off, at 5:1
    }
    set(ColorRole::Grid, mix(color(ColorRole::Hair), color(ColorRole::Base), 0.35));
    set(ColorRole::None, QColor(0, 0, 0, 0));
    rebuildFonts();
}

void Theme::rebuildFonts()
{
    const bool inter = themeFamilyInstalled(QStringLiteral("Inter"));
    const bool jetBrains = themeFamilyInstalled(QStringLiteral("JetBrains Mono"));
    const double found = m_systemFont.pointSizeF() > 0 ? m_systemFont.pointSizeF() : 10;
    // Inter is drawn larger than most desktop fonts: 9.75 pt looks like their 10 and lands on whole pixels.
    double base = found * m_textScale;
    QFont body = m_systemFont;
    if (inter) {
        base = (found <= 11 ? 9.75 : found - 0.25) * m_textScale;
        body = QFont(QStringLiteral("Inter"));
    }
    QFont data =
        jetBrains ? QFont(QStringLiteral("JetBrains Mono")) : QFontDatabase::systemFont(QFontDatabase::FixedFont);
    data.setStyleHint(QFont::Monospace);
    const double dataBase = jetBrains && inter ? base - 0.75 * m_textScale : base;

    const auto make = [this](FontRole role, const QFont &from, double size, QFont::Weight weight) {
        QFont font = from;
        font.setPointSizeF(std::max(6.75, size));
        font.setWeight(weight);
        font.setHintingPreference(QFont::PreferNoHinting);
        m_fonts[size_t(role)] = font;
    };
    const double s = m_textScale;
    make(FontRole::Body, body, base, QFont::Normal);
    make(FontRole::Strong, body, base, QFont::DemiBold);
    make(FontRole::Lead, body, base + 0.75 * s, QFont::Normal);
    make(FontRole::Title, body, base + 2.25 * s, QFont::Normal);
    make(FontRole::TitleStrong, body, base + 2.25 * s, QFont::DemiBold);
    make(FontRole::Secondary, body, base - 0.75 * s, QFont::Normal);
    make(FontRole::SecondaryStrong, body, base - 0.75 * s, QFont::DemiBold);
    make(FontRole::Chip, body, base - 0.5 * s, QFont::Normal);
    make(FontRole::ChipStrong, body, base - 0.5 * s, QFont::DemiBold);
    make(FontRole::Data, data, dataBase, QFont::Normal);
    make(FontRole::DataStrong, data, dataBase, QFont::DemiBold);
    make(FontRole::DataSmall, data, dataBase - 0.75 * s, QFont::Normal);
    make(FontRole::Axis, body, base - 1.25 * s, QFont::Normal);
    make(FontRole::Figure, body, base + 3.5 * s, QFont::DemiBold);
    make(FontRole::Product, body, base + 8 * s, QFont::DemiBold);
    make(FontRole::Keys, body, base - 1 * s, QFont::Normal);
    m_rowHeight = std::max(24, QFontMetrics(font(FontRole::Body)).height() + 8);
}

void Theme::applyToApplication()
{
    if (!m_installed)
        return;
    QPalette palette;
    const auto set = [&](QPalette::ColorRole role, ColorRole ours) { palette.setColor(role, color(ours)); };
    set(QPalette::Window, ColorRole::Chrome);
    set(QPalette::WindowText, ColorRole::Text);
    set(QPalette::Base, ColorRole::Base);
    set(QPalette::AlternateBase, ColorRole::Panel);
    set(QPalette::Text, ColorRole::Text);
    set(QPalette::Button, ColorRole::Button);
    set(QPalette::ButtonText, ColorRole::Text);
    set(QPalette::BrightText, ColorRole::AccentFillText);
    set(QPalette::ToolTipBase, ColorRole::Panel);
    set(QPalette::ToolTipText, ColorRole::Text);
    set(QPalette::PlaceholderText, ColorRole::Quiet);
    set(QPalette::Link, ColorRole::Accent);
    set(QPalette::LinkVisited, ColorRole::Accent);
    set(QPalette::Highlight, ColorRole::Sel);
    set(QPalette::HighlightedText, ColorRole::SelText);
    set(QPalette::Light, ColorRole::Base);
    set(QPalette::Midlight, ColorRole::Hair);
    set(QPalette::Mid, ColorRole::Edge);
    set(QPalette::Dark, ColorRole::Border);
    set(QPalette::Shadow, ColorRole::Seam);
    for (QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, color(ColorRole::Faint));
    palette.setColor(QPalette::Disabled, QPalette::Base, color(ColorRole::Panel));

    m_applying = true;
    QApplication::setFont(font(FontRole::Body));
    QApplication::setPalette(palette);
    QToolTip::setPalette(palette);
    m_applying = false;
}

} // namespace terrarium::ui
