#pragma once
// State: what the actor holds now or held at any kept change, what changed, and what changed it.
//
// Tree, JSON, CBOR and Hex are views of the state at the time cursor; the track and the table of changes move
// the cursor. Nothing here is sent to the host.

#include "models/change_index.h"
#include "models/lifecycle_data.h"
#include "models/mark_set.h"
#include "sections/section.h"

#include <QSet>

class QComboBox;
class QSplitter;
class QStackedWidget;

namespace terrarium::ui {

class CaptionBar;
class DeltaTable;
class EmptyState;
class HexView;
class IconButton;
class LineView;
class SearchField;
class SegmentedControl;
class StateTree;
class TimeStrip;

class StateSection final : public Section {
    Q_OBJECT
public:
    enum class Highlight { LastChange, LastSeconds, Baseline, Off };

    explicit StateSection(QWidget *parent = nullptr);

    QString emptyReason() const override { return m_emptyReason; }
    void focusFirst() override;
    void focusFind() override;
    bool follow(const QString &link) override;

    Highlight highlight() const { return m_highlight; }
    void setHighlight(Highlight mode);
    /// Compares with what is shown now from here on.
    void setBaseline();
    quint64 baselineSequence() const { return m_baselineSequence; }
    /// Moves the cursor to the change of the selected place before or after the cursor. False: there is none.
    bool goToPathChange(bool forwards);
    void setWatched(const Path &path, bool watched);

protected:
    void contextChanged() override;
    void feedChanged(const terrarium::FeedChange &change) override;
    void activated() override;
    void deactivated() override;
    void refresh() override;
    void ticked() override;
    void linkChanged() override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    enum View { TreeView, JsonView, CborView, HexBytes };

    void buildToolBar(QWidget *bar);
    void buildChanges(QWidget *pane);
    void cursorMoved();
    void wantState();
    void show(quint64 sequence, const Value &value);
    void showEmptyOr(QWidget *view);
    MarkSet marksFor(const Value &value);
    void remark();
    void renderText();
    void showView(int view);
    void scanTimes(int most);
    void applyFilter();
    void find(bool backwards);
    void stateMenu(QMenu *menu, const QModelIndex &index);
    void moreMenu();
    void updateCaption();
    void updatePathButtons();
    void updateHighlightBox();
    qint64 shownTime() const;
    bool copySelection(bool ofTree);
    bool handleKey(QObject *watched, int key, Qt::KeyboardModifiers modifiers);

    SegmentedControl *m_viewMode = nullptr;
    SearchField *m_find = nullptr;
    IconButton *m_pathPrevious = nullptr;
    IconButton *m_pathNext = nullptr;
    QComboBox *m_highlightBox = nullptr;
    IconButton *m_baselineButton = nullptr;
    IconButton *m_more = nullptr;
    QSplitter *m_splitter = nullptr;
    QStackedWidget *m_views = nullptr;
    StateTree *m_tree = nullptr;
    LineView *m_lines = nullptr;
    HexView *m_hex = nullptr;
    EmptyState *m_empty = nullptr;
    TimeStrip *m_strip = nullptr;
    CaptionBar *m_caption = nullptr;
    SearchField *m_filter = nullptr;
    IconButton *m_export = nullptr;
    DeltaTable *m_table = nullptr;

    int m_view = TreeView;
    QString m_emptyReason;
    bool m_stateDirty = false;
    bool m_deltasStale = true;
    bool m_fresh = true; ///< nothing of this actor has been shown yet
    bool m_textDirty = false;
    bool m_rendering = false;
    quint64 m_renderRun = 0;
    qint64 m_renderedAt = 0;
    int m_renderedView = -1;
    Value m_shown = Value::undefined();
    quint64 m_shownSequence = 0;
    std::optional<quint64> m_asked;   ///< a state asked for and not come
    std::optional<Path> m_revealNext; ///< opened once the state asked for is shown

    Highlight m_highlight = Highlight::LastChange;
    Value m_baseline = Value::undefined();
    quint64 m_baselineSequence = 0;
    bool m_hasBaseline = false;
    Value m_secondsBase = Value::undefined();
    quint64 m_secondsBaseSequence = 0;
    bool m_secondsBaseKnown = false;
    QList<quint64> m_selectedDeltas; ///< several rows chosen: their combined difference is marked

    ChangeIndex m_times;
    qsizetype m_timesFrom = 0; ///< deltas()[0..m_timesFrom) are not read yet
    quint64 m_timesNewest = 0;
    quint64 m_timesUpTo = 0; ///< built for a cursor in the past; 0: live

    LifecycleData m_life;
    bool m_lifeDirty = true;
    QHash<QString, QSet<Path>> m_watched; ///< by actor
};

} // namespace terrarium::ui
