// A folder has one owner, who is named to everybody else, and whose lock dies with it.

#include "storage/owner_lock.h"
#include "storage_support.h"

#include <QtTest>

#ifdef Q_OS_UNIX
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>
#endif

using namespace terrarium;
using storage_support::thrown;
using storage_support::thrownError;

class tst_OwnerLock : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void secondOwnerIsRefusedAndToldWho();
    void releasedFolderCanBeTaken();
    void killedOwnerLeavesNothingBehind();
    void folderThatCannotBeWrittenIsUnavailable();
};

void tst_OwnerLock::secondOwnerIsRefusedAndToldWho()
{
    QTemporaryDir dir;
    const OwnerLock first(dir.path(), QStringLiteral("shop-dev"), 1234);

    const auto error = thrownError([&] { OwnerLock second(dir.path(), QStringLiteral("other"), 5678); });

    QVERIFY(error);
    QCOMPARE(error->group(), QStringLiteral("host"));
    QCOMPARE(error->code(), QStringLiteral("data_in_use"));
    const Value &owner = error->metadata()["owner"];
    QCOMPARE(owner["pid"].toInt(), QCoreApplication::applicationPid());
    QCOMPARE(owner["name"].toText(), QStringLiteral("shop-dev"));
    QCOMPARE(owner["startedAt"].toInt(), 1234);
    QCOMPARE(error->metadata()["dataDir"].toText(), dir.path());
    QVERIFY(error->message().contains(QString::number(QCoreApplication::applicationPid())));
}

void tst_OwnerLock::releasedFolderCanBeTaken()
{
    QTemporaryDir dir;
    {
        const OwnerLock first(dir.path(), QStringLiteral("a"), 1);
    }

    QCOMPARE(thrown([&] { OwnerLock second(dir.path(), QStringLiteral("b"), 2); }), QStringLiteral("nothing"));
}

void tst_OwnerLock::killedOwnerLeavesNothingBehind()
{
#ifdef Q_OS_UNIX
    QTemporaryDir dir;
    int ready[2];
    QVERIFY(::pipe(ready) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const OwnerLock held(dir.path(), QStringLiteral("child"), 1);
        [[maybe_unused]] const auto told = ::write(ready[1], "x", 1);
        for (;;)
            ::pause();
    }
    char byte = 0;
    QCOMPARE(int(::read(ready[0], &byte, 1)), 1);
    QCOMPARE(thrown([&] { OwnerLock mine(dir.path(), QStringLiteral("b"), 2); }), QStringLiteral("host/data_in_use"));

    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);

    QCOMPARE(thrown([&] { OwnerLock mine(dir.path(), QStringLiteral("b"), 2); }), QStringLiteral("nothing"));
#else
    QSKIP("needs fork");
#endif
}

void tst_OwnerLock::folderThatCannotBeWrittenIsUnavailable()
{
    QTemporaryDir dir;

    QCOMPARE(thrown([&] { OwnerLock lock(dir.filePath(QStringLiteral("absent")), {}, 1); }),
             QStringLiteral("storage/unavailable"));
}

QTEST_GUILESS_MAIN(tst_OwnerLock)
#include "tst_owner_lock.moc"
