#pragma once
// A flat tool button with one of our icons. Its tooltip is its accessible name; a reason can explain why it is off.

#include "style/icons.h"

#include <QToolButton>

namespace terrarium::ui {

class IconButton : public QToolButton {
    Q_OBJECT
    Q_PROPERTY(QString disabledReason READ disabledReason)
public:
    /// `name` is the icon's file; `tip` says what the button does.
    explicit IconButton(const QString &name, const QString &tip, QWidget *parent = nullptr,
                        ColorRole color = ColorRole::Text);

    void setIconName(const QString &name, ColorRole color = ColorRole::Text);
    void setTip(const QString &tip);
    /// Empty: on. Else off, with the reason as tooltip and description.
    void setDisabledReason(const QString &reason);
    QString disabledReason() const { return m_reason; }

private:
    QString m_tip;
    QString m_reason;
};

/// The same for any button: off with a reason, or on. The reason becomes property "disabledReason".
void setButtonReason(QAbstractButton *button, const QString &reason, const QString &tip = {});

} // namespace terrarium::ui
