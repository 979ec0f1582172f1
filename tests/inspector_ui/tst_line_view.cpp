#include "widgets/line_view.h"

#include "widgets/hex_view.h"

#include "inspector_ui/section_fixture.h"

#include <QClipboard>
#include <QScrollBar>

using namespace terrarium::ui;
using namespace terrarium::testing;

class TestLineView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { prepareSectionTest(); }

    void linesAreThoseOfTheText()
    {
        LineView view;
        view.setText(QStringLiteral("{\n  \"a\": 1\n}"));
        QCOMPARE(view.lineCount(), 3);
        QCOMPARE(view.line(1), QStringLiteral("  \"a\": 1"));
        QCOMPARE(view.line(2), QStringLiteral("}"));
        QCOMPARE(view.line(3), QString());
        view.setText(QString());
        QCOMPARE(view.lineCount(), 0);
        view.setText(QStringLiteral("x\n"));
        QCOMPARE(view.lineCount(), 1);
    }

    void findWrapsAndScrollsToTheHit()
    {
        LineView view;
        view.resize(300, 200);
        view.show();
        QString text;
        for (int i = 0; i < 1000; ++i)
            text += i % 400 == 399 ? QStringLiteral("a Needle here\n") : QStringLiteral("line %1\n").arg(i);
        view.setText(text);
        QVERIFY(view.find(QStringLiteral("needle")));
        QCOMPARE(view.currentLine(), 399);
        const auto [first, last] = view.visibleLines();
        QVERIFY(first <= 399 && 399 <= last);
        QVERIFY(view.find(QStringLiteral("needle")));
        QCOMPARE(view.currentLine(), 799);
        QVERIFY(view.find(QStringLiteral("needle")));
        QCOMPARE(view.currentLine(), 399);
        QVERIFY(view.find(QStringLiteral("needle"), true));
        QCOMPARE(view.currentLine(), 799);
        QVERIFY(!view.find(QStringLiteral("absent")));
    }

    void anUpdateKeepsThePlace()
    {
        LineView view;
        view.resize(300, 200);
        view.show();
        QString text;
        for (int i = 0; i < 500; ++i)
            text += QStringLiteral("line %1\n").arg(i);
        view.setText(text);
        view.verticalScrollBar()->setValue(250);
        view.setText(text + QStringLiteral("one more\n"));
        QCOMPARE(view.visibleLines().first, 250);
    }

    void selectedLinesAreCopied()
    {
        LineView view;
        view.resize(300, 200);
        view.show();
        view.setText(QStringLiteral("one\ntwo\nthree\nfour"));
        view.setCurrentLine(1);
        QTest::keyClick(&view, Qt::Key_Down, Qt::ShiftModifier);
        QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("two\nthree\n"));
    }

    void onlyVisibleLinesArePaintedOfALongText()
    {
        LineView view;
        view.resize(600, 400);
        view.show();
        view.setText(QStringLiteral("\"key\": \"value with text\", 12345\n").repeated(90000));
        QCOMPARE(view.lineCount(), 90000);
        QCOMPARE(view.visibleLines().first, 0);
        QVERIFY(view.visibleLines().second < 40);
        view.verticalScrollBar()->setValue(view.verticalScrollBar()->maximum());
        QCOMPARE(view.visibleLines().second, 89999);
        QVERIFY(!view.grab().isNull());
    }

    void aVeryLongLineIsNoProblem()
    {
        LineView view;
        view.resize(300, 100);
        view.show();
        view.setText(QLatin1Char('"') + QString(2000000, QLatin1Char('x')) + QLatin1Char('"'));
        QVERIFY(!view.grab().isNull());
        QCOMPARE(view.line(0).size(), 2000002);
    }

    void hexRowsHoldSixteenBytes()
    {
        HexView view;
        view.setBytes(QByteArray::fromHex("a1656c6f62627902ff0011223344556677889900"));
        QCOMPARE(view.row(0), QStringLiteral("00000000  a1 65 6c 6f 62 62 79 02  ff 00 11 22 33 44 55 66  "
                                             "\u00b7elobby\u00b7\u00b7\u00b7\u00b7\"3DUf"));
        QVERIFY(view.row(1).startsWith(QStringLiteral("00000010  77 88 99 00 ")));
    }

    void hexFindsTextAndDigits()
    {
        HexView view;
        view.resize(700, 200);
        view.show();
        view.setBytes(QByteArray(5000, 'a') + "needle" + QByteArray::fromHex("00ff10"));
        QVERIFY(view.find(QStringLiteral("needle")));
        view.copy();
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("6e 65 65 64 6c 65"));
        QVERIFY(view.find(QStringLiteral("00 ff 10")));
        view.copy();
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("00 ff 10"));
        QVERIFY(!view.find(QStringLiteral("zz")));
    }
};

QTEST_MAIN(TestLineView)
#include "tst_line_view.moc"
