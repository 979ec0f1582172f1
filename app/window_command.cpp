#include "window_command.h"

#include "find_host.h"
#include "host_thread.h"
#include "output.h"
#include "unix_signals.h"

#include "async/qt_environment.h"
#include "shell/main_window.h"
#include "shell/settings.h"
#include "style/theme.h"

#include <terrarium/actor_key.h>
#include <terrarium/error.h>

#include <QApplication>
#include <QMessageBox>
#include <QTimer>

namespace terrarium::app {

namespace {

/// The program with a window, in the order in which its parts must begin and end: host, window, clients.
class WindowProgram final {
public:
    WindowProgram(int &argc, char **argv) : m_application(argc, argv)
    {
        QApplication::setApplicationName(QStringLiteral("terrarium"));
        QApplication::setApplicationDisplayName(QStringLiteral("Terrarium"));
        QApplication::setApplicationVersion(QStringLiteral(TERRARIUM_VERSION));
        QApplication::setOrganizationName(QStringLiteral("terrarium"));
        QApplication::setDesktopFileName(QStringLiteral("terrarium"));
        // The window keeps glib for native dialogs; threads that host actors do without (set after the application).
        qputenv("QT_NO_GLIB", "1");
        ui::Theme::current().install(m_application);
        m_settings = std::make_unique<ui::Settings>();
        m_environment = std::make_unique<QtEnvironment>();
    }

    void setTheme(const QString &name)
    {
        if (!name.isEmpty()) {
            ui::Theme::current().setMode(name == u"dark"    ? ui::ThemeMode::Dark
                                         : name == u"light" ? ui::ThemeMode::Light
                                                            : ui::ThemeMode::System);
            m_themeIsGiven = true;
        }
    }

    void makeWindow()
    {
        if (!m_themeIsGiven)
            ui::Theme::current().setMode(m_settings->theme());
        m_window = std::make_unique<ui::MainWindow>(*m_environment, *m_settings);
        QObject::connect(m_window.get(), &ui::MainWindow::exampleHostRequested, m_window.get(), [this] {
            HostSettings example;
            example.dataDir = QStringLiteral(":memory:");
            example.name = QObject::tr("example");
            startHost(example);
        });
    }

    /// True when the host runs and the window is attached to it; else the window says why.
    bool startHost(const HostSettings &settings)
    {
        if (m_host) {
            m_window->setExampleUnavailable(QObject::tr("A host already runs in this window."));
            return false;
        }
        auto host = std::make_unique<HostThread>(settings);
        try {
            host->start();
        } catch (const Error &error) {
            m_failure = error;
            return false;
        }
        m_host = std::move(host);
        HostAddress address;
        address.url = m_host->url();
        address.url.setScheme(QStringLiteral("ws"));
        address.label = m_host->name();
        address.connect = [thread = m_host.get()] { return thread->connectInProcess(); };
        m_client = m_window->attach(address);
        m_window->setExampleUnavailable(QObject::tr("A host already runs in this window."));
        return true;
    }

    void attachTo(const HostAddress &address) { m_client = m_window->attach(address); }

    void openFirst(const QString &actor, const QString &section)
    {
        if (!m_client || actor.isEmpty())
            return;
        const qsizetype slash = actor.indexOf(u'/');
        const auto key = ActorKey::fromText(slash < 0 ? QStringLiteral("/") : actor.mid(slash + 1));
        if (key)
            m_window->openActor(m_client, slash < 0 ? actor : actor.left(slash), *key, section);
    }

    void showFailure()
    {
        if (!m_failure)
            return;
        auto *box = new QMessageBox(QMessageBox::Warning, QObject::tr("Terrarium"),
                                    QObject::tr("The host could not be started."), QMessageBox::Ok, m_window.get());
        box->setObjectName(QStringLiteral("hostFailureDialog"));
        box->setTextFormat(Qt::PlainText);
        box->setInformativeText(m_failure->text());
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->open();
    }
    const std::optional<Error> &failure() const { return m_failure; }

    /// Saves a picture once the page has had time to fill, then ends.
    void takePicture(const QString &fileName)
    {
        QTimer::singleShot(std::chrono::milliseconds(2500), m_window.get(), [this, fileName] {
            const bool saved = m_window->grab().save(fileName);
            if (!saved)
                printError(Error(QStringLiteral("window"), QStringLiteral("not_saved"),
                                 QStringLiteral("could not write %1").arg(fileName)));
            QApplication::exit(saved ? ExitOk : ExitFailed);
        });
    }

    int run()
    {
        UnixSignals signal;
        QObject::connect(&signal, &UnixSignals::stopAsked, m_window.get(), &QWidget::close);
        m_window->show();
        showFailure();
        const int code = m_application.exec();
        m_window.reset(); // the links end before the host they may lead to
        m_host.reset();
        return code;
    }

    ui::MainWindow &window() { return *m_window; }

private:
    QApplication m_application;
    std::unique_ptr<ui::Settings> m_settings;
    std::unique_ptr<QtEnvironment> m_environment;
    std::unique_ptr<HostThread> m_host;
    std::unique_ptr<ui::MainWindow> m_window;
    InspectorClient *m_client = nullptr;
    std::optional<Error> m_failure;
    bool m_themeIsGiven = false;
};

} // namespace

int runWindow(int &argc, char **argv, const WindowCommand &command)
{
    WindowProgram program(argc, argv);
    program.setTheme(command.theme);
    program.makeWindow();
    if (!command.files.isEmpty()) {
        printError(Error(QStringLiteral("window"), QStringLiteral("cannot_open"),
                         QStringLiteral("this version cannot open recordings (%1)").arg(command.files.first())));
        return ExitFailed;
    }
    if (!command.welcome)
        program.startHost(command.host);
    program.openFirst(command.actor, command.section);
    if (!command.screenshot.isEmpty())
        program.takePicture(command.screenshot);
    return program.run();
}

int runAttach(int &argc, char **argv, const AttachCommand &command)
{
    WindowProgram program(argc, argv);
    program.makeWindow();
    try {
        const FoundHost host = findHost(command.url, command.token);
        HostAddress address;
        address.url = host.url;
        address.token = host.token;
        address.label = host.name;
        address.readOnly = command.readOnly;
        program.attachTo(address);
        program.openFirst(command.actor, command.section);
    } catch (const Error &) {
        // None, or several: the dialog lists what there is.
        program.window().openAttachDialog(command.url, command.token);
    }
    return program.run();
}

} // namespace terrarium::app
