#pragma once
// What a first-time user sees: attach, start the example host, or open a recording; and three things to try.

#include "client/host_directory.h"

#include <QWidget>

#include <functional>

QT_BEGIN_NAMESPACE
class QPushButton;
class QVBoxLayout;
QT_END_NAMESPACE

namespace terrarium::ui {

class ThemedLabel;

class WelcomePage final : public QWidget {
    Q_OBJECT
public:
    explicit WelcomePage(QWidget *parent = nullptr);

    void setHosts(const QList<DiscoveredHost> &hosts);
    /// Why the example host cannot be started from here; empty: it can.
    void setExampleUnavailable(const QString &reason);

Q_SIGNALS:
    void attachRequested(const terrarium::DiscoveredHost &host);
    void otherAddressRequested();
    void exampleRequested();
    /// One of the three things to try: "travel", "awake", "replay".
    void tryRequested(const QString &what);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    class Card;

    ThemedLabel *m_hostsText;
    QVBoxLayout *m_hostRows;
    QWidget *m_hostList;
    QPushButton *m_example;
};

} // namespace terrarium::ui
