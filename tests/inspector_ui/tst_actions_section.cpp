#include "inspector_ui/section_fixture.h"

#include "models/action_model.h"
#include "models/call_history_model.h"
#include "models/roles.h"
#include "sections/actions_section.h"
#include "widgets/data_tree.h"
#include "widgets/segmented_control.h"

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QListView>
#include <QPlainTextEdit>
#include <QSignalSpy>

using namespace terrarium;
using namespace terrarium::ui;
using namespace terrarium::testing;

namespace {

wire::ParameterInfo parameter(const char *name, const char *type, bool optional = false)
{
    wire::ParameterInfo p;
    p.name = QString::fromLatin1(name);
    p.type = QString::fromLatin1(type);
    p.optional = optional;
    return p;
}

struct ActionsFixture : SectionFixture {
    ActionsFixture() : SectionFixture(QStringLiteral("actions"))
    {
        wire::TypeInfo type;
        type.name = QStringLiteral("room");
        wire::ActionInfo move;
        move.name = QStringLiteral("move");
        move.parameters = {parameter("x", "int"), parameter("y", "int"), parameter("note", "text", true)};
        move.result = QStringLiteral("map");
        wire::ActionInfo say;
        say.name = QStringLiteral("say");
        say.parameters = {parameter("text", "text")};
        wire::ActionInfo reset;
        reset.name = QStringLiteral("reset");
        wire::ActionInfo login;
        login.name = QStringLiteral("login");
        login.parameters = {parameter("password", "text")};
        type.actions = {say, move, reset, login};
        host->addType(type);
        id = host->addActor(QStringLiteral("room"), ActorKey("a"), wire::ActorStatus::running,
                            Value::map({{QStringLiteral("x"), Value(1)}}));
        host->answerCalls([this](const wire::CallAction &call) -> wire::ReplyBody {
            calls.append(call);
            if (call.action == QLatin1String("move")) {
                host->change(id, Cause(QStringLiteral("action"), call.action),
                             {DeltaOp(DeltaOp::Kind::Set, Path().child(QStringLiteral("x")), call.args.at(0))});
            } else if (call.action == QLatin1String("say")) {
                wire::Failure failure;
                failure.group = QStringLiteral("actor");
                failure.code = QStringLiteral("not_member");
                failure.message = QStringLiteral("grace is not in this room");
                return failure;
            }
            wire::CallResult result;
            result.result = Value::map({{QStringLiteral("ok"), Value(true)}});
            result.tookUs = 3100;
            result.changedPaths = 1;
            return result;
        });
        show(id);
    }

    ActionsSection *actions() const { return static_cast<ActionsSection *>(section.get()); }
    QLineEdit *edit(const char *name) const { return need<QLineEdit>(name); }
    QAbstractButton *callButton() const { return need<QAbstractButton>("actionCallButton"); }
    DataTree *transcript() const { return need<DataTree>("actionTranscript"); }

    QString id;
    QList<wire::CallAction> calls;
};

} // namespace

class TestActionsSection : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { prepareSectionTest(); }
    void init() { QSettings().clear(); }

    void aCallIsTypedSentExactlyAndLinkedToItsChange() // T7
    {
        ActionsFixture f;
        QAbstractItemModelTester tester(f.transcript()->model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
        QApplication::setActiveWindow(f.section.get());
        f.section->focusFirst();
        QTest::keyClicks(f.edit("actionFindEdit"), QStringLiteral("mo"));
        QTest::keyClick(f.edit("actionFindEdit"), Qt::Key_Tab);
        QCOMPARE(f.section->focusWidget(), f.edit("actionArg_x"));
        QTest::keyClicks(f.edit("actionArg_x"), QStringLiteral("9007199254740993"));
        QTest::keyClick(f.edit("actionArg_x"), Qt::Key_Tab);
        QCOMPARE(f.section->focusWidget(), f.edit("actionArg_y"));
        QTest::keyClicks(f.edit("actionArg_y"), QStringLiteral("2"));
        QTest::keyClick(f.edit("actionArg_y"), Qt::Key_Return, Qt::ControlModifier);
        f.beat();
        QCOMPARE(f.calls.size(), 1);
        QCOMPARE(f.calls.first().args, Value::array({Value(9007199254740993LL), Value(2)}));
        const QModelIndex row = f.transcript()->model()->index(0, 0);
        QCOMPARE(row.data(StatusRole).toString(), QStringLiteral("ok"));
        QVERIFY(!row.siblingAtColumn(CallHistoryModel::TookColumn).data().toString().isEmpty());
        QVERIFY(row.data(SeqRole).toULongLong() > 0);
        // The link in the row leads to the change.
        QSignalSpy links(f.section.get(), &Section::linkActivated);
        const QRect cell = f.transcript()->visualRect(row.siblingAtColumn(CallHistoryModel::ChangedColumn));
        for (int x = cell.left() + 4; x < cell.right() && links.isEmpty(); x += 6) {
            QTest::mouseClick(f.transcript()->viewport(), Qt::LeftButton, {}, QPoint(x, cell.center().y()));
            QCoreApplication::sendPostedEvents(); // links are followed after the click is done
        }
        QCOMPARE(links.size(), 1);
        QCOMPARE(links.first().first().toString(), QStringLiteral("delta:%1").arg(row.data(SeqRole).toULongLong()));
    }

    void aWrongArgumentIsSaidInItsFieldAndTurnsCallOff()
    {
        ActionsFixture f;
        QVERIFY(f.actions()->follow(QStringLiteral("action:move")));
        f.edit("actionArg_x")->setText(QStringLiteral("1"));
        f.edit("actionArg_y")->setText(QStringLiteral("2.5"));
        QVERIFY(f.edit("actionArg_y")->property("invalid").toBool());
        QCOMPARE(f.edit("actionArg_y")->accessibleDescription(), QStringLiteral("Needs a whole number"));
        QVERIFY(!f.callButton()->isEnabled());
        QVERIFY(f.callButton()->property("disabledReason").toString().contains(QStringLiteral("y")));
        QVERIFY(!f.actions()->call());
        f.beat();
        QCOMPARE(f.calls.size(), 0);
        f.edit("actionArg_y")->setText(QStringLiteral("2"));
        QVERIFY(f.callButton()->isEnabled());
    }

    void argumentsAreExact_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("right");
        QTest::addColumn<Value>("value");
        QTest::newRow("int") << "int"
                             << "-7" << true << Value(-7);
        QTest::newRow("big int") << "int"
                                 << "18446744073709551615" << true << Value(18446744073709551615ULL);
        QTest::newRow("too big") << "int"
                                 << "18446744073709551616" << false << Value();
        QTest::newRow("fraction") << "int"
                                  << "2.5" << false << Value();
        QTest::newRow("exponent") << "int"
                                  << "1e3" << false << Value();
        QTest::newRow("number") << "number"
                                << "2.5" << true << Value(2.5);
        QTest::newRow("no number") << "number"
                                   << "nan" << false << Value();
        QTest::newRow("text") << "text"
                              << " as it is " << true << Value(" as it is ");
        QTest::newRow("empty text") << "text"
                                    << "" << true << Value("");
        QTest::newRow("bool") << "bool"
                              << "true" << true << Value(true);
        QTest::newRow("no bool") << "bool"
                                 << "yes" << false << Value();
        QTest::newRow("bytes") << "bytes"
                               << "00 ff" << true << Value(QByteArray::fromHex("00ff"));
        QTest::newRow("half a byte") << "bytes"
                                     << "00f" << false << Value();
        QTest::newRow("list") << "list"
                              << "[1, 9007199254740993]" << true << Value::array({Value(1), Value(9007199254740993LL)});
        QTest::newRow("no list") << "list"
                                 << "{}" << false << Value();
        QTest::newRow("map") << "map"
                             << "{\"a\": null}" << true << Value::map({{QStringLiteral("a"), Value()}});
        QTest::newRow("any") << "any"
                             << "\"x\"" << true << Value("x");
        QTest::newRow("any wrong") << "any"
                                   << "x" << false << Value();
        QTest::newRow("missing") << "int"
                                 << "" << false << Value();
    }
    void argumentsAreExact()
    {
        QFETCH(QString, type);
        QFETCH(QString, text);
        QFETCH(bool, right);
        QFETCH(Value, value);
        wire::ParameterInfo p;
        p.name = QStringLiteral("p");
        p.type = type;
        const ParsedArgument parsed = parseArgument(p, text);
        QCOMPARE(parsed.problem.isEmpty(), right);
        if (right) {
            QVERIFY(parsed.value.has_value());
            QCOMPARE(*parsed.value, value);
            QCOMPARE(*parseArgument(p, argumentText(p, value)).value, value);
        }
    }

    void optionalArgumentsAtTheEndAreNotSent()
    {
        ActionsFixture f;
        f.actions()->follow(QStringLiteral("action:move"));
        f.edit("actionArg_x")->setText(QStringLiteral("1"));
        f.edit("actionArg_y")->setText(QStringLiteral("2"));
        QVERIFY(f.actions()->call());
        f.edit("actionArg_note")->setText(QStringLiteral("hi"));
        QVERIFY(f.actions()->call());
        f.beat();
        QCOMPARE(f.calls[0].args.size(), 2);
        QCOMPARE(f.calls[1].args.at(2), Value("hi"));
    }

    void formAndJsonHoldTheSameArguments()
    {
        ActionsFixture f;
        f.actions()->follow(QStringLiteral("action:move"));
        f.edit("actionArg_x")->setText(QStringLiteral("9007199254740993"));
        f.edit("actionArg_y")->setText(QStringLiteral("2"));
        auto *mode = f.need<SegmentedControl>("actionArgsMode");
        mode->setCurrentIndex(1);
        auto *json = f.need<QPlainTextEdit>("actionArgsEdit");
        QCOMPARE(json->toPlainText(), QStringLiteral("[9007199254740993,2]"));
        json->setPlainText(QStringLiteral("[1, 2"));
        QVERIFY(!f.callButton()->isEnabled());
        json->setPlainText(QStringLiteral("[5, 6, \"n\"]"));
        QVERIFY(f.callButton()->isEnabled());
        mode->setCurrentIndex(0);
        QCOMPARE(f.edit("actionArg_x")->text(), QStringLiteral("5"));
        QCOMPARE(f.edit("actionArg_note")->text(), QStringLiteral("n"));
    }

    void anErrorOpensUnderItsCall()
    {
        ActionsFixture f;
        QAbstractItemModelTester tester(f.transcript()->model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
        f.actions()->follow(QStringLiteral("action:say"));
        f.edit("actionArg_text")->setText(QStringLiteral("hello"));
        QVERIFY(f.actions()->call());
        f.beat();
        const QModelIndex row = f.transcript()->model()->index(0, 0);
        QCOMPARE(row.data(StatusRole).toString(), QStringLiteral("failed"));
        QVERIFY(f.transcript()->isExpanded(row));
        QStringList details;
        for (int i = 0; i < f.transcript()->model()->rowCount(row); ++i)
            details.append(f.transcript()->model()->index(i, CallHistoryModel::CallColumn, row).data().toString());
        QVERIFY(details.contains(QStringLiteral("actor")));
        QVERIFY(details.contains(QStringLiteral("grace is not in this room")));
        QCOMPARE(row.siblingAtColumn(CallHistoryModel::AnswerColumn).data().toString(), QStringLiteral("not_member"));
    }

    void aRunningCallShowsItsTimeAndCanBeCancelled()
    {
        ActionsFixture f;
        f.host->holdReplies(true);
        f.actions()->follow(QStringLiteral("action:reset"));
        QVERIFY(f.actions()->call());
        f.beat();
        QCOMPARE(f.transcript()->model()->index(0, 0).data(StatusRole).toString(), QStringLiteral("running"));
        f.advance(std::chrono::milliseconds(1400));
        QVERIFY(f.transcript()
                    ->model()
                    ->index(0, CallHistoryModel::AnswerColumn)
                    .data()
                    .toString()
                    .contains(QStringLiteral("running")));
        auto *cancel = f.need<QAbstractButton>("actionCancelButton");
        QVERIFY(cancel->isVisible());
        QTest::mouseClick(cancel, Qt::LeftButton);
        f.beat();
        QCOMPARE(f.host->count<wire::CancelCall>(), 1);
    }

    void nothingIsSentWhileTheLinkIsLostAndACallInFlightEndsUnconfirmed()
    {
        ActionsFixture f;
        f.host->holdReplies(true);
        f.actions()->follow(QStringLiteral("action:reset"));
        QVERIFY(f.actions()->call());
        f.beat();
        f.host->cut(false);
        f.beat();
        QCOMPARE(f.transcript()->model()->index(0, 0).data(StatusRole).toString(), QStringLiteral("unconfirmed"));
        QVERIFY(!f.callButton()->isEnabled());
        QVERIFY(f.callButton()->property("disabledReason").toString().contains(QStringLiteral("lost")));
        QVERIFY(!f.actions()->call());
        f.host->holdReplies(false);
        f.host->clearCounts();
        f.host->setReachable(true);
        f.client->reconnectNow();
        f.beat();
        f.advance(std::chrono::seconds(1));
        QCOMPARE(f.host->count<wire::CallAction>(), 0);
        QVERIFY(f.callButton()->isEnabled());
    }

    void lookingAtThePastTurnsCallOff()
    {
        ActionsFixture f;
        f.actions()->follow(QStringLiteral("action:reset"));
        QVERIFY(f.callButton()->isEnabled());
        f.cursor.goTo(0);
        QVERIFY(!f.callButton()->isEnabled());
        QVERIFY(!f.callButton()->property("disabledReason").toString().isEmpty());
        f.cursor.goLive();
        QVERIFY(f.callButton()->isEnabled());
    }

    void argumentsUsedBeforeComeBackWithUpExceptSecrets()
    {
        {
            ActionsFixture f;
            f.actions()->follow(QStringLiteral("action:move"));
            f.edit("actionArg_x")->setText(QStringLiteral("11"));
            f.edit("actionArg_y")->setText(QStringLiteral("12"));
            f.actions()->call();
            f.actions()->follow(QStringLiteral("action:login"));
            f.edit("actionArg_password")->setText(QStringLiteral("hunter2"));
            f.actions()->call();
            f.beat();
        }
        ActionsFixture f;
        f.actions()->follow(QStringLiteral("action:move"));
        QTest::keyClick(f.edit("actionArg_x"), Qt::Key_Up);
        QCOMPARE(f.edit("actionArg_x")->text(), QStringLiteral("11"));
        QCOMPARE(f.edit("actionArg_y")->text(), QStringLiteral("12"));
        f.actions()->follow(QStringLiteral("action:login"));
        QTest::keyClick(f.edit("actionArg_password"), Qt::Key_Up);
        QCOMPARE(f.edit("actionArg_password")->text(), QString());
    }

    void callsStayWithTheirActor()
    {
        ActionsFixture f;
        f.actions()->follow(QStringLiteral("action:reset"));
        f.host->holdReplies(true);
        f.actions()->call();
        f.beat();
        const QString other =
            f.host->addActor(QStringLiteral("room"), ActorKey("b"), wire::ActorStatus::running, Value::map());
        f.host->holdReplies(false);
        f.show(other);
        QCOMPARE(f.transcript()->model()->rowCount(), 0);
        f.beat();
        f.show(f.id);
        QCOMPARE(f.transcript()->model()->rowCount(), 1);
        QCOMPARE(f.transcript()->model()->index(0, 0).data(StatusRole).toString(), QStringLiteral("ok"));
    }

    void findingIsFuzzyAndBestFirst()
    {
        ActionModel model;
        QList<wire::ActionInfo> actions;
        for (const char *name : {"removeAll", "move", "setTitle", "export"}) {
            wire::ActionInfo action;
            action.name = QString::fromLatin1(name);
            actions.append(action);
        }
        model.setActions(actions);
        QCOMPARE(model.index(0).data().toString(), QStringLiteral("removeAll"));
        model.setFilter(QStringLiteral("mo"));
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.index(0).data().toString(), QStringLiteral("move"));
        model.setFilter(QStringLiteral("stt"));
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.index(0).data().toString(), QStringLiteral("setTitle"));
    }
};

QTEST_MAIN(TestActionsSection)
#include "tst_actions_section.moc"
