#pragma once
// The list of what keeps an actor awake: what is on with its age and origin, what is off as one muted line.

#include <QListView>

namespace terrarium::ui {

class BlockersView final : public QListView {
    Q_OBJECT
public:
    explicit BlockersView(QWidget *parent = nullptr);

    QSize sizeHint() const override;

Q_SIGNALS:
    void linkActivated(const QString &link);

protected:
    void paintEvent(QPaintEvent *event) override;
};

} // namespace terrarium::ui
