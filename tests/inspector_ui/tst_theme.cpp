// The token table: contrast computed, not believed.

#include "style/icons.h"
#include "style/theme.h"

#include <QApplication>
#include <QtTest>

using namespace terrarium::ui;

class tst_Theme final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme().install(*qApp); }
    void textIsReadableOnEverySurface_data() { modes(); }
    void textIsReadableOnEverySurface();
    void glyphsAndFieldBordersStandOut_data() { modes(); }
    void glyphsAndFieldBordersStandOut();
    void textIsReadableOnEveryTint_data() { modes(); }
    void textIsReadableOnEveryTint();
    void dataColoursAreReadable_data() { modes(); }
    void dataColoursAreReadable();
    void filledButtonsAndMarksCarryReadableSigns_data() { modes(); }
    void filledButtonsAndMarksCarryReadableSigns();
    void highContrastHasNoGreyText();
    void changingTheModeTellsOnceAndRepaintsPalette();
    void largerTextGrowsRows();
    void everyIconFileIsKnownAndTinted();
    void disabledIconsAreFaint();

private:
    static void modes()
    {
        QTest::addColumn<int>("mode");
        QTest::newRow("light") << int(ThemeMode::Light);
        QTest::newRow("dark") << int(ThemeMode::Dark);
    }
    static void atLeast(ColorRole over, ColorRole under, double least)
    {
        const double contrast = Theme::contrast(theme().color(over), theme().color(under));
        QVERIFY2(
            contrast >= least,
            qPrintable(
                QStringLiteral("role %1 on role %2: %3 < %4").arg(int(over)).arg(int(under)).arg(contrast).arg(least)));
    }
};

void tst_Theme::textIsReadableOnEverySurface()
{
    QFETCH(int, mode);
    theme().setMode(ThemeMode(mode));

    for (ColorRole surface : {ColorRole::Base, ColorRole::Panel, ColorRole::Chrome, ColorRole::Button, ColorRole::Hover,
                              ColorRole::SelSide})
        atLeast(ColorRole::Text, surface, 7);
    for (ColorRole surface : {ColorRole::Base, ColorRole::Panel, ColorRole::Chrome})
        atLeast(ColorRole::Muted, surface, 4.5);
    for (ColorRole surface : {ColorRole::Base, ColorRole::Panel})
        atLeast(ColorRole::Quiet, surface, 4.5);
    atLeast(ColorRole::SelText, ColorRole::Sel, 9);
    atLeast(ColorRole::Faint, ColorRole::Base, 3);
    atLeast(ColorRole::Accent, ColorRole::Base, 4.5);
}

void tst_Theme::glyphsAndFieldBordersStandOut()
{
    QFETCH(int, mode);
    theme().setMode(ThemeMode(mode));

    for (Family family : {Family::Ok, Family::Info, Family::Warn, Family::Bad, Family::Rest, Family::Muted}) {
        for (ColorRole surface :
             {ColorRole::Base, ColorRole::Panel, ColorRole::Chrome, ColorRole::Sel, ColorRole::SelSide})
            atLeast(familyColor(family), surface, 3);
    }
    atLeast(ColorRole::Border, ColorRole::Base, 3);
}

void tst_Theme::textIsReadableOnEveryTint()
{
    QFETCH(int, mode);
    theme().setMode(ThemeMode(mode));

    for (Family family : {Family::Ok, Family::Info, Family::Warn, Family::Bad, Family::Rest})
        atLeast(ColorRole::Text, familyTint(family), 9.5);
    for (ColorRole row : {ColorRole::AddedRow, ColorRole::ChangedRow, ColorRole::RemovedRow, ColorRole::ErrorRow})
        atLeast(ColorRole::Text, row, 7);
}

void tst_Theme::dataColoursAreReadable()
{
    QFETCH(int, mode);
    theme().setMode(ThemeMode(mode));

    for (ColorRole role : {ColorRole::ValueText, ColorRole::ValueNumber, ColorRole::ValueKeyword, ColorRole::ValueKey})
        atLeast(role, ColorRole::Base, 6.3);
}

void tst_Theme::filledButtonsAndMarksCarryReadableSigns()
{
    QFETCH(int, mode);
    theme().setMode(ThemeMode(mode));

    atLeast(ColorRole::AccentFillText, ColorRole::AccentFill, 5);
    for (ColorRole mark : {ColorRole::AddedMark, ColorRole::ChangedMark, ColorRole::RemovedMark})
        atLeast(ColorRole::MarkSign, mark, 7);
}

void tst_Theme::highContrastHasNoGreyText()
{
    theme().setMode(ThemeMode::HighContrast);

    QCOMPARE(theme().name(), QStringLiteral("highContrast"));
    QCOMPARE(theme().color(ColorRole::Muted), theme().color(ColorRole::Text));
    QCOMPARE(theme().color(ColorRole::Bad), theme().color(ColorRole::Text));
    atLeast(ColorRole::Text, ColorRole::Base, 20);
    atLeast(ColorRole::Accent, ColorRole::Base, 3);
}

void tst_Theme::changingTheModeTellsOnceAndRepaintsPalette()
{
    theme().setMode(ThemeMode::Light);
    QSignalSpy changed(&theme(), &Theme::changed);

    theme().setMode(ThemeMode::Dark);

    QCOMPARE(changed.count(), 1);
    QVERIFY(theme().isDark());
    QCOMPARE(QApplication::palette().color(QPalette::Base), theme().color(ColorRole::Base));
    theme().setMode(ThemeMode::Dark);
    QCOMPARE(changed.count(), 1);
}

void tst_Theme::largerTextGrowsRows()
{
    const int before = theme().rowHeight();

    theme().setTextScale(2);

    QVERIFY(theme().rowHeight() > before);
    QVERIFY(theme().font(FontRole::Body).pointSizeF() > 15);
    theme().setTextScale(5);
    QCOMPARE(theme().textScale(), 2.0);
    theme().setTextScale(1);
    QCOMPARE(theme().rowHeight(), before);
}

void tst_Theme::everyIconFileIsKnownAndTinted()
{
    int count = 0;
    const QStringList names = QDir(QStringLiteral(":/terrarium/icons")).entryList();
    for (const QString &file : names) {
        const QString name = file.chopped(4);
        QVERIFY(icons::exists(name));
        if (name == QLatin1String("app-icon"))
            continue;
        const QImage image = icons::pixmap(name, QColor(200, 10, 20), 24, 2).toImage();
        QCOMPARE(image.size(), QSize(48, 48));
        int inked = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                const QColor pixel = image.pixelColor(x, y);
                if (pixel.alpha() > 200) {
                    ++inked;
                    QVERIFY2(pixel.red() > 150 && pixel.green() < 80, qPrintable(name));
                }
            }
        }
        QVERIFY2(inked > 20, qPrintable(name));
        ++count;
    }
    QVERIFY(count > 90);
}

void tst_Theme::disabledIconsAreFaint()
{
    theme().setMode(ThemeMode::Light);
    const QIcon icon = icons::icon(QStringLiteral("restart"));

    const QImage on = icon.pixmap(QSize(16, 16), QIcon::Normal).toImage();
    const QImage off = icon.pixmap(QSize(16, 16), QIcon::Disabled).toImage();
    const QImage selected = icon.pixmap(QSize(16, 16), QIcon::Selected).toImage();

    QVERIFY(on != off);
    QCOMPARE(selected, on);
}

QTEST_MAIN(tst_Theme)
#include "tst_theme.moc"
