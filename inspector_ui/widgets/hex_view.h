#pragma once
// Bytes, 16 a row: offset, hexadecimal, characters. One byte can be pointed at, for example where decoding failed.

#include <QAbstractScrollArea>
#include <QByteArray>

namespace terrarium::ui {

class HexView final : public QAbstractScrollArea {
    Q_OBJECT
    Q_PROPERTY(qint64 byteCount READ byteCount)
public:
    explicit HexView(QWidget *parent = nullptr);

    void setBytes(const QByteArray &bytes);
    const QByteArray &bytes() const { return m_bytes; }
    qint64 byteCount() const { return m_bytes.size(); }
    /// Marks one byte and scrolls to it; -1: none.
    void setMark(qint64 offset);
    qint64 mark() const { return m_mark; }
    void setSelection(qint64 offset, qint64 length);
    /// Hexadecimal digits or text; selects the next place, wrapping.
    bool find(const QString &needle, bool backwards = false);
    /// One row as text: "00000010  6c 6f ...  lo..."
    QString row(int index) const;
    void copy() const;

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;

private:
    int rowHeight() const;
    int rowCount() const { return int((m_bytes.size() + 15) / 16); }
    void updateBars();
    void reveal(qint64 offset);
    qint64 byteAt(const QPointF &pos) const;

    QByteArray m_bytes;
    qint64 m_mark = -1;
    qint64 m_anchor = -1;
    qint64 m_selected = -1;
    qint64 m_length = 0;
};

} // namespace terrarium::ui
