#pragma once
// One figure of the last minute with a small plot under it.

#include <QList>
#include <QWidget>

namespace terrarium::ui {

class Tile final : public QWidget {
    Q_OBJECT
    Q_PROPERTY(QString figure READ figure)
public:
    enum class Plot { Line, Bars, ErrorBars };

    Tile(const QString &label, Plot plot, QWidget *parent = nullptr);

    void setFigure(const QString &figure, const QString &unit);
    QString figure() const { return m_figure; }
    /// Oldest first.
    void setValues(const QList<double> &values);
    const QList<double> &values() const { return m_values; }

    QSize sizeHint() const override { return {170, 84}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_label;
    Plot m_plot;
    QString m_figure;
    QString m_unit;
    QList<double> m_values;
};

} // namespace terrarium::ui
