#pragma once
// Asks before an actor is put to sleep or destroyed, and says what is lost and what stays.

#include "wire/inspector_messages.h"

#include <QDialog>

QT_BEGIN_NAMESPACE
class QPushButton;
QT_END_NAMESPACE

namespace terrarium::ui {

class VerbDialog final : public QDialog {
    Q_OBJECT
public:
    /// `verb`: "sleep" or "destroy".
    VerbDialog(const QString &verb, const wire::ActorSummary &actor, const QString &hostName,
               QWidget *parent = nullptr);

    QPushButton *confirmButton() const { return m_confirm; }
    /// The lines about what is lost and what stays, for tests.
    QStringList facts() const { return m_facts; }

private:
    QPushButton *m_confirm;
    QStringList m_facts;
};

} // namespace terrarium::ui
