#pragma once
// What stands where nothing is: an icon, why there is nothing, and the one thing to do about it.

#include <QWidget>

QT_BEGIN_NAMESPACE
class QPushButton;
QT_END_NAMESPACE

namespace terrarium::ui {

class ThemedLabel;

class EmptyState : public QWidget {
    Q_OBJECT
    Q_PROPERTY(QString emptyReason READ emptyReason)
public:
    explicit EmptyState(QWidget *parent = nullptr);

    /// `icon` may be empty. `reason` is for tests.
    void setContent(const QString &reason, const QString &icon, const QString &title, const QString &text);
    QString emptyReason() const { return m_reason; }
    QString title() const;
    /// Empty text: no button.
    void setAction(const QString &text, const QString &icon = {});
    QPushButton *button() const { return m_button; }

Q_SIGNALS:
    void actionTriggered();

private:
    class Glyph;
    QString m_reason;
    Glyph *m_glyph;
    ThemedLabel *m_title;
    ThemedLabel *m_text;
    QPushButton *m_button;
};

} // namespace terrarium::ui
