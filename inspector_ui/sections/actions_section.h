#pragma once
// Actions: call one with exact arguments, see what came back, how long it took, and which change it made.
//
// Nothing is ever queued: without a live link Call is off and says why. A call whose link broke stays in the list as
// unconfirmed and is not sent again.

#include "models/argument_text.h"
#include "models/call_history_model.h"
#include "sections/section.h"

#include <QHash>

class QComboBox;
class QGridLayout;
class QListView;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;

namespace terrarium::ui {

class ActionModel;
class ArgumentField;
class CaptionBar;
class DataTree;
class EmptyState;
class IconButton;
class RunLabel;
class SearchField;
class SegmentedControl;
class ThemedLabel;

class ActionsSection final : public Section {
    Q_OBJECT
public:
    explicit ActionsSection(QWidget *parent = nullptr);

    QString emptyReason() const override;
    void focusFirst() override;
    void focusFind() override { focusFirst(); }
    bool follow(const QString &link) override;

    /// Sends the call if it is allowed and the arguments are right.
    bool call();

protected:
    void contextChanged() override;
    void feedChanged(const terrarium::FeedChange &change) override;
    void activated() override;
    void refresh() override;
    void ticked() override;
    void linkChanged() override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void buildList(QWidget *panel);
    void buildForm(QWidget *pane);
    void buildCalls(QWidget *pane);
    void showAction(const QString &name);
    void buildFields();
    void setJsonMode(bool on);
    /// The arguments of the form or the editor; nullopt when something is wrong.
    std::optional<Value> arguments(QString *problem = nullptr) const;
    void fill(const Value &args);
    void updateButtons();
    void updateCaption();
    void recall(int step);
    void finished(const QString &actorId, quint64 id, const Outcome<wire::CallResult> &outcome);
    void cancel(quint64 id);
    void followCallLink(const QString &link);
    void repeatMenu();
    void copyMenu();
    QString curlLine() const;
    QString clientLine() const;

    SearchField *m_find = nullptr;
    QListView *m_list = nullptr;
    ActionModel *m_model = nullptr;
    QStackedWidget *m_pages = nullptr;
    EmptyState *m_empty = nullptr;
    QWidget *m_page = nullptr;
    RunLabel *m_title = nullptr;
    SegmentedControl *m_mode = nullptr;
    IconButton *m_copy = nullptr;
    ThemedLabel *m_help = nullptr;
    QStackedWidget *m_args = nullptr;
    QWidget *m_form = nullptr;
    QPlainTextEdit *m_json = nullptr;
    RunLabel *m_jsonNote = nullptr;
    QComboBox *m_timeout = nullptr;
    QPushButton *m_repeat = nullptr;
    QPushButton *m_cancel = nullptr;
    QPushButton *m_call = nullptr;
    CaptionBar *m_caption = nullptr;
    IconButton *m_export = nullptr;
    IconButton *m_clear = nullptr;
    DataTree *m_transcript = nullptr;
    CallHistoryModel *m_calls = nullptr;

    QString m_action;
    wire::ActionInfo m_info;
    QList<ArgumentField *> m_fields;
    QHash<QString, std::deque<CallEntry>> m_kept; ///< calls of actors that are not shown, by id
    QHash<QString, Value> m_drafts;               ///< arguments per action while the page lives
    quint64 m_nextId = 1;
    int m_recallAt = -1;
    int m_repeatLeft = 0;
    QString m_repeatActor;
    size_t m_recordsSeen = 0;
    bool m_typeDirty = true;
    bool m_recordsDirty = true;
    bool m_recordsReset = true;
};

} // namespace terrarium::ui
