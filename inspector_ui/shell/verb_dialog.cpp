#include "shell/verb_dialog.h"

#include "models/format.h"
#include "style/icons.h"
#include "widgets/themed_label.h"

#include "widgets/dialog_surface.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace terrarium::ui {

VerbDialog::VerbDialog(const QString &verb, const wire::ActorSummary &actor, const QString &hostName, QWidget *parent)
    : QDialog(parent),
      m_confirm(new QPushButton(this))
{
    const bool destroy = verb == QLatin1String("destroy");
    const QString name = format::actorName(actor);
    setObjectName(destroy ? QStringLiteral("destroyDialog") : QStringLiteral("sleepDialog"));
    setWindowTitle(destroy ? tr("Destroy actor") : tr("Put to sleep"));

    useDialogSurface(this);
    QStringList lost;
    QStringList stays;
    if (destroy) {
        if (actor.hasState)
            lost.append(tr("its state, %1, %2 changes")
                            .arg(format::bytes(actor.stateBytes), format::count(qint64(actor.sequence))));
        if (actor.queueSize > 0)
            lost.append(tr("%n message(s) in its queue", nullptr, actor.queueSize));
        if (actor.schedules > 0)
            lost.append(tr("%n schedule(s)", nullptr, actor.schedules));
        if (actor.hasDatabase)
            lost.append(tr("its database"));
        if (actor.hasWorkflow)
            lost.append(tr("its workflow history"));
        if (actor.connections > 0)
            lost.append(tr("%n open connection(s)", nullptr, actor.connections));
        stays.append(tr("The key can be used again: the next call makes a new, empty actor."));
    } else {
        if (actor.connections > 0)
            lost.append(tr("%n connection(s), which are closed", nullptr, actor.connections));
        for (const wire::Blocker &blocker : actor.blockers) {
            if (blocker.kind != QLatin1String("connections"))
                lost.append(tr("%1, which is asked to finish").arg(format::blockerText(blocker)));
        }
        stays.append(tr("State, queue and schedules are saved. The next call wakes it."));
    }

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 16, 20, 16);
    layout->setSpacing(8);
    auto *question = new ThemedLabel(destroy ? tr("Destroy %1 on %2?").arg(name, hostName)
                                             : tr("Put %1 on %2 to sleep?").arg(name, hostName),
                                     ColorRole::Text, FontRole::Strong, this);
    question->setWordWrap(true);
    layout->addWidget(question);
    if (!lost.isEmpty()) {
        layout->addWidget(
            new ThemedLabel(destroy ? tr("Lost for good:") : tr("Ends:"), ColorRole::Muted, FontRole::Body, this));
        for (const QString &line : lost) {
            auto *label = new ThemedLabel(QStringLiteral("• ") + line, ColorRole::Text, FontRole::Body, this);
            label->setWordWrap(true);
            label->setContentsMargins(8, 0, 0, 0);
            layout->addWidget(label);
        }
    }
    for (const QString &line : stays) {
        auto *label = new ThemedLabel(line, ColorRole::Muted, FontRole::Body, this);
        label->setWordWrap(true);
        layout->addWidget(label);
    }
    m_facts = lost + stays;
    layout->addSpacing(10);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    auto *cancel = new QPushButton(tr("Cancel"), this);
    m_confirm->setText(destroy ? tr("Destroy %1").arg(actor.key.display().left(40)) : tr("Put to sleep"));
    m_confirm->setObjectName(QStringLiteral("verbConfirmButton"));
    m_confirm->setProperty("primary", true);
    buttons->addStretch(1);
    buttons->addWidget(cancel);
    buttons->addWidget(m_confirm);
    layout->addLayout(buttons);
    setMinimumWidth(420);
    if (destroy)
        cancel->setDefault(true);
    else
        m_confirm->setDefault(true);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_confirm, &QPushButton::clicked, this, &QDialog::accept);
}

} // namespace terrarium::ui
