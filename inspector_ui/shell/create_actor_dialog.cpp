#include "shell/create_actor_dialog.h"

#include "models/link_facts.h"
#include "shell/host_links.h"
#include "widgets/run_label.h"
#include "widgets/themed_label.h"

#include "widgets/dialog_surface.h"

#include "value/json.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace terrarium::ui {

CreateActorDialog::CreateActorDialog(HostLinks &links, InspectorClient *preferred, QWidget *parent)
    : QDialog(parent),
      m_links(links),
      m_host(new QComboBox(this)),
      m_type(new QComboBox(this)),
      m_key(new QLineEdit(this)),
      m_input(new QLineEdit(this)),
      m_wake(new QCheckBox(tr("Start it now"), this)),
      m_call(new ThemedLabel({}, ColorRole::Muted, FontRole::DataSmall, this)),
      m_error(new RunLabel(this)),
      m_create(new QPushButton(tr("Create"), this))
{
    setObjectName(QStringLiteral("createActorDialog"));
    setWindowTitle(tr("Create actor"));
    m_host->setObjectName(QStringLiteral("createHostCombo"));
    m_type->setObjectName(QStringLiteral("createTypeCombo"));
    m_key->setObjectName(QStringLiteral("createKeyEdit"));
    m_input->setObjectName(QStringLiteral("createInputEdit"));
    m_wake->setObjectName(QStringLiteral("createWakeCheck"));
    m_create->setObjectName(QStringLiteral("createButton"));
    m_error->setObjectName(QStringLiteral("createError"));
    useDialogSurface(this);
    m_wake->setChecked(true);
    m_key->setPlaceholderText(tr("lobby, or a/b for two segments"));
    m_input->setPlaceholderText(tr("none"));
    m_input->setFont(theme().font(FontRole::Data));
    m_call->setElide(Qt::ElideRight);
    m_create->setProperty("primary", true);
    m_create->setDefault(true);
    auto *cancel = new QPushButton(tr("Cancel"), this);

    for (int i = 0; i < links.size(); ++i) {
        InspectorClient *client = links.at(i);
        if (!disabledReason(*client, nullptr, nullptr, QLatin1String("create")).isEmpty())
            continue;
        m_clients.append(client);
        m_host->addItem(client->name());
        if (client == preferred)
            m_host->setCurrentIndex(m_host->count() - 1);
    }

    const auto label = [this](const QString &text, QWidget *buddy) {
        auto *made = new ThemedLabel(text, ColorRole::Muted, FontRole::Body, this);
        made->setBuddy(buddy);
        buddy->setAccessibleName(text);
        return made;
    };
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(8);
    grid->addWidget(label(tr("Host"), m_host), 0, 0);
    grid->addWidget(m_host, 0, 1);
    grid->addWidget(label(tr("Type"), m_type), 1, 0);
    grid->addWidget(m_type, 1, 1);
    grid->addWidget(label(tr("Key"), m_key), 2, 0);
    grid->addWidget(m_key, 2, 1);
    grid->addWidget(label(tr("Input, as JSON"), m_input), 3, 0);
    grid->addWidget(m_input, 3, 1);
    m_error->setMinimumHeight(22);
    grid->addWidget(m_error, 4, 1);
    grid->addWidget(m_wake, 5, 1);
    grid->addWidget(m_call, 6, 1);
    grid->setColumnStretch(1, 1);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch(1);
    buttons->addWidget(cancel);
    buttons->addWidget(m_create);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 16, 20, 16);
    layout->setSpacing(18);
    layout->addLayout(grid);
    layout->addLayout(buttons);
    setMinimumWidth(480);

    connect(m_host, &QComboBox::currentIndexChanged, this, &CreateActorDialog::hostChanged);
    connect(m_type, &QComboBox::currentTextChanged, this, &CreateActorDialog::check);
    connect(m_key, &QLineEdit::textChanged, this, &CreateActorDialog::check);
    connect(m_input, &QLineEdit::textChanged, this, &CreateActorDialog::check);
    connect(m_create, &QPushButton::clicked, this, &CreateActorDialog::create);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    hostChanged();
    m_key->setFocus();
}

InspectorClient *CreateActorDialog::client() const
{
    return m_clients.value(m_host->currentIndex()).data();
}

void CreateActorDialog::hostChanged()
{
    m_type->clear();
    InspectorClient *host = client();
    if (!host)
        return;
    host->listTypes(this, [this, host](const Outcome<wire::Types> &outcome) {
        if (host != client())
            return;
        if (outcome.kind != Outcome<wire::Types>::Ok) {
            showError(outcome.error.message());
            return;
        }
        for (const wire::TypeInfo &type : outcome.value.types)
            m_type->addItem(type.name);
        check();
    });
    check();
}

void CreateActorDialog::check()
{
    QString wrong;
    QLineEdit *field = nullptr;
    const std::optional<ActorKey> key =
        ActorKey::fromText(m_key->text().isEmpty() ? QStringLiteral("/") : m_key->text());
    if (!key) {
        wrong = tr("This is no key: a backslash escapes only / and itself.");
        field = m_key;
    } else if (!m_input->text().trimmed().isEmpty()) {
        try {
            json::parse(m_input->text().toUtf8());
        } catch (const Error &error) {
            wrong = error.message();
            field = m_input;
        }
    }
    for (QLineEdit *edit : {m_key, m_input}) {
        edit->setProperty("invalid", edit == field);
        edit->update();
    }
    showError(wrong);
    m_create->setEnabled(wrong.isEmpty() && !m_type->currentText().isEmpty());
    m_call->setText(
        key && !m_type->currentText().isEmpty()
            ? QStringLiteral("client.%1.getOrCreate(%2)").arg(m_type->currentText(), QString::fromUtf8(json::write([&] {
                                                                  Value list = Value::array();
                                                                  for (const QString &segment : key->segments())
                                                                      list.append(Value(segment));
                                                                  return list;
                                                              }())))
            : QString());
}

void CreateActorDialog::showError(const QString &text)
{
    if (text.isEmpty())
        m_error->setRuns({});
    else
        m_error->setRuns({Run::withIcon(QStringLiteral("failed"), ColorRole::Bad, 14), Run(text)});
}

void CreateActorDialog::create()
{
    InspectorClient *host = client();
    const std::optional<ActorKey> key =
        ActorKey::fromText(m_key->text().isEmpty() ? QStringLiteral("/") : m_key->text());
    if (!host || !key)
        return;
    std::optional<Value> input;
    if (!m_input->text().trimmed().isEmpty())
        input = json::parse(m_input->text().toUtf8());
    m_create->setEnabled(false);
    host->createActor(m_type->currentText(), *key, input, m_wake->isChecked(), this,
                      [this, host](const Outcome<wire::Created> &outcome) {
                          m_create->setEnabled(true);
                          if (outcome.kind == Outcome<wire::Created>::Ok) {
                              accept();
                              Q_EMIT created(host, outcome.value.actor.id);
                          } else {
                              showError(outcome.kind == Outcome<wire::Created>::Unconfirmed
                                            ? tr("Not confirmed: the link was lost before the host answered.")
                                            : outcome.error.message());
                          }
                      });
}

} // namespace terrarium::ui
