#pragma once
// Exclusive views of the same data, side by side in one trough: Tree | JSON | CBOR | Hex.
//
// One tab stop; arrow keys move. Not for commands and not for more than five choices.

#include "widgets/painted_items.h"

#include <QWidget>

namespace terrarium::ui {

class SegmentedControl final : public QWidget, public PaintedItems {
    Q_OBJECT
    Q_PROPERTY(int currentIndex READ currentIndex WRITE setCurrentIndex NOTIFY currentChanged)
    Q_PROPERTY(QString currentText READ currentText)
public:
    explicit SegmentedControl(const QStringList &labels = {}, QWidget *parent = nullptr);

    void setLabels(const QStringList &labels);
    int count() const { return int(m_labels.size()); }
    int currentIndex() const { return m_current; }
    QString currentText() const { return m_labels.value(m_current); }
    /// Where segment `index` is, for tests.
    QRect segmentRect(int index) const;

    QSize sizeHint() const override;
    int paintedCount() const override { return count(); }
    QString paintedName(int index) const override { return m_labels.value(index); }
    QRect paintedRect(int index) const override { return segmentRect(index); }
    bool isPaintedCurrent(int index) const override { return index == m_current; }
    void activatePainted(int index) override { setCurrentIndex(index); }
    QSize minimumSizeHint() const override { return sizeHint(); }

public Q_SLOTS:
    void setCurrentIndex(int index);

Q_SIGNALS:
    void currentChanged(int index);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    int segmentWidth(int index) const;

    QStringList m_labels;
    int m_current = 0;
};

} // namespace terrarium::ui
