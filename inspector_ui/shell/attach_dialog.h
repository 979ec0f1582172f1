#pragma once
// Finds a host and gets in: hosts running on this computer, hosts used before, or any address.
//
// The dialog opens the link itself and closes only when the host said welcome; what goes wrong is said beside the
// field that has to change, with the next step. The open link is handed over by takeClient().

#include "client/host_directory.h"
#include "client/inspector_client.h"

#include "async/clock.h"

#include <QDialog>

#include <functional>
#include <memory>

QT_BEGIN_NAMESPACE
class QCheckBox;
class QLineEdit;
class QPushButton;
class QRadioButton;
QT_END_NAMESPACE

namespace terrarium::ui {

class DataTable;
class HostLinks;
class RunLabel;
class Settings;
class UiTick;

class AttachDialog final : public QDialog {
    Q_OBJECT
public:
    using Discovery = std::function<QList<DiscoveredHost>()>;

    AttachDialog(Environment &environment, HostLinks &links, Settings &settings, Discovery discovery,
                 QWidget *parent = nullptr);
    ~AttachDialog() override;

    /// Fills address and token; `token` empty: what is known for it.
    void setAddress(const QUrl &url, const QString &token = {});
    /// For hosts that are not reached by address: tests and the picture gallery.
    void setConnector(std::function<std::unique_ptr<Transport>()> connect) { m_connect = std::move(connect); }
    void attach();
    /// The link after accepted(); null before.
    std::unique_ptr<InspectorClient> takeClient();
    /// Shows what a failed link says; what linkChanged does by itself.
    void showProblem(LinkProblem problem, const QString &hostName, const QString &words);
    bool isBusy() const { return bool(m_client) && !m_finished; }

    /// The sentence for a problem and the next step, for banners too.
    static std::pair<QString, QString> problemText(LinkProblem problem, const QString &host, const QString &words);

Q_SIGNALS:
    void exampleHostRequested();

private:
    class HostModel;

    void fillHosts();
    void hostChosen(int row);
    void linkChanged();
    void setBusy(bool busy);
    void showError(const QString &fact, const QString &detail, QLineEdit *field);
    QString hostLabel() const;

    Environment &m_environment;
    HostLinks &m_links;
    Settings &m_settings;
    Discovery m_discovery;
    std::function<std::unique_ptr<Transport>()> m_connect;
    HostModel *m_hosts;
    DataTable *m_list;
    QLineEdit *m_url;
    QLineEdit *m_token;
    RunLabel *m_error;
    QRadioButton *m_session;
    QRadioButton *m_remember;
    QCheckBox *m_readOnly;
    QPushButton *m_example;
    QPushButton *m_cancel;
    QPushButton *m_attach;
    std::unique_ptr<InspectorClient> m_client;
    Timer m_beat;
    bool m_finished = false;
};

} // namespace terrarium::ui
