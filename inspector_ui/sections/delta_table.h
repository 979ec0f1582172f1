#pragma once
// The table of the State section: newest change on top, the row of the time cursor selected.

#include "models/delta_model.h"
#include "widgets/data_table.h"

namespace terrarium::ui {

class DeltaTable final : public DataTable {
    Q_OBJECT
    Q_PROPERTY(int totalCount READ totalCount)
    Q_PROPERTY(int shownCount READ shownCount)
    Q_PROPERTY(int gapRows READ gapRows)
    Q_PROPERTY(bool following READ isFollowing)
public:
    explicit DeltaTable(QWidget *parent = nullptr);

    DeltaModel *deltas() const { return m_model; }
    int totalCount() const { return m_model->totalCount(); }
    int shownCount() const { return m_model->shownCount(); }
    int gapRows() const { return m_model->gapRows(); }
    /// New rows appear in view.
    bool isFollowing() const;

    /// Selects a delta's row without telling about it; 0: selects nothing.
    void showSequence(quint64 sequence, bool scroll);
    QList<quint64> selectedSequences() const; ///< ascending

Q_SIGNALS:
    /// Somebody chose another row.
    void sequenceChosen(quint64 sequence);
    void severalChosen();

protected:
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void keepPlace(int inserted);

    DeltaModel *m_model;
    bool m_byHand = false; ///< a selection that changes now is somebody's choice, not the view's own
};

} // namespace terrarium::ui
