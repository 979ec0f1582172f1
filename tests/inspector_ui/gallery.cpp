// Pictures of the window on the mock hosts, for laying beside the design's pictures.
//
// gallery FOLDER [--only NAME]... : writes PNG files 1280x800 to FOLDER. Clock and data are fixed, so two runs give
// the same pictures. Run with QT_QPA_PLATFORM=offscreen.

#include "inspector_ui/window_fixture.h"

#include "models/format.h"
#include "shell/attach_dialog.h"
#include "shell/actor_page.h"
#include "shell/section_rail.h"
#include "shell/settings.h"
#include "shell/welcome_page.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QLineEdit>
#include <QPainter>
#include <QTemporaryDir>

#include <cstdio>

using namespace terrarium;
using namespace terrarium::ui;

namespace {

QString galleryFolder;
QStringList galleryOnly;

bool galleryWants(const QString &name)
{
    return galleryOnly.isEmpty() || galleryOnly.contains(name);
}

void gallerySave(const QString &name, const QImage &image)
{
    const QString file = galleryFolder + QLatin1Char('/') + name + QStringLiteral(".png");
    image.save(file);
    std::printf("%s\n", qPrintable(file));
}

void galleryScene(const QString &name, ThemeMode mode, const std::function<void(WindowFixture &)> &arrange,
                  const std::function<void(WindowFixture &, QPainter &)> &over = {})
{
    if (!galleryWants(name))
        return;
    WindowFixture fixture(mode);
    fixture.window->resize(1280, 800);
    fixture.window->show();
    fixture.settle();
    arrange(fixture);
    fixture.settle();
    QApplication::processEvents();
    QImage image = fixture.window->grab().toImage();
    if (over) {
        QPainter painter(&image);
        over(fixture, painter);
    }
    gallerySave(name, image);
}

/// The dialog in the middle, with a title bar and shadow that stand for the desktop's.
void galleryDialog(QPainter &painter, QDialog &dialog)
{
    const QImage image = dialog.grab().toImage();
    const QRect content(640 - image.width() / 2, 400 - image.height() / 2 + 16, image.width(), image.height());
    const QRect frame = content.adjusted(-1, -33, 1, 1);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    for (int i = 16; i > 0; --i) {
        painter.setBrush(QColor(0, 0, 0, 3));
        painter.drawRoundedRect(frame.adjusted(-i, -i + 4, i, i + 4), 8 + i, 8 + i);
    }
    painter.setBrush(theme().color(ColorRole::ButtonPressed));
    painter.setPen(theme().color(ColorRole::Edge));
    painter.drawRoundedRect(frame, 8, 8);
    painter.setFont(theme().font(FontRole::Strong));
    painter.setPen(theme().color(ColorRole::Text));
    painter.drawText(QRect(frame.left(), frame.top(), frame.width(), 33), Qt::AlignCenter, dialog.windowTitle());
    painter.drawImage(content.topLeft(), image);
}

/// Both mock hosts, chatRoom/lobby shown.
void galleryLobby(WindowFixture &fixture, const QString &section)
{
    fixture.attachMockHosts();
    fixture.window->list()->setFilterText(QStringLiteral("-status:destroyed"));
    fixture.window->openActor(fixture.shopClient, QStringLiteral("chatRoom"), ActorKey("lobby"), section);
    fixture.settle();
}

/// Calls as a person makes them: choose the action, fill the form, press Call.
void galleryCall(WindowFixture &fixture, const QString &action, const QStringList &arguments, bool press)
{
    fixture.window->page()->followLink(QStringLiteral("action:") + action);
    fixture.settle();
    if (auto *form = fixture.window->findChild<QWidget *>(QStringLiteral("actionArgsForm"))) {
        const auto edits = form->findChildren<QLineEdit *>();
        for (qsizetype i = 0; i < std::min(edits.size(), arguments.size()); ++i)
            edits[i]->setText(arguments[i]);
    }
    fixture.settle();
    if (!press)
        return;
    if (auto *button = fixture.window->findChild<QAbstractButton *>(QStringLiteral("actionCallButton")))
        button->click();
    fixture.advance(std::chrono::milliseconds(2130));
}

void galleryCalls(WindowFixture &fixture)
{
    FakeHost &shop = *fixture.shop;
    const QString lobby = shop.idOf(QStringLiteral("chatRoom"), ActorKey("lobby"));
    shop.answerCalls([&shop, lobby](const wire::CallAction &call) -> wire::ReplyBody {
        if (call.action == QLatin1String("leave")) {
            wire::Failure failure;
            failure.group = QStringLiteral("actor");
            failure.code = QStringLiteral("not_member");
            failure.message = QStringLiteral("grace is not in this room");
            return failure;
        }
        wire::CallResult result;
        result.tookUs = call.action == QLatin1String("move")  ? 3'100
                        : call.action == QLatin1String("say") ? 2'800
                                                              : 1'900;
        if (call.action == QLatin1String("move")) {
            shop.change(lobby, Cause(QStringLiteral("action"), call.action),
                        {DeltaOp(DeltaOp::Kind::Set, *Path::fromText(u"members.linus.cursor.x"), call.args.at(0))});
            result.result = Value::map({{QStringLiteral("ok"), Value(true)}});
            result.changedPaths = 1;
        } else if (call.action == QLatin1String("setTitle")) {
            shop.change(lobby, Cause(QStringLiteral("action"), call.action),
                        {DeltaOp(DeltaOp::Kind::Set, *Path::fromText(u"title"), call.args.at(0))});
            result.changedPaths = 1;
        }
        return result;
    });
    galleryCall(fixture, QStringLiteral("setTitle"), {QStringLiteral("Lobby 3")}, true);
    galleryCall(fixture, QStringLiteral("move"), {QStringLiteral("120"), QStringLiteral("64")}, true);
    galleryCall(fixture, QStringLiteral("leave"), {QStringLiteral("grace")}, true);
    galleryCall(fixture, QStringLiteral("move"), {QStringLiteral("9007199254740993"), QStringLiteral("2.5")}, false);
}

QList<DiscoveredHost> galleryHosts()
{
    DiscoveredHost shop;
    shop.name = QStringLiteral("shop-dev");
    shop.url = QUrl(QStringLiteral("ws://127.0.0.1:6420"));
    shop.pid = 4121;
    shop.startedAt = FakeHost::mockNow() - 60'000;
    shop.actors = 214;
    shop.token = QStringLiteral("t");
    shop.needsToken = true;
    DiscoveredHost worker;
    worker.name = QStringLiteral("worker");
    worker.url = QUrl(QStringLiteral("ws://127.0.0.1:6421"));
    worker.pid = 4180;
    worker.startedAt = FakeHost::mockNow() - 50'000;
    worker.actors = 18;
    worker.needsToken = true;
    return {shop, worker};
}

} // namespace

int main(int argc, char **argv)
{
    QApplication app(argc, argv);
    QLocale::setDefault(QLocale(QLocale::English));
    theme().install(app);
    const QStringList arguments = app.arguments().mid(1);
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        if (arguments[i] == QLatin1String("--only") && i + 1 < arguments.size())
            galleryOnly.append(arguments[++i]);
        else
            galleryFolder = arguments[i];
    }
    if (galleryFolder.isEmpty() || !QDir().mkpath(galleryFolder)) {
        std::fprintf(stderr, "usage: gallery FOLDER [--only NAME]...\n");
        return 2;
    }

    for (const ThemeMode mode : {ThemeMode::Light, ThemeMode::Dark, ThemeMode::HighContrast}) {
        const QString suffix = mode == ThemeMode::Light  ? QStringLiteral("-light")
                               : mode == ThemeMode::Dark ? QStringLiteral("-dark")
                                                         : QStringLiteral("-contrast");
        for (const char *section : {"state", "overview", "lifecycle", "actions", "connections", "queue", "schedule",
                                    "database", "workflow", "logs", "metrics", "traffic"}) {
            galleryScene(QLatin1String(section) + suffix, mode, [&](WindowFixture &fixture) {
                galleryLobby(fixture, QLatin1String(section));
                if (QLatin1String(section) == QLatin1String("actions"))
                    galleryCalls(fixture);
            });
        }
        galleryScene(QStringLiteral("travel") + suffix, mode, [](WindowFixture &fixture) {
            galleryLobby(fixture, QStringLiteral("state"));
            fixture.window->page()->followLink(QStringLiteral("delta:1278"));
        });
        galleryScene(QStringLiteral("lost") + suffix, mode, [](WindowFixture &fixture) {
            galleryLobby(fixture, QStringLiteral("state"));
            fixture.shop->cut(false);
            fixture.settle();
            fixture.advance(std::chrono::seconds(6));
            fixture.window->tick().tickNow();
        });
        galleryScene(QStringLiteral("welcome") + suffix, mode,
                     [](WindowFixture &fixture) { fixture.window->setDiscovery(&galleryHosts); });
        galleryScene(
            QStringLiteral("attach") + suffix, mode,
            [](WindowFixture &fixture) {
                Settings &settings = *fixture.settings;
                settings.addRecentHost({QStringLiteral("shop-tests"), QStringLiteral("ws://127.0.0.1:6422"),
                                        FakeHost::mockNow() - 86'400'000});
                fixture.window->setDiscovery(&galleryHosts);
                AttachDialog *dialog = fixture.window->openAttachDialog(QUrl(QStringLiteral("ws://127.0.0.1:6421")),
                                                                        QStringLiteral("secretsecret"));
                dialog->showProblem(LinkProblem::TokenWrong, QStringLiteral("worker"), {});
            },
            [](WindowFixture &fixture, QPainter &painter) {
                if (auto *dialog = fixture.window->findChild<AttachDialog *>()) {
                    galleryDialog(painter, *dialog);
                }
            });
        const auto dialogs = [](WindowFixture &fixture, QPainter &painter) {
            for (auto *dialog : fixture.window->findChildren<QDialog *>()) {
                galleryDialog(painter, *dialog);
            }
        };
        galleryScene(
            QStringLiteral("destroy") + suffix, mode,
            [](WindowFixture &fixture) {
                galleryLobby(fixture, QStringLiteral("overview"));
                fixture.window->page()->requestVerb(QStringLiteral("destroy"));
            },
            dialogs);
        galleryScene(
            QStringLiteral("create") + suffix, mode,
            [](WindowFixture &fixture) {
                galleryLobby(fixture, QStringLiteral("overview"));
                fixture.window->openCreateDialog();
            },
            dialogs);
        galleryScene(
            QStringLiteral("gaps") + suffix, mode,
            [](WindowFixture &fixture) {
                galleryLobby(fixture, QStringLiteral("overview"));
                fixture.window->findChild<QAbstractButton *>(QStringLiteral("statusGaps"))->click();
            },
            dialogs);
        galleryScene(QStringLiteral("empty") + suffix, mode, [](WindowFixture &fixture) { fixture.attachMockHosts(); });
        galleryScene(QStringLiteral("crashed") + suffix, mode, [](WindowFixture &fixture) {
            fixture.attachMockHosts();
            fixture.window->openActor(fixture.shopClient, QStringLiteral("checkout"), ActorKey("1842"),
                                      QStringLiteral("lifecycle"));
        });
    }
    return 0;
}
