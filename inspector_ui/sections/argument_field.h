#pragma once
// One argument of an action: bold name and muted type, a field, and one line for what is wrong or notable.

#include "models/argument_text.h"

#include <QWidget>

class QLineEdit;

namespace terrarium::ui {

class RunLabel;

class ArgumentField final : public QWidget {
    Q_OBJECT
    Q_PROPERTY(QString problem READ problem)
public:
    explicit ArgumentField(const wire::ParameterInfo &parameter, QWidget *parent = nullptr);

    const wire::ParameterInfo &parameter() const { return m_parameter; }
    QLineEdit *edit() const { return m_edit; }
    QString text() const;
    void setText(const QString &text);
    ParsedArgument parsed() const { return parseArgument(m_parameter, text()); }
    QString problem() const { return m_problem; }
    /// Problems of an untouched field are not shown yet.
    bool isTouched() const { return m_touched; }

Q_SIGNALS:
    void changed();

private:
    void check();

    wire::ParameterInfo m_parameter;
    QLineEdit *m_edit;
    RunLabel *m_note;
    QString m_problem;
    bool m_touched = false;
};

} // namespace terrarium::ui
