#pragma once
// What the Actors dock holds: title, filter, count, and the list; or why there is no list.

#include "async/clock.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QCompleter;
class QMenu;
class QStackedWidget;
class QStringListModel;
QT_END_NAMESPACE

namespace terrarium {
class InspectorClient;
}

namespace terrarium::ui {

class ActorListModel;
class ActorListView;
class EmptyState;
class HostLinks;
class IconButton;
class SearchField;
class Settings;
class ThemedLabel;

class ActorListPanel final : public QWidget {
    Q_OBJECT
public:
    ActorListPanel(Clock &clock, HostLinks &links, Settings &settings, QWidget *parent = nullptr);

    ActorListModel *model() const { return m_model; }
    ActorListView *view() const { return m_view; }
    void focusFilter();
    void setFilterText(const QString &text);
    /// Marks the row without asking for the page.
    void select(InspectorClient *client, const QString &actorId);
    void tick();

Q_SIGNALS:
    void actorSelected(terrarium::InspectorClient *client, const QString &actorId);
    /// Enter: the page should take the keyboard.
    void actorOpened();
    void hostMenuRequested(terrarium::InspectorClient *client, QMenu *menu);
    void actorMenuRequested(terrarium::InspectorClient *client, const QStringList &actorIds, QMenu *menu);
    void createRequested();
    void attachRequested();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void applyFilter();
    void acceptFilter();
    void updateCounts();
    void updatePages();
    void updateCompletion();
    void currentChanged();
    void showSavedFilters();
    void addTerm(const QModelIndex &index, bool exclude);

    HostLinks &m_links;
    Settings &m_settings;
    ActorListModel *m_model;
    ActorListView *m_view;
    SearchField *m_filter;
    ThemedLabel *m_count;
    ThemedLabel *m_status;
    IconButton *m_saved;
    IconButton *m_create;
    EmptyState *m_empty;
    QStackedWidget *m_stack;
    Clock &m_clock;
    Timer m_filterTimer;
    QStringListModel *m_completions;
    bool m_selecting = false;
};

} // namespace terrarium::ui
