#pragma once
// Makes an actor: type, key, input as JSON, and whether it starts at once.

#include "client/inspector_client.h"

#include <QDialog>
#include <QPointer>

QT_BEGIN_NAMESPACE
class QCheckBox;
class QComboBox;
class QLineEdit;
class QPushButton;
QT_END_NAMESPACE

namespace terrarium::ui {

class HostLinks;
class RunLabel;
class ThemedLabel;

class CreateActorDialog final : public QDialog {
    Q_OBJECT
public:
    CreateActorDialog(HostLinks &links, InspectorClient *preferred, QWidget *parent = nullptr);

Q_SIGNALS:
    void created(terrarium::InspectorClient *client, const QString &actorId);

private:
    void hostChanged();
    void check();
    void create();
    InspectorClient *client() const;
    void showError(const QString &text);

    HostLinks &m_links;
    QComboBox *m_host;
    QComboBox *m_type;
    QLineEdit *m_key;
    QLineEdit *m_input;
    QCheckBox *m_wake;
    ThemedLabel *m_call;
    RunLabel *m_error;
    QPushButton *m_create;
    QList<QPointer<InspectorClient>> m_clients;
};

} // namespace terrarium::ui
