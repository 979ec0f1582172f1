#include "shell/banner_strip.h"
#include "style/theme.h"
#include "widgets/banner.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QtTest>

using namespace terrarium::ui;

class tst_BannerStrip final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme().install(*qApp); }
    void theMostImportantTwoAreShown();
    void aWaitingBannerComesWhenThereIsRoom();
    void nothingOnTakesNoHeight();
    void theButtonTellsTheFactAndTheKey();
    void hostTextStaysText();
};

void tst_BannerStrip::theMostImportantTwoAreShown()
{
    BannerStrip strip;
    strip.setOn(BannerStrip::Gap, true);
    strip.setOn(BannerStrip::Command, true);
    QCOMPARE(strip.shown(), QList<BannerStrip::Kind>({BannerStrip::Gap, BannerStrip::Command}));

    strip.setOn(BannerStrip::Disconnected, true);

    QCOMPARE(strip.shown(), QList<BannerStrip::Kind>({BannerStrip::Disconnected, BannerStrip::Gap}));
    QVERIFY(strip.isOn(BannerStrip::Command));
}

void tst_BannerStrip::aWaitingBannerComesWhenThereIsRoom()
{
    BannerStrip strip;
    for (BannerStrip::Kind kind : {BannerStrip::Disconnected, BannerStrip::NotLive, BannerStrip::Gap})
        strip.setOn(kind, true);
    QCOMPARE(strip.shown(), QList<BannerStrip::Kind>({BannerStrip::Disconnected, BannerStrip::NotLive}));

    strip.setOn(BannerStrip::Disconnected, false);

    QCOMPARE(strip.shown(), QList<BannerStrip::Kind>({BannerStrip::NotLive, BannerStrip::Gap}));
}

void tst_BannerStrip::nothingOnTakesNoHeight()
{
    BannerStrip strip;
    QCOMPARE(strip.sizeHint().height(), 0);
    strip.setOn(BannerStrip::NotLive, true);
    QCOMPARE(strip.sizeHint().height(), 36);
}

void tst_BannerStrip::theButtonTellsTheFactAndTheKey()
{
    BannerStrip strip;
    Banner *banner = strip.banner(BannerStrip::NotLive);
    QCOMPARE(banner->objectName(), QStringLiteral("bannerNotLive"));
    banner->setContent(QStringLiteral("Not live: #12"), QStringLiteral("Edits are off."));
    banner->setAction(QStringLiteral("Back to live"), QStringLiteral("End"));
    strip.setOn(BannerStrip::NotLive, true);
    strip.resize(800, 36);
    strip.show();
    QSignalSpy triggered(banner, &Banner::actionTriggered);

    auto *button = banner->findChild<QPushButton *>();
    QTest::mouseClick(button, Qt::LeftButton);

    QCOMPARE(triggered.count(), 1);
    QCOMPARE(button->property("keys").toString(), QStringLiteral("End"));
    QVERIFY(banner->accessibleName().contains(QStringLiteral("Not live: #12")));
}

void tst_BannerStrip::hostTextStaysText()
{
    BannerStrip strip;
    Banner *banner = strip.banner(BannerStrip::Command);
    banner->setContent(QStringLiteral("<b>x</b>"), QStringLiteral("<img src='http://example.invalid/a'>"));

    for (const QLabel *label : banner->findChildren<QLabel *>())
        QCOMPARE(label->textFormat(), Qt::PlainText);
    QCOMPARE(banner->detail(), QStringLiteral("<img src='http://example.invalid/a'>"));
}

QTEST_MAIN(tst_BannerStrip)
#include "tst_banner_strip.moc"
