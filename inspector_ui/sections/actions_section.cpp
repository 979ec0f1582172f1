#include "sections/actions_section.h"

#include "models/action_model.h"
#include "models/format.h"
#include "models/link_facts.h"
#include "models/value_text.h"
#include "sections/argument_field.h"
#include "sections/call_store.h"
#include "value/json.h"
#include "widgets/caption_bar.h"
#include "widgets/data_tree.h"
#include "widgets/empty_state.h"
#include "widgets/icon_button.h"
#include "widgets/row_export.h"
#include "widgets/run_label.h"
#include "widgets/search_field.h"
#include "widgets/segmented_control.h"
#include "widgets/surface.h"
#include "widgets/themed_label.h"

#include <QClipboard>
#include <QComboBox>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QListView>
#include <QMenu>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QShortcut>
#include <QStackedWidget>
#include <QStyledItemDelegate>

namespace terrarium::ui {

namespace {

constexpr int fieldsPerRow = 3;
constexpr int mostRepeats = 1000;

/// Name at the left; duration of the last call or number of failures at the right. Selection as in side lists.
class ActionDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override
    {
        return {100, theme().rowHeight() + 4};
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const Theme &th = theme();
        const bool selected = option.state & QStyle::State_Selected;
        const bool hovered = option.state & QStyle::State_MouseOver;
        const QRect box = option.rect.adjusted(6, 0, -7, 0);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (selected || hovered) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(th.color(selected ? ColorRole::SelSide : ColorRole::Hover));
            painter->drawRoundedRect(box, 5, 5);
        }
        if (selected && (option.state & QStyle::State_HasFocus)) {
            painter->setPen(QPen(th.color(ColorRole::Accent), 1));
            painter->setBrush(Qt::NoBrush);
            painter->drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
        }
        painter->setRenderHint(QPainter::Antialiasing, false);
        const QRect line = box.adjusted(10, 0, -8, 0);
        const QString fact = index.data(LabelRole).toString();
        const bool failed = index.data(CountRole).toInt() > 0;
        painter->setFont(th.font(FontRole::DataSmall));
        painter->setPen(th.color(ColorRole::Muted));
        painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter, fact);
        int room = line.width() - painter->fontMetrics().horizontalAdvance(fact) - 8;
        if (failed) {
            room -= 22;
            const int x = line.right() - painter->fontMetrics().horizontalAdvance(fact) - 28;
            icons::paint(painter, QPoint(x, line.top() + (line.height() - 16) / 2), QStringLiteral("failed"),
                         th.color(ColorRole::Bad), 16);
        }
        painter->setFont(th.font(selected ? FontRole::Strong : FontRole::Body));
        painter->setPen(th.color(ColorRole::Text));
        painter->drawText(
            line, Qt::AlignLeft | Qt::AlignVCenter,
            painter->fontMetrics().elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, room));
        painter->restore();
    }
};

} // namespace

ActionsSection::ActionsSection(QWidget *parent) : Section(QStringLiteral("actions"), parent)
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto *panel = new Surface(ColorRole::Panel, this, Surface::Right);
    panel->setFixedWidth(184);
    buildList(panel);
    layout->addWidget(panel);
    m_pages = new QStackedWidget(this);
    layout->addWidget(m_pages, 1);
    m_page = new QWidget(m_pages);
    auto *column = new QVBoxLayout(m_page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto *form = new Surface(ColorRole::Base, m_page, Surface::Bottom);
    buildForm(form);
    column->addWidget(form);
    buildCalls(m_page);
    m_empty = new EmptyState(m_pages);
    m_pages->addWidget(m_page);
    m_pages->addWidget(m_empty);

    for (const QKeySequence &keys : {QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter)}) {
        auto *shortcut = new QShortcut(keys, this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, &ActionsSection::call);
    }
}

void ActionsSection::buildList(QWidget *panel)
{
    auto *layout = new QVBoxLayout(panel);
    layout->setContentsMargins(0, 6, 1, 0);
    layout->setSpacing(8);
    auto *top = new QHBoxLayout;
    top->setContentsMargins(8, 0, 7, 0);
    m_find = new SearchField(QStringLiteral("search"), tr("Find action"), QString(), panel);
    m_find->setObjectName(QStringLiteral("actionFindEdit"));
    m_find->setAccessibleName(tr("Find an action"));
    m_find->installEventFilter(this);
    top->addWidget(m_find);
    layout->addLayout(top);
    m_model = new ActionModel(this);
    m_list = new QListView(panel);
    m_list->setObjectName(QStringLiteral("actionList"));
    m_list->setAccessibleName(tr("Actions"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new ActionDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setMouseTracking(true);
    m_list->setUniformItemSizes(true);
    m_list->setProperty("ownRows", true);
    m_list->viewport()->setAutoFillBackground(false);
    layout->addWidget(m_list, 1);

    connect(m_find, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_model->setFilter(text);
        if (m_model->rowCount() > 0)
            m_list->setCurrentIndex(m_model->index(0));
    });
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex &index) {
        if (const wire::ActionInfo *action = m_model->actionAt(index.row()); index.isValid() && action)
            showAction(action->name);
    });
    connect(m_list, &QListView::activated, this, [this] {
        if (!m_fields.isEmpty())
            m_fields.first()->edit()->setFocus(Qt::TabFocusReason);
    });
}

void ActionsSection::buildForm(QWidget *pane)
{
    auto *layout = new QVBoxLayout(pane);
    layout->setContentsMargins(16, 12, 16, 14);
    layout->setSpacing(0);
    auto *top = new QHBoxLayout;
    top->setSpacing(8);
    m_title = new RunLabel(pane);
    m_title->setObjectName(QStringLiteral("actionTitle"));
    top->addWidget(m_title, 1);
    m_mode = new SegmentedControl({tr("Form"), tr("JSON")}, pane);
    m_mode->setObjectName(QStringLiteral("actionArgsMode"));
    m_mode->setAccessibleName(tr("How arguments are entered"));
    top->addWidget(m_mode);
    m_copy = new IconButton(QStringLiteral("copy"), tr("Copy this call"), pane);
    m_copy->setObjectName(QStringLiteral("actionCopyButton"));
    top->addWidget(m_copy);
    layout->addLayout(top);
    m_help = new ThemedLabel(QString(), ColorRole::Muted, FontRole::Body, pane);
    m_help->setElide(Qt::ElideRight);
    m_help->setMinimumHeight(22);
    layout->addWidget(m_help);
    layout->addSpacing(10);

    m_args = new QStackedWidget(pane);
    m_form = new QWidget(m_args);
    m_form->setObjectName(QStringLiteral("actionArgsForm"));
    new QGridLayout(m_form);
    m_args->addWidget(m_form);
    auto *jsonPage = new QWidget(m_args);
    auto *jsonLayout = new QVBoxLayout(jsonPage);
    jsonLayout->setContentsMargins(0, 0, 0, 0);
    jsonLayout->setSpacing(4);
    m_json = new QPlainTextEdit(jsonPage);
    m_json->setObjectName(QStringLiteral("actionArgsEdit"));
    m_json->setAccessibleName(tr("Arguments as a JSON list"));
    m_json->setTabChangesFocus(true);
    m_json->setFont(theme().font(FontRole::Data));
    connect(&theme(), &Theme::changed, m_json, [this] { m_json->setFont(theme().font(FontRole::Data)); });
    m_json->setPlaceholderText(QStringLiteral("[118, 64]"));
    m_json->setFixedHeight(84);
    m_json->installEventFilter(this);
    m_jsonNote = new RunLabel(jsonPage);
    m_jsonNote->setMinimumHeight(20);
    jsonLayout->addWidget(m_json);
    jsonLayout->addWidget(m_jsonNote);
    m_args->addWidget(jsonPage);
    layout->addWidget(m_args);
    layout->addSpacing(8);

    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    m_timeout = new QComboBox(pane);
    m_timeout->setObjectName(QStringLiteral("actionTimeout"));
    m_timeout->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_timeout->setMinimumWidth(138);
    m_timeout->setAccessibleName(tr("Time limit of the call"));
    m_timeout->addItem(icons::icon(QStringLiteral("clock"), ColorRole::Muted), tr("Host timeout"), 0);
    for (const int seconds : {5, 30, 120, 600})
        m_timeout->addItem(icons::icon(QStringLiteral("clock"), ColorRole::Muted),
                           seconds < 60 ? tr("%1 s").arg(seconds) : tr("%1 m").arg(seconds / 60), seconds * 1000);
    buttons->addWidget(m_timeout);
    buttons->addStretch(1);
    m_cancel = new QPushButton(icons::icon(QStringLiteral("close")), tr("Cancel"), pane);
    m_cancel->setObjectName(QStringLiteral("actionCancelButton"));
    buttons->addWidget(m_cancel);
    m_repeat = new QPushButton(icons::icon(QStringLiteral("loop")), tr("Repeat…"), pane);
    m_repeat->setObjectName(QStringLiteral("actionRepeatButton"));
    buttons->addWidget(m_repeat);
    m_call = new QPushButton(icons::icon(QStringLiteral("play"), ColorRole::AccentFillText), tr("Call"), pane);
    m_call->setObjectName(QStringLiteral("actionCallButton"));
    m_call->setProperty("primary", true);
    m_call->setProperty("keys", QStringLiteral("Ctrl Enter"));
    buttons->addWidget(m_call);
    layout->addLayout(buttons);

    connect(m_mode, &SegmentedControl::currentChanged, this, [this](int index) { setJsonMode(index == 1); });
    connect(m_copy, &IconButton::clicked, this, &ActionsSection::copyMenu);
    connect(m_json, &QPlainTextEdit::textChanged, this, [this] {
        const ParsedArgument parsed = parseArguments(m_json->toPlainText());
        m_json->setProperty("invalid", !parsed.problem.isEmpty());
        m_json->update();
        if (parsed.problem.isEmpty())
            m_jsonNote->setRuns({});
        else
            m_jsonNote->setRuns({Run::withIcon(QStringLiteral("failed"), ColorRole::Bad, 14),
                                 Run(parsed.problem, ColorRole::Text, FontRole::Secondary).after(6)});
        updateButtons();
    });
    connect(m_call, &QPushButton::clicked, this, &ActionsSection::call);
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        for (const CallEntry &entry : m_calls->entries()) {
            if (entry.state == CallEntry::Running && entry.action == m_action) {
                cancel(entry.id);
                break;
            }
        }
    });
    connect(m_repeat, &QPushButton::clicked, this, &ActionsSection::repeatMenu);
}

void ActionsSection::buildCalls(QWidget *pane)
{
    auto *column = static_cast<QVBoxLayout *>(pane->layout());
    m_caption = new CaptionBar(tr("Calls"), pane);
    m_caption->setHeight(36);
    m_caption->setHairline(false, true);
    m_export = new IconButton(QStringLiteral("export"), tr("Export the calls"), m_caption);
    m_export->setObjectName(QStringLiteral("actionExportButton"));
    m_clear = new IconButton(QStringLiteral("state-destroying"), tr("Clear finished calls from this list"), m_caption);
    m_clear->setObjectName(QStringLiteral("actionClearButton"));
    m_caption->addControl(m_export);
    m_caption->addControl(m_clear);
    column->addWidget(m_caption);
    m_transcript = new DataTree(pane);
    m_transcript->setObjectName(QStringLiteral("actionTranscript"));
    m_transcript->setAccessibleName(tr("Calls from this window"));
    m_calls = new CallHistoryModel(this);
    m_transcript->setModel(m_calls);
    m_transcript->setColumnWidths({148, 168, 0, 66, 110});
    m_transcript->behavior()->setExportName(QStringLiteral("calls"));
    m_transcript->setEmptyText(QStringLiteral("none"), tr("No call from this window yet"),
                               tr("Ctrl+Enter calls the action above."));
    column->addWidget(m_transcript, 1);
    connect(m_export, &IconButton::clicked, this,
            [this] { row_export::exportAll(m_transcript, QStringLiteral("calls")); });
    connect(m_clear, &IconButton::clicked, this, [this] {
        m_calls->clearFinished();
        updateCaption();
    });
    connect(m_transcript, &DataTree::linkActivated, this, &ActionsSection::followCallLink);
    connect(m_transcript, &DataTree::contextMenu, this, [this](QMenu *menu, const QModelIndex &index) {
        const CallEntry *entry = m_calls->entryAt(index);
        if (!entry)
            return;
        const CallEntry copy = *entry;
        menu->addAction(tr("Fill the form with this call"), this, [this, copy] {
            if (follow(QLatin1String("action:") + copy.action))
                fill(copy.args);
        });
        menu->addAction(tr("Copy the arguments as JSON"), this,
                        [copy] { QGuiApplication::clipboard()->setText(QString::fromUtf8(json::write(copy.args))); });
        if (copy.state == CallEntry::Ok)
            menu->addAction(tr("Copy the answer as JSON"), this, [copy] {
                QGuiApplication::clipboard()->setText(QString::fromUtf8(json::writePretty(copy.result.result)));
            });
        menu->addSeparator();
    });
}

void ActionsSection::contextChanged()
{
    if (!m_action.isEmpty())
        m_action.clear();
    // The calls of the actor before are kept for when it is shown again.
    if (const QString before = property("actor").toString(); !before.isEmpty())
        m_kept.insert(before, m_calls->entries());
    const QString actor = feed() ? feed()->actorId() : QString();
    setProperty("actor", actor);
    m_calls->setEntries(m_kept.take(actor));
    for (int row = 0; row < m_calls->rowCount(); ++row)
        if (m_calls->entries()[size_t(row)].state == CallEntry::Failed)
            m_transcript->setExpanded(m_calls->index(row, 0), false);
    m_repeatLeft = 0;
    m_drafts.clear();
    m_find->clear();
    m_model->setActions({});
    m_model->clearCalls();
    m_recordsSeen = 0;
    m_recordsReset = true;
    m_recordsDirty = true;
    m_typeDirty = true;
    m_info = {};
    buildFields();
    if (cursor())
        connect(cursor(), &TimeCursor::changed, this, &ActionsSection::updateButtons);
    refresh();
}

void ActionsSection::feedChanged(const FeedChange &change)
{
    if (change.typeChanged || change.reset)
        m_typeDirty = true;
    if (change.reset || change.recordsDropped)
        m_recordsReset = true;
    if (change.recordsAppended || change.reset)
        m_recordsDirty = true;
}

void ActionsSection::activated()
{
    refresh();
    updateButtons();
}

void ActionsSection::refresh()
{
    if (!feed()) {
        m_empty->setContent(QStringLiteral("noActor"), QStringLiteral("actions"), tr("No actor is selected"),
                            QString());
        m_pages->setCurrentWidget(m_empty);
        return;
    }
    if (m_typeDirty && feed()->isLoaded()) {
        m_typeDirty = false;
        m_model->setActions(feed()->type().actions);
        if (m_model->totalCount() == 0) {
            m_empty->setContent(
                QStringLiteral("noActions"), QStringLiteral("actions"),
                tr("%1 declares no action").arg(feed()->summary().type),
                tr("An action is a function of the actor that clients may call. What a type declares appears here."));
            m_pages->setCurrentWidget(m_empty);
        } else {
            m_pages->setCurrentWidget(m_page);
            if (m_action.isEmpty() || !m_model->find(m_action)) {
                m_list->setCurrentIndex(m_model->index(0));
                if (const wire::ActionInfo *action = m_model->actionAt(0); action && m_action != action->name)
                    showAction(action->name);
            }
        }
    } else if (!feed()->isLoaded()) {
        m_empty->setContent(QStringLiteral("loading"), QString(), QString(), QString());
        m_pages->setCurrentWidget(m_empty);
    }
    if (m_recordsDirty && isActive()) {
        m_recordsDirty = false;
        const auto &records = feed()->records();
        if (m_recordsReset || m_recordsSeen > records.size()) {
            m_model->clearCalls();
            m_recordsSeen = 0;
            m_recordsReset = false;
        }
        m_model->addCalls(records, m_recordsSeen);
        m_recordsSeen = records.size();
    }
    updateButtons();
    updateCaption();
}

void ActionsSection::ticked()
{
    m_calls->setNow(hostNow());
    updateButtons();
}

void ActionsSection::linkChanged()
{
    updateButtons();
}

QString ActionsSection::emptyReason() const
{
    return m_pages->currentWidget() == m_empty ? m_empty->emptyReason() : QString();
}

void ActionsSection::focusFirst()
{
    m_find->setFocus(Qt::OtherFocusReason);
    m_find->selectAll();
}

bool ActionsSection::follow(const QString &link)
{
    if (!link.startsWith(QLatin1String("action:")))
        return false;
    const QString name = link.mid(7);
    refresh();
    if (!m_model->find(name))
        return false;
    if (m_model->rowOf(name) < 0)
        m_find->clear();
    m_list->setCurrentIndex(m_model->index(m_model->rowOf(name)));
    showAction(name);
    return true;
}

void ActionsSection::showAction(const QString &name)
{
    const wire::ActionInfo *action = m_model->find(name);
    if (!action || (name == m_action && m_info == *action))
        return;
    if (!m_action.isEmpty())
        if (const auto draft = arguments())
            m_drafts.insert(m_action, *draft);
    m_action = name;
    m_info = *action;
    m_recallAt = -1;
    buildFields();
    if (m_drafts.contains(name))
        fill(m_drafts.value(name));
    updateButtons();
}

void ActionsSection::buildFields()
{
    qDeleteAll(m_fields);
    m_fields.clear();
    auto *grid = static_cast<QGridLayout *>(m_form->layout());
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(2);
    QWidget *last = m_find;
    for (int i = 0; i < m_info.parameters.size(); ++i) {
        auto *field = new ArgumentField(m_info.parameters.at(i), m_form);
        field->edit()->installEventFilter(this);
        grid->addWidget(field, i / fieldsPerRow, i % fieldsPerRow);
        connect(field, &ArgumentField::changed, this, &ActionsSection::updateButtons);
        field->show(); // at once: a layout shows new children only later, and Tab would pass them by
        m_fields.append(field);
        setTabOrder(last, field->edit());
        last = field->edit();
    }
    // Numbers need little room, the rest shares what is left.
    for (int column = 0; column < fieldsPerRow; ++column) {
        const bool used = column < m_info.parameters.size();
        const QString type = used ? m_info.parameters.at(column).type : QString();
        const bool narrow =
            type == QLatin1String("int") || type == QLatin1String("number") || type == QLatin1String("bool");
        grid->setColumnStretch(column, !used ? 0 : narrow ? 2 : 3);
    }
    m_form->setMaximumHeight(m_fields.isEmpty() ? 0 : QWIDGETSIZE_MAX);
    QList<Run> title;
    if (!m_action.isEmpty()) {
        title = {Run(m_info.name, ColorRole::Text, FontRole::DataStrong),
                 Run(signatureText(m_info), ColorRole::Muted, FontRole::Data).after(8)};
        if (!m_info.result.isEmpty() && m_info.result != QLatin1String("none"))
            title.append(Run(QStringLiteral("\u2192 ") + m_info.result, ColorRole::Muted, FontRole::Data).after(7));
    }
    m_title->setRuns(title);
    m_help->setText(m_info.help
                    + (m_info.query ? (m_info.help.isEmpty() ? QString() : QStringLiteral(" ")) + tr("Changes nothing.")
                                    : QString()));
    if (m_mode->currentIndex() == 1) {
        const QSignalBlocker block(m_json);
        m_json->setPlainText(QString());
        m_jsonNote->setRuns({});
        m_json->setProperty("invalid", false);
    }
    m_args->setVisible(!m_fields.isEmpty() || m_mode->currentIndex() == 1);
    m_args->setMaximumHeight(m_mode->currentIndex() == 1 ? QWIDGETSIZE_MAX : m_form->sizeHint().height());
}

void ActionsSection::setJsonMode(bool on)
{
    const std::optional<Value> args = on ? [this]() -> std::optional<Value> {
        std::vector<Value> list;
        for (ArgumentField *field : std::as_const(m_fields)) {
            const ParsedArgument parsed = field->parsed();
            if (parsed.value)
                list.push_back(*parsed.value);
            else if (!parsed.problem.isEmpty() && !field->text().isEmpty())
                return std::nullopt;
            else
                break;
        }
        return Value::array(std::move(list));
    }()
        : parseArguments(m_json->toPlainText()).value;
    m_args->setCurrentIndex(on ? 1 : 0);
    m_args->setVisible(on || !m_fields.isEmpty());
    m_args->setMaximumHeight(on ? QWIDGETSIZE_MAX : m_form->sizeHint().height());
    if (args && (on || args->size() > 0)) {
        if (on)
            m_json->setPlainText(args->size() ? QString::fromUtf8(json::write(*args)) : QString());
        else
            fill(*args);
    }
    updateButtons();
}

std::optional<Value> ActionsSection::arguments(QString *problem) const
{
    if (m_mode->currentIndex() == 1) {
        const ParsedArgument parsed = parseArguments(m_json->toPlainText());
        if (problem)
            *problem = parsed.problem;
        return parsed.value;
    }
    std::vector<Value> list;
    qsizetype sent = 0;
    for (ArgumentField *field : m_fields) {
        const ParsedArgument parsed = field->parsed();
        if (!parsed.problem.isEmpty()) {
            if (problem)
                *problem = tr("%1: %2").arg(field->parameter().name, parsed.problem);
            return std::nullopt;
        }
        list.push_back(parsed.value ? *parsed.value : Value());
        if (parsed.value)
            sent = qsizetype(list.size());
    }
    list.resize(size_t(sent)); // what is not sent at the end is left out; between two it is null
    return Value::array(std::move(list));
}

void ActionsSection::fill(const Value &args)
{
    if (m_mode->currentIndex() == 1) {
        m_json->setPlainText(QString::fromUtf8(json::write(args)));
        return;
    }
    if (args.size() > m_fields.size()) {
        m_mode->setCurrentIndex(1);
        m_json->setPlainText(QString::fromUtf8(json::write(args)));
        return;
    }
    for (qsizetype i = 0; i < m_fields.size(); ++i) {
        const bool given = i < args.size() && !(args.at(i).isNull() && m_fields.at(i)->parameter().optional);
        m_fields.at(i)->setText(given ? argumentText(m_fields.at(i)->parameter(), args.at(i)) : QString());
    }
}

void ActionsSection::updateButtons()
{
    QString reason;
    if (!client() || !feed())
        reason = tr("No actor is selected.");
    else
        reason = disabledReason(*client(), feed(), cursor(), QLatin1String("call"));
    if (reason.isEmpty() && m_action.isEmpty())
        reason = tr("No action is selected.");
    if (reason.isEmpty()) {
        QString problem;
        if (!arguments(&problem))
            reason = tr("Off: an argument is not right. %1").arg(problem);
    }
    setButtonReason(m_call, reason, tr("Calls the action (Ctrl+Enter)"));
    if (m_repeatLeft > 0) {
        m_repeat->setText(tr("Stop, %1 left").arg(m_repeatLeft));
        setButtonReason(m_repeat, QString(), tr("Stops after the call that runs"));
    } else {
        m_repeat->setText(tr("Repeat…"));
        setButtonReason(m_repeat, reason, tr("Calls several times, one after the other"));
    }
    bool running = false;
    for (const CallEntry &entry : m_calls->entries())
        running = running || (entry.state == CallEntry::Running && entry.action == m_action);
    m_cancel->setVisible(running);
    setButtonReason(m_cancel, client() && isLinked(*client()) ? QString() : tr("Off: the link is lost."),
                    tr("Asks the host to cancel the call"));
    setButtonReason(m_copy, m_action.isEmpty() ? tr("No action is selected.") : QString(), tr("Copy this call"));
}

void ActionsSection::updateCaption()
{
    const int count = int(m_calls->entries().size());
    m_caption->setDetail(count == 0 ? tr("this window only")
                                    : tr("%1 since %2, this window only")
                                          .arg(format::count(count), format::time(m_calls->entries().back().at)));
    m_clear->setDisabledReason(count == 0 ? tr("There is nothing to clear.") : QString());
    m_export->setDisabledReason(count == 0 ? tr("There is nothing to export.") : QString());
}

bool ActionsSection::call()
{
    updateButtons();
    if (!m_call->isEnabled())
        return false;
    const std::optional<Value> args = arguments();
    if (!args)
        return false;
    CallEntry entry;
    entry.id = m_nextId++;
    entry.action = m_action;
    entry.args = *args;
    entry.at = hostNow();
    const QString actorId = feed()->actorId();
    call_store::remember(feed()->summary().type, m_info, *args);
    m_recallAt = -1;
    const quint64 id = entry.id;
    entry.call = client()->callAction(
        actorId, m_action, *args, m_timeout->currentData().toLongLong(), this,
        [this, actorId, id](const Outcome<wire::CallResult> &outcome) { finished(actorId, id, outcome); });
    m_calls->add(entry);
    updateButtons();
    updateCaption();
    return true;
}

void ActionsSection::finished(const QString &actorId, quint64 id, const Outcome<wire::CallResult> &outcome)
{
    const bool shown = feed() && feed()->actorId() == actorId;
    const CallEntry *known = nullptr;
    if (shown) {
        known = m_calls->find(id);
    } else {
        for (const CallEntry &entry : m_kept[actorId])
            if (entry.id == id)
                known = &entry;
    }
    if (!known)
        return;
    CallEntry entry = *known;
    entry.endedAt = hostNow();
    switch (outcome.kind) {
    case Outcome<wire::CallResult>::Ok:
        entry.state = CallEntry::Ok;
        entry.result = outcome.value;
        break;
    case Outcome<wire::CallResult>::Failed:
        entry.state = CallEntry::Failed;
        entry.error = outcome.error;
        break;
    case Outcome<wire::CallResult>::Unconfirmed: entry.state = CallEntry::Unconfirmed; break;
    }
    if (!shown) {
        for (CallEntry &kept : m_kept[actorId])
            if (kept.id == id)
                kept = entry;
        return;
    }
    m_calls->replace(entry);
    if (entry.state == CallEntry::Failed || entry.state == CallEntry::Unconfirmed) {
        // An error opens in place under its call.
        for (int row = 0; row < m_calls->rowCount(); ++row)
            if (m_calls->entries()[size_t(row)].id == id)
                m_transcript->expand(m_calls->index(row, 0));
        m_repeatLeft = 0;
    }
    if (m_repeatLeft > 0 && m_repeatActor == actorId) {
        --m_repeatLeft;
        if (m_repeatLeft > 0 && !call())
            m_repeatLeft = 0;
    }
    updateButtons();
    updateCaption();
}

void ActionsSection::cancel(quint64 id)
{
    if (const CallEntry *entry = m_calls->find(id); entry && client() && entry->state == CallEntry::Running)
        client()->cancelCall(entry->call);
}

void ActionsSection::followCallLink(const QString &link)
{
    if (link.startsWith(QLatin1String("cancel:")))
        cancel(link.mid(7).toULongLong());
    else
        Q_EMIT linkActivated(link);
}

void ActionsSection::repeatMenu()
{
    if (m_repeatLeft > 0) {
        m_repeatLeft = 0;
        updateButtons();
        return;
    }
    QMenu menu(this);
    for (const int times : {2, 10, 100, mostRepeats}) {
        menu.addAction(tr("%1 times").arg(format::count(times)), this, [this, times] {
            m_repeatLeft = times;
            m_repeatActor = feed() ? feed()->actorId() : QString();
            if (!call())
                m_repeatLeft = 0;
            updateButtons();
        });
    }
    menu.exec(m_repeat->mapToGlobal(QPoint(0, m_repeat->height())));
}

QString ActionsSection::clientLine() const
{
    const wire::ActorSummary &actor = feed()->summary();
    QStringList key;
    for (const QString &segment : actor.key.segments())
        key.append(value_text::quoted(segment, 1000));
    QString args;
    if (const auto list = arguments()) {
        const QString text = QString::fromUtf8(json::write(*list));
        args = text.mid(1, text.size() - 2);
    }
    return QStringLiteral("await client.%1.getOrCreate([%2]).%3(%4)")
        .arg(actor.type, key.join(QLatin1String(", ")), m_action, args);
}

QString ActionsSection::curlLine() const
{
    const wire::ActorSummary &actor = feed()->summary();
    QUrl url = client()->address().url;
    url.setScheme(url.scheme() == QLatin1String("wss") ? QStringLiteral("https") : QStringLiteral("http"));
    QString path = QLatin1String("/call/") + QString::fromLatin1(QUrl::toPercentEncoding(actor.type));
    for (const QString &segment : actor.key.segments())
        path += QLatin1Char('/') + QString::fromLatin1(QUrl::toPercentEncoding(segment));
    path += QLatin1Char('/') + QString::fromLatin1(QUrl::toPercentEncoding(m_action));
    QString body = QString::fromUtf8(json::write(arguments().value_or(Value::array())));
    body.replace(QLatin1Char('\''), QLatin1String("'\\''"));
    return QStringLiteral("curl -X POST %1%2 -d '%3'")
        .arg(url.toString(QUrl::RemovePath | QUrl::RemoveQuery), path, body);
}

void ActionsSection::copyMenu()
{
    if (!feed() || !client())
        return;
    QMenu menu(this);
    menu.addAction(tr("Copy as client call"), this, [this] { QGuiApplication::clipboard()->setText(clientLine()); });
    menu.addAction(tr("Copy as curl line"), this, [this] { QGuiApplication::clipboard()->setText(curlLine()); });
    menu.addAction(tr("Copy the arguments as JSON"), this, [this] {
        if (const auto args = arguments())
            QGuiApplication::clipboard()->setText(QString::fromUtf8(json::write(*args)));
    });
    menu.exec(m_copy->mapToGlobal(QPoint(0, m_copy->height())));
}

void ActionsSection::recall(int step)
{
    if (!feed() || m_action.isEmpty())
        return;
    const QStringList past = call_store::recall(feed()->summary().type, m_action);
    const int next = m_recallAt + step;
    if (next < -1 || next >= past.size())
        return;
    m_recallAt = next;
    if (next < 0)
        return;
    if (const ParsedArgument parsed = parseArguments(past.at(next)); parsed.value)
        fill(*parsed.value);
}

bool ActionsSection::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::KeyPress)
        return Section::eventFilter(watched, event);
    auto *key = static_cast<QKeyEvent *>(event);
    if (watched == m_find) {
        const bool forward = key->key() == Qt::Key_Tab || key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        if (forward && !(key->modifiers() & Qt::ControlModifier)) {
            // Takes the best match and goes on to its first argument.
            if (m_mode->currentIndex() == 1)
                m_json->setFocus(Qt::TabFocusReason);
            else if (!m_fields.isEmpty())
                m_fields.first()->edit()->setFocus(Qt::TabFocusReason);
            else
                m_call->setFocus(Qt::TabFocusReason);
            return true;
        }
        if (key->key() == Qt::Key_Down) {
            m_list->setFocus(Qt::TabFocusReason);
            return true;
        }
    } else if (watched == m_json) {
        const QTextCursor at = m_json->textCursor();
        if (key->key() == Qt::Key_Up && at.blockNumber() == 0) {
            recall(1);
            return true;
        }
        if (key->key() == Qt::Key_Down && at.blockNumber() == m_json->blockCount() - 1) {
            recall(-1);
            return true;
        }
    } else if (key->key() == Qt::Key_Up || key->key() == Qt::Key_Down) {
        recall(key->key() == Qt::Key_Up ? 1 : -1);
        return true;
    }
    return Section::eventFilter(watched, event);
}

} // namespace terrarium::ui
