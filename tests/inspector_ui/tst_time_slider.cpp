#include "widgets/time_slider.h"

#include "inspector_ui/section_fixture.h"

#include <QSignalSpy>

using namespace terrarium;
using namespace terrarium::ui;
using namespace terrarium::testing;

class TestTimeSlider : public QObject {
    Q_OBJECT
private:
    std::unique_ptr<SectionFixture> f;
    std::unique_ptr<TimeSlider> slider;
    std::shared_ptr<ActorFeed> feed;

private Q_SLOTS:
    void initTestCase() { prepareSectionTest(); }
    void init()
    {
        f = std::make_unique<SectionFixture>(QStringLiteral("state"), SectionFixture::MockShop);
        feed = f->client->feed(f->host->idOf(QStringLiteral("chatRoom"), ActorKey("lobby")));
        f->settle();
        QVERIFY(feed->isLoaded());
        slider = std::make_unique<TimeSlider>();
        slider->resize(518, 60);
        slider->setFeed(feed);
        slider->setNow(FakeHost::mockNow());
        slider->show();
    }
    void cleanup()
    {
        slider.reset();
        feed.reset();
        f.reset();
    }

    void liveValueIsTheNewest()
    {
        QCOMPARE(slider->value(), feed->newestSequence());
        QVERIFY(slider->isLive());
        slider->setCursor(false, 1278);
        QCOMPARE(slider->value(), 1278ULL);
        QVERIFY(!slider->isLive());
        QVERIFY(slider->accessibleDescription().contains(QStringLiteral("1278")));
    }

    void aClickGoesToTheChangeBeforeThatMoment()
    {
        QSignalSpy moved(slider.get(), &TimeSlider::moved);
        QTest::mouseClick(slider.get(), Qt::LeftButton, {}, QPoint(400, 20));
        QCOMPARE(moved.size(), 1);
        const quint64 sequence = moved.first().first().toULongLong();
        const int at = feed->indexOf(sequence);
        QVERIFY(at >= 0);
        const qint64 begin = FakeHost::mockNow() - slider->visibleMs();
        const qint64 clicked = begin + qint64(400.0 / 512.0 * double(slider->visibleMs()));
        QVERIFY(feed->deltas()[size_t(at)].at <= clicked + 1000);
        if (at + 1 < int(feed->deltas().size()))
            QVERIFY(feed->deltas()[size_t(at) + 1].at >= clicked - 1000);
    }

    void theRightEdgeIsLive()
    {
        QSignalSpy live(slider.get(), &TimeSlider::liveRequested);
        QTest::mouseClick(slider.get(), Qt::LeftButton, {}, QPoint(511, 20));
        QCOMPARE(live.size(), 1);
    }

    void theWheelZoomsAboutThePointer()
    {
        const qint64 before = slider->visibleMs();
        QWheelEvent wheel(QPointF(510, 20), slider->mapToGlobal(QPointF(510, 20)), {}, QPoint(0, 120), Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(slider.get(), &wheel);
        QVERIFY(slider->visibleMs() < before);
        slider->showAll();
        QVERIFY(slider->visibleMs() >= FakeHost::mockNow() - feed->deltas().front().at);
    }

    void arrowKeysAskForSteps()
    {
        QSignalSpy steps(slider.get(), &TimeSlider::stepRequested);
        QTest::keyClick(slider.get(), Qt::Key_Left);
        QTest::keyClick(slider.get(), Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(steps.size(), 2);
        QCOMPARE(steps.at(0).first().toInt(), -1);
        QCOMPARE(steps.at(1).first().toInt(), 10);
    }

    void theKnobIsGreenLiveAmberInThePastAndGreyWhenLost()
    {
        const auto knobLine = [this](int x) { return slider->grab().toImage().pixelColor(x, 30); };
        QCOMPARE(knobLine(510), theme().color(ColorRole::Ok));
        slider->setStale(true);
        QCOMPARE(knobLine(510), theme().color(ColorRole::Faint));
        slider->setStale(false);
        slider->setCursor(false, 1278);
        const QImage image = slider->grab().toImage();
        bool amber = false;
        for (int x = 0; x < image.width(); ++x)
            amber = amber || image.pixelColor(x, 11) == theme().color(ColorRole::Warn);
        QVERIFY(amber);
    }

    void aCursorOutsideTheRangeIsBroughtIntoView()
    {
        const quint64 first = feed->deltas().front().delta.sequence;
        slider->setCursor(false, first);
        const QImage image = slider->grab().toImage();
        bool amber = false;
        for (int x = 0; x < image.width(); ++x)
            amber = amber || image.pixelColor(x, 11) == theme().color(ColorRole::Warn);
        QVERIFY(amber);
    }
};

QTEST_MAIN(TestTimeSlider)
#include "tst_time_slider.moc"
