#include "shell/jump_box.h"

#include "models/roles.h"
#include "style/proxy_style.h"
#include "widgets/data_table.h"

#include <QAbstractListModel>
#include <QHeaderView>
#include <QKeyEvent>
#include <QVBoxLayout>

#include <algorithm>

namespace terrarium::ui {

namespace {

class JumpModel final : public QAbstractListModel {
public:
    using QAbstractListModel::QAbstractListModel;

    void setRows(const std::vector<JumpTarget> *rows)
    {
        beginResetModel();
        m_rows = rows;
        endResetModel();
    }
    int rowCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() || !m_rows ? 0 : int(m_rows->size());
    }
    QVariant data(const QModelIndex &index, int role) const override
    {
        const JumpTarget &target = (*m_rows)[size_t(index.row())];
        if (role == Qt::DisplayRole)
            return target.text;
        if (role == CellRole)
            return QVariant::fromValue(
                Cell(QList<Run>{Run::withIcon(target.icon, ColorRole::Muted, 14), Run(target.text),
                                Run(target.detail, ColorRole::Muted).after(10)}));
        return {};
    }

private:
    const std::vector<JumpTarget> *m_rows = nullptr;
};

int jumpScore(const QString &text, const QString &query)
{
    const qsizetype at = text.indexOf(query, 0, Qt::CaseInsensitive);
    if (at == 0)
        return 0;
    if (at > 0)
        return text[at - 1].isLetterOrNumber() ? 2 : 1;
    qsizetype from = 0;
    for (QChar c : query) {
        from = text.indexOf(c, from, Qt::CaseInsensitive);
        if (from < 0)
            return -1;
        ++from;
    }
    return 3;
}

} // namespace

class JumpBox::Popup final : public QFrame {
public:
    explicit Popup(QWidget *owner) : QFrame(owner, Qt::ToolTip), list(new DataTable(this)), model(new JumpModel(this))
    {
        setObjectName(QStringLiteral("palette"));
        setFrameShape(QFrame::StyledPanel);
        setFocusPolicy(Qt::NoFocus);
        list->setObjectName(QStringLiteral("paletteList"));
        list->setFocusPolicy(Qt::NoFocus);
        list->horizontalHeader()->hide();
        list->setModel(model);
        list->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
        list->setSelectionMode(QAbstractItemView::SingleSelection);
        list->setEmptyText(QStringLiteral("nothing"), tr("Nothing found"));
        auto *layout = new QVBoxLayout(this);
        layout->setContentsMargins(1, 1, 1, 1);
        layout->addWidget(list);
    }
    DataTable *list;
    JumpModel *model;
};

JumpBox::JumpBox(QWidget *parent)
    : SearchField(QStringLiteral("search"), tr("Jump to actor, section or command"), QStringLiteral("Ctrl K"), parent),
      m_popup(new Popup(this))
{
    setObjectName(QStringLiteral("jumpEdit"));
    setAccessibleName(tr("Jump to actor, section or command"));
    connect(this, &QLineEdit::textChanged, this, &JumpBox::search);
    connect(m_popup->list, &QAbstractItemView::pressed, this, [this](const QModelIndex &index) { go(index.row()); });
    connect(this, &SearchField::escaped, this, [this] {
        m_popup->hide();
        clearFocus();
    });
}

JumpBox::~JumpBox() = default;

void JumpBox::search()
{
    const QString query = text().trimmed();
    m_popup->model->setRows(nullptr);
    m_shown.clear();
    if (query.isEmpty() || !hasFocus()) {
        m_popup->hide();
        return;
    }
    const char only = query.startsWith(QLatin1Char('@')) ? '@' : query.startsWith(QLatin1Char('>')) ? '>' : 0;
    const QString words = only ? query.mid(1).trimmed() : query;
    std::vector<std::pair<int, const JumpTarget *>> found;
    for (const JumpTarget &target : m_targets) {
        if (only && target.kind != only)
            continue;
        const int score = jumpScore(target.text, words);
        if (score >= 0)
            found.push_back({score, &target});
    }
    std::stable_sort(found.begin(), found.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    for (size_t i = 0; i < std::min<size_t>(found.size(), 12); ++i)
        m_shown.push_back(*found[i].second);
    m_popup->model->setRows(&m_shown);
    const int rows = std::max(1, int(m_shown.size()));
    m_popup->setGeometry(
        QRect(mapToGlobal(QPoint(0, height() + 2)), QSize(std::max(width(), 340), rows * theme().rowHeight() + 4)));
    m_popup->show();
    if (!m_shown.empty())
        m_popup->list->selectRow(0);
}

void JumpBox::go(int row)
{
    if (row < 0 || row >= int(m_shown.size()))
        return;
    const auto action = m_shown[size_t(row)].go;
    m_popup->hide();
    clear();
    clearFocus();
    if (action)
        action();
}

void JumpBox::focusInEvent(QFocusEvent *event)
{
    SearchField::focusInEvent(event);
    m_targets = m_source ? m_source() : std::vector<JumpTarget>();
    search();
}

void JumpBox::focusOutEvent(QFocusEvent *event)
{
    SearchField::focusOutEvent(event);
    m_popup->hide();
}

void JumpBox::keyPressEvent(QKeyEvent *event)
{
    const int row = m_popup->list->currentIndex().row();
    switch (event->key()) {
    case Qt::Key_Down:
        if (row + 1 < int(m_shown.size()))
            m_popup->list->selectRow(row + 1);
        return;
    case Qt::Key_Up:
        if (row > 0)
            m_popup->list->selectRow(row - 1);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter: go(std::max(0, row)); return;
    default: SearchField::keyPressEvent(event);
    }
}

} // namespace terrarium::ui
