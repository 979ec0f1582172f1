#include "list/actor_list_panel.h"

#include "list/actor_list_filter.h"
#include "list/actor_list_model.h"
#include "list/actor_list_view.h"
#include "models/format.h"
#include "models/link_facts.h"
#include "shell/host_links.h"
#include "shell/settings.h"
#include "widgets/empty_state.h"
#include "widgets/icon_button.h"
#include "widgets/search_field.h"
#include "widgets/themed_label.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QKeyEvent>
#include <QMenu>
#include <QPushButton>
#include <QSet>
#include <QStackedWidget>
#include <QStringListModel>
#include <QVBoxLayout>

namespace terrarium::ui {

ActorListPanel::ActorListPanel(Clock &clock, HostLinks &links, Settings &settings, QWidget *parent)
    : QWidget(parent),
      m_links(links),
      m_settings(settings),
      m_model(new ActorListModel(clock, links, this)),
      m_view(new ActorListView(this)),
      m_filter(new SearchField(QStringLiteral("filter"), tr("Filter, for example type:chatRoom"), {}, this)),
      m_count(new ThemedLabel({}, ColorRole::Muted, FontRole::Secondary, this)),
      m_status(new ThemedLabel({}, ColorRole::Muted, FontRole::Secondary, this)),
      m_saved(new IconButton(QStringLiteral("star"), tr("Saved filters"), this)),
      m_create(new IconButton(QStringLiteral("plus"), tr("Create actor…"), this)),
      m_empty(new EmptyState(this)),
      m_stack(new QStackedWidget(this)),
      m_clock(clock),
      m_completions(new QStringListModel(this))
{
    m_filter->setObjectName(QStringLiteral("actorsFilterEdit"));
    m_filter->setAccessibleName(tr("Filter actors"));
    m_filter->setClearButtonEnabled(false);
    m_count->setObjectName(QStringLiteral("actorsCountLabel"));
    m_status->setObjectName(QStringLiteral("actorsFilterStatus"));
    m_status->setElide(Qt::ElideRight);
    m_saved->setObjectName(QStringLiteral("savedFiltersButton"));
    m_create->setObjectName(QStringLiteral("createActorButton"));
    m_saved->setProperty("small", true);
    m_create->setProperty("small", true);
    m_empty->setObjectName(QStringLiteral("actorsEmpty"));
    m_view->setModel(m_model);

    auto *title = new QHBoxLayout;
    title->setContentsMargins(12, 6, 5, 0);
    title->setSpacing(2);
    title->addWidget(new ThemedLabel(tr("Actors"), ColorRole::Text, FontRole::Strong, this), 1);
    title->addWidget(m_saved);
    title->addWidget(m_create);

    auto *counts = new QHBoxLayout;
    counts->setContentsMargins(14, 0, 9, 0);
    counts->setSpacing(10);
    counts->addWidget(m_count);
    counts->addWidget(m_status, 1);

    auto *listPage = new QWidget(this);
    auto *listLayout = new QVBoxLayout(listPage);
    listLayout->setContentsMargins(0, 0, 0, 0);
    listLayout->setSpacing(0);
    listLayout->addLayout(counts);
    listLayout->addSpacing(6);
    listLayout->addWidget(m_view, 1);

    m_stack->addWidget(m_empty);
    m_stack->addWidget(listPage);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(title);
    layout->addSpacing(6);
    auto *filterRow = new QHBoxLayout;
    filterRow->setContentsMargins(12, 0, 9, 0);
    filterRow->addWidget(m_filter);
    layout->addLayout(filterRow);
    layout->addSpacing(5);
    layout->addWidget(m_stack, 1);

    const auto surface = [this] {
        QPalette p = palette();
        p.setColor(QPalette::Window, theme().color(ColorRole::Panel));
        setPalette(p);
        QPalette v = m_view->palette();
        v.setColor(QPalette::Base, theme().color(ColorRole::Panel));
        m_view->setPalette(v);
    };
    setAutoFillBackground(true);
    surface();
    connect(&theme(), &Theme::changed, this, surface);

    // Not at every key: 150 ms after the last one.
    connect(m_filter, &QLineEdit::textChanged, this,
            [this] { m_filterTimer = m_clock.after(std::chrono::milliseconds(150), [this] { applyFilter(); }); });
    connect(m_filter, &QLineEdit::returnPressed, this, &ActorListPanel::acceptFilter);
    connect(m_filter, &SearchField::escaped, this, [this] { m_view->setFocus(Qt::OtherFocusReason); });
    m_filter->installEventFilter(this);
    m_view->installEventFilter(this);

    auto *completer = new QCompleter(m_completions, this);
    completer->setCompletionMode(QCompleter::PopupCompletion);
    completer->setFilterMode(Qt::MatchStartsWith);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    m_filter->setCompleter(completer);
    connect(m_filter, &QLineEdit::textEdited, this, &ActorListPanel::updateCompletion);

    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ActorListPanel::currentChanged);
    connect(m_view, &QAbstractItemView::activated, this, [this](const QModelIndex &index) {
        if (m_model->actorId(index).isEmpty())
            m_view->setExpanded(index.siblingAtColumn(0), !m_view->isExpanded(index.siblingAtColumn(0)));
        else
            Q_EMIT actorOpened();
    });
    connect(m_view, &ActorListView::filterRequested, this, &ActorListPanel::addTerm);
    connect(m_view, &DataTree::contextMenu, this, [this](QMenu *menu, const QModelIndex &index) {
        InspectorClient *client = m_model->client(index);
        if (!client)
            return;
        if (m_model->actorId(index).isEmpty()) {
            Q_EMIT hostMenuRequested(client, menu);
            return;
        }
        QStringList ids;
        for (const QModelIndex &row : m_view->selectionModel()->selectedRows()) {
            if (m_model->client(row) == client && !m_model->actorId(row).isEmpty())
                ids.append(m_model->actorId(row));
        }
        if (ids.isEmpty())
            ids.append(m_model->actorId(index));
        Q_EMIT actorMenuRequested(client, ids, menu);
    });
    connect(m_model, &ActorListModel::countsChanged, this, &ActorListPanel::updateCounts);
    connect(&links, &HostLinks::added, this, &ActorListPanel::updatePages);
    connect(&links, &HostLinks::removed, this, &ActorListPanel::updatePages);
    connect(&links, &HostLinks::linkChanged, this, &ActorListPanel::updatePages);
    connect(m_empty, &EmptyState::actionTriggered, this, [this] {
        if (m_empty->emptyReason() == QLatin1String("noHost"))
            Q_EMIT attachRequested();
        else if (m_empty->emptyReason() == QLatin1String("noActors"))
            Q_EMIT createRequested();
    });
    connect(m_saved, &QToolButton::clicked, this, &ActorListPanel::showSavedFilters);
    connect(m_create, &QToolButton::clicked, this, &ActorListPanel::createRequested);

    m_filter->setText(settings.actorFilter());
    applyFilter();
    updatePages();
}

void ActorListPanel::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void ActorListPanel::setFilterText(const QString &text)
{
    m_filter->setText(text);
    applyFilter();
}

void ActorListPanel::select(InspectorClient *client, const QString &actorId)
{
    const QModelIndex index = m_model->indexOf(client, actorId);
    m_selecting = true;
    if (index.isValid()) {
        m_view->expand(index.parent());
        m_view->setCurrentIndex(index);
        m_view->scrollTo(index);
    } else {
        m_view->clearSelection();
        m_view->setCurrentIndex({});
    }
    m_selecting = false;
}

void ActorListPanel::tick()
{
    m_model->tick();
}

void ActorListPanel::applyFilter()
{
    m_filterTimer.cancel();
    const ActorListFilter filter = ActorListFilter::parse(m_filter->text());
    const bool bad = filter.error().has_value();
    m_filter->setInvalid(bad);
    if (!bad) {
        m_model->setFilter(filter);
        m_settings.setActorFilter(m_filter->text());
    }
    updateCounts();
    updatePages();
}

void ActorListPanel::acceptFilter()
{
    applyFilter();
    if (m_filter->isInvalid())
        return;
    m_settings.addToFilterHistory(m_filter->text());
    const QModelIndex first = m_model->firstActor();
    if (!first.isValid())
        return;
    m_view->setCurrentIndex(first);
    m_view->scrollTo(first);
    currentChanged();
    Q_EMIT actorOpened();
}

void ActorListPanel::updateCounts()
{
    const int total = m_model->totalCount();
    const int shown = m_model->shownCount();
    m_count->setText(m_model->filter().isEmpty() && !m_filter->isInvalid()
                         ? tr("%n actor(s)", nullptr, total)
                         : tr("%1 of %2").arg(format::count(shown), format::count(total)));
    if (m_filter->isInvalid()) {
        const ActorListFilter filter = ActorListFilter::parse(m_filter->text());
        m_status->setColorRole(ColorRole::Text);
        m_status->setText(filter.error() ? filter.error()->whole() : QString());
        return;
    }
    m_status->setColorRole(ColorRole::Muted);
    const int destroyed = m_model->hiddenDestroyed();
    m_status->setText(destroyed > 0 ? destroyed == 1 ? tr("1 destroyed is hidden")
                                                     : tr("%n destroyed are hidden", nullptr, destroyed)
                                    : QString());
    if (shown == 0 && total > 0) {
        const QString part = m_model->strongestPart();
        m_view->setEmptyText(QStringLiteral("filtered"), tr("No actor matches"),
                             part.isEmpty() ? QString() : tr("“%1” hides the most.").arg(part));
    }
}

void ActorListPanel::updatePages()
{
    const bool any = m_links.size() > 0;
    m_filter->setEnabled(any);
    m_saved->setEnabled(any);
    bool mayCreate = false;
    bool loaded = false;
    for (int i = 0; i < m_links.size(); ++i) {
        InspectorClient &client = *m_links.at(i);
        mayCreate = mayCreate || disabledReason(client, nullptr, nullptr, QLatin1String("create")).isEmpty();
        loaded = loaded || client.store().isLoaded();
    }
    m_create->setDisabledReason(mayCreate ? QString()
                                : any     ? tr("No attached host can create actors now.")
                                          : tr("Attach to a host first."));
    if (!any) {
        m_empty->setContent(QStringLiteral("noHost"), QStringLiteral("detach"), tr("No host attached"),
                            tr("Actors of every attached host are listed here."));
        m_empty->setAction(tr("Attach…"), QStringLiteral("attach"));
        m_stack->setCurrentIndex(0);
        return;
    }
    m_stack->setCurrentIndex(1);
}

void ActorListPanel::updateCompletion()
{
    // The part after the last space is completed; the rest stays in front of each proposal.
    const QString text = m_filter->text();
    const qsizetype space = text.lastIndexOf(QLatin1Char(' ')) + 1;
    const QString before = text.left(space);
    QString word = text.mid(space);
    const bool minus = word.startsWith(QLatin1Char('-'));
    if (minus)
        word.remove(0, 1);
    const QString prefix = before + (minus ? QStringLiteral("-") : QString());
    QStringList proposals;
    const qsizetype colon = word.indexOf(QLatin1Char(':'));
    if (word.isEmpty()) {
        proposals = m_settings.filterHistory();
    } else if (colon < 0) {
        for (const QString &field : ActorListFilter::fields())
            proposals.append(prefix + field + QLatin1Char(ActorListFilter::isNumber(field) ? '>' : ':'));
    } else {
        const QString field = word.left(colon);
        QStringList values = ActorListFilter::values(field);
        if (field == QLatin1String("type") || field == QLatin1String("host")) {
            QSet<QString> seen;
            for (int i = 0; i < m_links.size(); ++i) {
                if (field == QLatin1String("host")) {
                    seen.insert(m_links.at(i)->name());
                    continue;
                }
                for (const wire::ActorSummary &actor : m_links.at(i)->store().actors())
                    seen.insert(actor.type);
            }
            values = seen.values();
            values.sort();
        }
        for (const QString &value : values)
            proposals.append(prefix + field + QLatin1Char(':') + value);
    }
    m_completions->setStringList(proposals);
}

void ActorListPanel::currentChanged()
{
    if (m_selecting)
        return;
    const QModelIndex index = m_view->currentIndex();
    const QString id = m_model->actorId(index);
    if (!id.isEmpty())
        Q_EMIT actorSelected(m_model->client(index), id);
}

void ActorListPanel::showSavedFilters()
{
    QMenu menu(this);
    const auto saved = m_settings.savedFilters();
    for (const auto &[name, text] : saved) {
        QAction *action = menu.addAction(name);
        connect(action, &QAction::triggered, this, [this, text = text] { setFilterText(text); });
    }
    if (!saved.isEmpty())
        menu.addSeparator();
    QAction *save = menu.addAction(tr("&Save this filter…"), this, [this] {
        bool ok = false;
        const QString name =
            QInputDialog::getText(this, tr("Save filter"), tr("Name:"), QLineEdit::Normal, m_filter->text(), &ok);
        if (!ok || name.isEmpty())
            return;
        auto filters = m_settings.savedFilters();
        filters.removeIf([&](const auto &known) { return known.first == name; });
        filters.append({name, m_filter->text()});
        m_settings.setSavedFilters(filters);
    });
    save->setEnabled(!m_filter->text().isEmpty() && !m_filter->isInvalid());
    menu.addAction(tr("&Clear filter"), this, [this] { setFilterText({}); })->setEnabled(!m_filter->text().isEmpty());
    menu.exec(m_saved->mapToGlobal(QPoint(0, m_saved->height())));
}

void ActorListPanel::addTerm(const QModelIndex &index, bool exclude)
{
    const wire::ActorSummary *actor = m_model->actor(index);
    QString term;
    if (!actor)
        term = QStringLiteral("host:\"%1\"").arg(m_model->client(index)->name());
    else if (index.column() == ActorListModel::StateColumn)
        term = QStringLiteral("status:") + wire::statusName(actor->status);
    else
        term = QStringLiteral("type:") + actor->type;
    if (exclude)
        term.prepend(QLatin1Char('-'));
    const QString text = m_filter->text().trimmed();
    setFilterText(text.isEmpty() ? term : text + QLatin1Char(' ') + term);
}

bool ActorListPanel::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (watched == m_filter && key->key() == Qt::Key_Down && !m_filter->completer()->popup()->isVisible()) {
            m_view->setFocus(Qt::OtherFocusReason);
            if (!m_view->currentIndex().isValid())
                m_view->setCurrentIndex(m_model->firstActor());
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace terrarium::ui
