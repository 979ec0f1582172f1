#pragma once
// A line edit with an icon at the left and, while it is empty, a keyboard hint at the right.

#include "style/theme.h"

#include <QLineEdit>

namespace terrarium::ui {

class SearchField : public QLineEdit {
    Q_OBJECT
public:
    /// `icon`: "search" or "filter". `keys`: hint such as "Ctrl F", may be empty.
    explicit SearchField(const QString &icon, const QString &placeholder, const QString &keys = {},
                         QWidget *parent = nullptr);

    void setKeys(const QString &keys);
    /// The 2 px error edge.
    void setInvalid(bool invalid);
    bool isInvalid() const { return property("invalid").toBool(); }

Q_SIGNALS:
    /// Escape on an empty field.
    void escaped();

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void applyMargins();

    QString m_icon;
    QString m_keys;
};

} // namespace terrarium::ui
