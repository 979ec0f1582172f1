#include "widgets/icon_button.h"

namespace terrarium::ui {

IconButton::IconButton(const QString &name, const QString &tip, QWidget *parent, ColorRole color)
    : QToolButton(parent),
      m_tip(tip)
{
    setAutoRaise(true);
    setIconSize({16, 16});
    setFocusPolicy(Qt::TabFocus);
    setIconName(name, color);
    setTip(tip);
}

void IconButton::setIconName(const QString &name, ColorRole color)
{
    setIcon(icons::icon(name, color));
}

void IconButton::setTip(const QString &tip)
{
    m_tip = tip;
    setAccessibleName(tip);
    setToolTip(m_reason.isEmpty() ? tip : m_reason);
}

void IconButton::setDisabledReason(const QString &reason)
{
    m_reason = reason;
    setEnabled(reason.isEmpty());
    setToolTip(reason.isEmpty() ? m_tip : reason.toHtmlEscaped());
    setAccessibleDescription(reason);
}

void setButtonReason(QAbstractButton *button, const QString &reason, const QString &tip)
{
    button->setProperty("disabledReason", reason);
    button->setEnabled(reason.isEmpty());
    button->setToolTip(reason.isEmpty() ? tip : reason.toHtmlEscaped());
    button->setAccessibleDescription(reason);
}

} // namespace terrarium::ui
