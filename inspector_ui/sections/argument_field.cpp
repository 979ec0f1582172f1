#include "sections/argument_field.h"

#include "widgets/run_label.h"

#include <QLineEdit>
#include <QStyle>
#include <QVBoxLayout>

namespace terrarium::ui {

ArgumentField::ArgumentField(const wire::ParameterInfo &parameter, QWidget *parent)
    : QWidget(parent),
      m_parameter(parameter),
      m_edit(new QLineEdit(this)),
      m_note(new RunLabel(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    auto *label = new RunLabel(this);
    Run type(parameter.optional ? tr("%1, optional").arg(parameter.type) : parameter.type, ColorRole::Muted);
    type.after(6);
    label->setRuns({Run(parameter.name, ColorRole::Text, FontRole::Strong), type});
    layout->addWidget(label);
    m_edit->setFont(theme().font(FontRole::Data));
    connect(&theme(), &Theme::changed, m_edit, [this] { m_edit->setFont(theme().font(FontRole::Data)); });
    m_edit->setFixedHeight(28);
    m_edit->setObjectName(QStringLiteral("actionArg_") + parameter.name);
    m_edit->setAccessibleName(tr("%1, %2").arg(parameter.name, parameter.type));
    m_edit->setPlaceholderText(parameter.optional ? tr("not sent") : QString());
    layout->addWidget(m_edit);
    // One line is kept free, so that the form does not move when something is wrong.
    m_note->setMinimumHeight(20);
    layout->addWidget(m_note);
    connect(m_edit, &QLineEdit::textChanged, this, [this] {
        m_touched = true;
        check();
        Q_EMIT changed();
    });
    connect(m_edit, &QLineEdit::editingFinished, this, [this] {
        m_touched = true;
        check();
    });
}

QString ArgumentField::text() const
{
    return m_edit->text();
}

void ArgumentField::setText(const QString &text)
{
    m_edit->setText(text);
}

void ArgumentField::check()
{
    const ParsedArgument argument = parsed();
    m_problem = argument.problem;
    // An empty field is not wrong while somebody is on the way to it.
    const bool show = m_touched && !m_problem.isEmpty() && !m_edit->text().isEmpty();
    m_edit->setProperty("invalid", show);
    m_edit->style()->unpolish(m_edit);
    m_edit->style()->polish(m_edit);
    m_edit->update();
    m_edit->setAccessibleDescription(show ? m_problem : QString());
    if (show)
        m_note->setRuns({Run::withIcon(QStringLiteral("failed"), ColorRole::Bad, 14),
                         Run(m_problem, ColorRole::Text, FontRole::Secondary).after(6)});
    else
        m_note->setRuns({Run(argument.note, ColorRole::Muted, FontRole::Secondary)});
}

} // namespace terrarium::ui
