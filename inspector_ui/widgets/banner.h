#pragma once
// A fact about the whole page that stays until it is over: family tint, 3 px edge, glyph, bold fact, detail, one
// button with its key, and perhaps a link "Why". Never covers content, never vanishes on a timer.

#include "style/theme.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QPushButton;
QT_END_NAMESPACE

namespace terrarium::ui {

class RunLabel;
class ThemedLabel;

class Banner : public QWidget {
    Q_OBJECT
    Q_PROPERTY(QString reason READ reason)
public:
    Banner(Family family, const QString &icon, QWidget *parent = nullptr);

    void setContent(const QString &fact, const QString &detail);
    /// For assertions: the cause in one word, as on the wire.
    void setReason(const QString &reason) { m_reason = reason; }
    QString reason() const { return m_reason; }
    QString fact() const;
    QString detail() const;
    void setAction(const QString &text, const QString &keys);
    void setWhy(const QString &text);
    void setFamily(Family family);

    QSize sizeHint() const override;

Q_SIGNALS:
    void actionTriggered();
    void whyTriggered();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Family m_family;
    QString m_icon;
    QString m_reason;
    ThemedLabel *m_fact;
    ThemedLabel *m_detail;
    QPushButton *m_action;
    RunLabel *m_why;
};

} // namespace terrarium::ui
