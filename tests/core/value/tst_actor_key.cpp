// Keys and their slash form, which is on disk and on the wire.

#include <terrarium/actor_key.h>

#include <QTest>

using namespace terrarium;

class tst_ActorKey : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void textForm_data()
    {
        QTest::addColumn<QStringList>("segments");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("display");
        const auto row = [](const char *name, QStringList segments, const char *text, const char *display) {
            QTest::newRow(name) << segments << QString::fromUtf8(text) << QString::fromUtf8(display);
        };
        row("empty key", {}, "/", "/");
        row("one", {QStringLiteral("dev")}, "dev", "dev");
        row("two", {QStringLiteral("room"), QStringLiteral("7")}, "room/7", "room/7");
        row("empty segment", {QString()}, "\\0", "[\"\"]");
        row("empty in the middle", {QStringLiteral("a"), QString(), QStringLiteral("b")}, "a/\\0/b",
            "[\"a\", \"\", \"b\"]");
        row("slash inside", {QStringLiteral("a/b")}, "a\\/b", "[\"a/b\"]");
        row("backslash inside", {QStringLiteral("a\\b")}, "a\\\\b", "[\"a\\\\b\"]");
        row("looks like the empty mark", {QStringLiteral("\\0")}, "\\\\0", "[\"\\\\0\"]");
        row("a lone slash", {QStringLiteral("/")}, "\\/", "[\"/\"]");
        row("digit zero", {QStringLiteral("0")}, "0", "0");
        row("other scripts", {QStringLiteral("ключ"), QStringLiteral("部屋"), QStringLiteral("😀")}, "ключ/部屋/😀",
            "ключ/部屋/😀");
        row("comma and space", {QStringLiteral("a, b")}, "a, b", "a, b");
        row("line end", {QStringLiteral("a\nb")}, "a\nb", "[\"a\\nb\"]");
        row("space at the end", {QStringLiteral("a ")}, "a ", "[\"a \"]");
        row("bracket", {QStringLiteral("[\"a\"]")}, "[\"a\"]", "[\"[\\\"a\\\"]\"]");
    }
    void textForm()
    {
        QFETCH(QStringList, segments);
        QFETCH(QString, text);
        QFETCH(QString, display);
        const ActorKey key(segments);

        QCOMPARE(key.toText(), text);
        QVERIFY(ActorKey::fromText(text) == key);
        QCOMPARE(key.display(), display);
    }

    void brokenTextIsNoKey()
    {
        for (const QStringView text : {u"a\\", u"\\", u"a\\b", u"a\\0", u"\\0a", u"\\0\\0", u"x/\\n"})
            QVERIFY2(!ActorKey::fromText(text), qPrintable(text.toString()));
    }

    void emptyTextIsTheEmptyKey()
    {
        QVERIFY(ActorKey::fromText(u"") == ActorKey());
        QVERIFY(ActorKey::fromText(u"/") == ActorKey());
    }

    void unmarkedEmptySegmentsAreRead()
    {
        QVERIFY(ActorKey::fromText(u"a/") == ActorKey(QStringList{QStringLiteral("a"), QString()}));
        QVERIFY(ActorKey::fromText(u"/a") == ActorKey(QStringList{QString(), QStringLiteral("a")}));
    }

    void segmentsAreNotText()
    {
        QVERIFY(ActorKey("a/b") != ActorKey(QStringList{QStringLiteral("a"), QStringLiteral("b")}));
        QCOMPARE(qHash(ActorKey("x"), 1), qHash(ActorKey(QStringLiteral("x")), 1));
    }
};

QTEST_GUILESS_MAIN(tst_ActorKey)
#include "tst_actor_key.moc"
