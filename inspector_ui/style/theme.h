#pragma once
// Every colour and font of the window, by name. Nothing else in the window names a colour.
//
// One theme belongs to the application object. Paint code asks theme().color(ColorRole::Muted) each time it
// paints and caches nothing beyond changed(): so a switch of theme or text size needs no restart.
// High contrast takes its colours from the desktop's palette: the families fall back to the text colour and
// shapes alone tell states apart.

#include <QColor>
#include <QFont>
#include <QObject>
#include <QPalette>

#include <array>

QT_BEGIN_NAMESPACE
class QApplication;
QT_END_NAMESPACE

namespace terrarium::ui {

enum class ColorRole : quint8 {
    None, ///< transparent
    // Surfaces
    Chrome,
    Panel,
    Base,
    Hover,
    Sel,
    SelText,
    SelSide,
    // Text and lines
    Text,
    Muted,
    Quiet,
    Faint,
    Border,
    Edge,
    Hair,
    Grid,
    Seam,
    // Controls
    Button,
    ButtonPressed,
    Accent,
    AccentFill,
    AccentFillText,
    AccentTint,
    Trough,
    Segment,
    SegmentEdge,
    Thumb,
    // Status families and their tints
    Ok,
    OkTint,
    OkFill,
    Info,
    InfoTint,
    Warn,
    WarnTint,
    Bad,
    BadTint,
    Rest,
    RestTint,
    MutedTint,
    // Changes
    AddedRow,
    AddedMark,
    ChangedRow,
    ChangedMark,
    RemovedRow,
    RemovedMark,
    ErrorRow,
    MarkSign,
    // Data
    ValueText,
    ValueNumber,
    ValueKeyword,
    ValueKey,
    Count
};

/// What a status means, not how it looks.
enum class Family : quint8 { Ok, Info, Warn, Bad, Rest, Muted };
ColorRole familyColor(Family family);
ColorRole familyTint(Family family);

enum class FontRole : quint8 {
    Body,
    Strong, ///< demi-bold
    Lead,   ///< the sentence under a product or page name
    Title,
    TitleStrong, ///< page title
    Secondary,
    SecondaryStrong, ///< second lines, headers, status bar
    Chip,
    ChipStrong,
    Data,
    DataStrong,
    DataSmall, ///< fixed width
    Axis,      ///< plots
    Figure,    ///< on a tile
    Product,   ///< product name on the first page
    Keys,      ///< keyboard hints in buttons and fields
    Count
};

enum class ThemeMode : quint8 { System, Light, Dark, HighContrast };

class Theme final : public QObject {
    Q_OBJECT
public:
    explicit Theme(QObject *parent);

    /// The theme of the application object, made with the first call.
    static Theme &current();

    /// Sets style, palette and fonts of the application. Call once after the application object exists.
    void install(QApplication &app);

    void setMode(ThemeMode mode);
    ThemeMode mode() const { return m_mode; }
    /// What System came to.
    bool isDark() const { return m_dark; }
    bool isHighContrast() const { return m_mode == ThemeMode::HighContrast; }
    /// "light", "dark", "highContrast"
    QString name() const;

    /// 1.0 is the size of the desktop's text; 0.8 to 2.0.
    void setTextScale(double scale);
    double textScale() const { return m_textScale; }

    QColor color(ColorRole role) const { return m_colors[size_t(role)]; }
    const QFont &font(FontRole role) const { return m_fonts[size_t(role)]; }
    /// `a` part of `over` on `under`.
    static QColor mix(const QColor &over, const QColor &under, double a);
    /// WCAG contrast of two opaque colours, 1 to 21.
    static double contrast(const QColor &a, const QColor &b);

    /// Text height plus what a row needs around it: 24 at the usual size.
    int rowHeight() const { return m_rowHeight; }

Q_SIGNALS:
    void changed();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void rebuild();
    void rebuildFonts();
    void applyToApplication();

    ThemeMode m_mode = ThemeMode::System;
    bool m_dark = false;
    bool m_installed = false;
    bool m_applying = false;
    double m_textScale = 1.0;
    int m_rowHeight = 24;
    QPalette m_systemPalette;
    QFont m_systemFont;
    std::array<QColor, size_t(ColorRole::Count)> m_colors;
    std::array<QFont, size_t(FontRole::Count)> m_fonts;
};

/// Short for Theme::current().
inline Theme &theme()
{
    return Theme::current();
}

} // namespace terrarium::ui
