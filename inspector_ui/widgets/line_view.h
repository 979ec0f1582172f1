#pragma once
// Long read-only text, line by line: only what is visible is laid out. For JSON and diagnostic notation of any size.

#include <QAbstractScrollArea>
#include <QString>

#include <vector>

namespace terrarium::ui {

class LineView final : public QAbstractScrollArea {
    Q_OBJECT
    Q_PROPERTY(int lineCount READ lineCount)
    Q_PROPERTY(int currentLine READ currentLine)
public:
    explicit LineView(QWidget *parent = nullptr);

    /// Keeps the scroll position. Lines end with '\n'.
    void setText(const QString &text);
    const QString &text() const { return m_text; }
    int lineCount() const { return int(m_starts.size()); }
    QString line(int index) const;
    int currentLine() const { return m_current; }
    void setCurrentLine(int index);
    /// Selects the next line with `needle`, wrapping; false when there is none. All hits are marked.
    bool find(const QString &needle, bool backwards = false);
    void copy() const;
    /// First and last visible line.
    std::pair<int, int> visibleLines() const;

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    void updateBars();
    int lineHeight() const;
    int gutterWidth() const;
    int lineAt(int y) const;
    void select(int index, bool extend);

    QString m_text;
    std::vector<qsizetype> m_starts;
    qsizetype m_longest = 0;
    QString m_needle;
    int m_current = -1;
    int m_anchor = -1;
};

} // namespace terrarium::ui
