#include "inspector_ui/window_fixture.h"

#include "shell/attach_dialog.h"
#include "style/theme.h"
#include "widgets/data_table.h"
#include "widgets/run_label.h"

#include <QApplication>
#include <QCheckBox>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QtTest>

using namespace terrarium;
using namespace terrarium::ui;

namespace {

struct DialogFixture : WindowFixture {
    DialogFixture() : host(environment, QStringLiteral("shop-dev"))
    {
        host.addActor(QStringLiteral("t"), ActorKey("a"));
        dialog = window->openAttachDialog(QUrl(QStringLiteral("ws://127.0.0.1:6420")));
        dialog->setConnector(host.address().connect);
    }
    QLineEdit *url() { return dialog->findChild<QLineEdit *>(QStringLiteral("attachUrlEdit")); }
    QLineEdit *token() { return dialog->findChild<QLineEdit *>(QStringLiteral("attachTokenEdit")); }
    QString error() { return dialog->findChild<RunLabel *>(QStringLiteral("attachError"))->text(); }
    void press()
    {
        QTest::mouseClick(dialog->findChild<QPushButton *>(QStringLiteral("attachButton")), Qt::LeftButton);
        run();
    }
    void run()
    {
        for (int i = 0; i < 20; ++i)
            environment.advance(std::chrono::milliseconds(25));
        settle();
    }

    FakeHost host;
    QPointer<AttachDialog> dialog;
};

} // namespace

class tst_AttachDialog final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme().install(*qApp); }
    void attachesAndClosesWhenTheHostSaidWelcome();
    void wrongTokenIsSaidBesideTheToken();
    void theRightTokenAfterAWrongOneAttaches();
    void everyProblemHasItsTextAndNextStep();
    void nothingListensIsSaidBesideTheAddress();
    void aBadAddressIsNotTried();
    void aMissingSchemeIsFilledIn();
    void listedHostsFillAddressAndToken();
    void readOnlyIsAskedFor();
    void rememberedTokensAreInAFileOfTheirOwn();
    void aHostAttachedAlreadyIsNotAttachedTwice();
    void theTokenIsHiddenUntilAskedFor();
};

void tst_AttachDialog::attachesAndClosesWhenTheHostSaidWelcome()
{
    DialogFixture f;
    QVERIFY(f.dialog->isVisible());

    f.press();

    QVERIFY(!f.dialog || !f.dialog->isVisible());
    QCOMPARE(f.window->links().size(), 1);
    QCOMPARE(f.window->links().at(0)->state(), LinkState::Live);
    QCOMPARE(f.window->links().at(0)->store().size(), 1);
    QCOMPARE(f.settings->recentHosts().size(), 1);
    QCOMPARE(f.settings->recentHosts().first().name, QStringLiteral("shop-dev"));
}

void tst_AttachDialog::wrongTokenIsSaidBesideTheToken()
{
    DialogFixture f;
    f.host.setToken(QStringLiteral("right"));
    f.token()->setText(QStringLiteral("wrong"));

    f.press();

    QVERIFY(f.dialog && f.dialog->isVisible());
    QVERIFY2(f.error().contains(QStringLiteral("token")), qPrintable(f.error()));
    QVERIFY(f.token()->property("invalid").toBool());
    QVERIFY(!f.url()->property("invalid").toBool());
    QCOMPARE(f.window->links().size(), 0);
    QTest::keyClicks(f.token(), QStringLiteral("x"));
    QVERIFY(!f.token()->property("invalid").toBool());
    QCOMPARE(f.error(), QString());
}

void tst_AttachDialog::theRightTokenAfterAWrongOneAttaches()
{
    DialogFixture f;
    f.host.setToken(QStringLiteral("right"));
    f.token()->setText(QStringLiteral("wrong"));
    f.press();

    f.token()->setText(QStringLiteral("right"));
    f.press();

    QCOMPARE(f.window->links().size(), 1);
}

void tst_AttachDialog::everyProblemHasItsTextAndNextStep()
{
    QSet<QString> texts;
    const QList<LinkProblem> problems{
        LinkProblem::NothingListens, LinkProblem::NotAHost,      LinkProblem::TokenWrong,
        LinkProblem::TokenMissing,   LinkProblem::VersionTooNew, LinkProblem::VersionTooOld,
        LinkProblem::NameNotFound,   LinkProblem::TimedOut,      LinkProblem::Cut,
        LinkProblem::HostStopped};
    for (LinkProblem problem : problems) {
        const auto [fact, next] = AttachDialog::problemText(problem, QStringLiteral("worker"), {});
        QVERIFY(!fact.isEmpty());
        QVERIFY2(!next.isEmpty(), qPrintable(fact));
        texts.insert(fact);
    }
    QCOMPARE(texts.size(), problems.size());
}

void tst_AttachDialog::nothingListensIsSaidBesideTheAddress()
{
    DialogFixture f;
    f.host.setReachable(false);

    f.press();

    QVERIFY(f.dialog && f.dialog->isVisible());
    QVERIFY(f.url()->property("invalid").toBool());
    QVERIFY(!f.error().isEmpty());
    QCOMPARE(f.window->links().size(), 0);
}

void tst_AttachDialog::aBadAddressIsNotTried()
{
    DialogFixture f;
    for (const char *bad : {"", "ftp://a", "ws://", "ws://[::", "http//x y"}) {
        f.url()->setText(QLatin1String(bad));
        f.press();
        QVERIFY2(f.url()->property("invalid").toBool(), bad);
        QVERIFY(f.dialog->isVisible());
    }
    QCOMPARE(f.host.linksAccepted(), 0);
}

void tst_AttachDialog::aMissingSchemeIsFilledIn()
{
    DialogFixture f;
    f.url()->setText(QStringLiteral("127.0.0.1:7000"));

    f.press();

    QCOMPARE(f.window->links().size(), 1);
    QCOMPARE(f.window->links().at(0)->address().url, QUrl(QStringLiteral("ws://127.0.0.1:7000")));
}

void tst_AttachDialog::listedHostsFillAddressAndToken()
{
    WindowFixture f;
    DiscoveredHost one;
    one.name = QStringLiteral("one");
    one.url = QUrl(QStringLiteral("ws://127.0.0.1:6420"));
    one.token = QStringLiteral("found");
    DiscoveredHost two;
    two.name = QStringLiteral("two");
    two.url = QUrl(QStringLiteral("ws://127.0.0.1:6421"));
    two.needsToken = true;
    f.window->setDiscovery([=] { return QList<DiscoveredHost>{one, two}; });
    AttachDialog *dialog = f.window->openAttachDialog();
    auto *url = dialog->findChild<QLineEdit *>(QStringLiteral("attachUrlEdit"));
    auto *token = dialog->findChild<QLineEdit *>(QStringLiteral("attachTokenEdit"));
    auto *list = dialog->findChild<DataTable *>(QStringLiteral("attachHostList"));
    QCOMPARE(url->text(), QStringLiteral("ws://127.0.0.1:6420"));
    QCOMPARE(token->text(), QStringLiteral("found"));

    const QRect second = list->visualRect(list->model()->index(1, 0));
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, second.center());

    QCOMPARE(url->text(), QStringLiteral("ws://127.0.0.1:6421"));
    QCOMPARE(token->text(), QString());
    QVERIFY(list->model()->index(1, 0).data().toString().contains(QStringLiteral("needs a token")));
}

void tst_AttachDialog::readOnlyIsAskedFor()
{
    DialogFixture f;
    f.dialog->findChild<QCheckBox *>(QStringLiteral("attachReadOnlyCheck"))->setChecked(true);

    f.press();

    QVERIFY(f.window->links().at(0)->isReadOnly());
}

void tst_AttachDialog::rememberedTokensAreInAFileOfTheirOwn()
{
    DialogFixture f;
    f.host.setToken(QStringLiteral("secret-token"));
    f.token()->setText(QStringLiteral("secret-token"));
    for (QRadioButton *button : f.dialog->findChildren<QRadioButton *>()) {
        if (button->text().contains(QStringLiteral("Remember")))
            button->setChecked(true);
    }

    f.press();

    QCOMPARE(f.settings->token(QStringLiteral("ws://127.0.0.1:6420")), QStringLiteral("secret-token"));
    const QFileInfo tokens(f.folder.filePath(QStringLiteral("tokens")));
    QVERIFY(tokens.exists());
    QVERIFY(!(tokens.permissions() & (QFile::ReadGroup | QFile::ReadOther)));
    QSettings(f.folder.filePath(QStringLiteral("window.ini")), QSettings::IniFormat).sync();
    QFile ini(f.folder.filePath(QStringLiteral("window.ini")));
    QVERIFY(!ini.open(QIODevice::ReadOnly) || !ini.readAll().contains("secret-token"));
}

void tst_AttachDialog::aHostAttachedAlreadyIsNotAttachedTwice()
{
    DialogFixture f;
    HostAddress address = f.host.address();
    address.url = QUrl(QStringLiteral("ws://127.0.0.1:6420"));
    f.window->attach(address);
    f.settle();
    f.dialog->setConnector({});

    f.press();

    QVERIFY(f.error().contains(QStringLiteral("already")));
    QCOMPARE(f.window->links().size(), 1);
}

void tst_AttachDialog::theTokenIsHiddenUntilAskedFor()
{
    DialogFixture f;
    QCOMPARE(f.token()->echoMode(), QLineEdit::Password);

    f.token()->actions().first()->trigger();
    QCOMPARE(f.token()->echoMode(), QLineEdit::Normal);

    f.token()->actions().first()->trigger();
    QCOMPARE(f.token()->echoMode(), QLineEdit::Password);
}

QTEST_MAIN(tst_AttachDialog)
#include "tst_attach_dialog.moc"
