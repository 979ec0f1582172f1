#include "widgets/banner.h"

#include "style/icons.h"
#include "widgets/run_label.h"
#include "widgets/themed_label.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>

namespace terrarium::ui {

Banner::Banner(Family family, const QString &icon, QWidget *parent)
    : QWidget(parent),
      m_family(family),
      m_icon(icon),
      m_fact(new ThemedLabel({}, ColorRole::Text, FontRole::Strong, this)),
      m_detail(new ThemedLabel({}, ColorRole::Text, FontRole::Body, this)),
      m_action(new QPushButton(this)),
      m_why(new RunLabel(this))
{
    m_detail->setElide(Qt::ElideRight);
    m_detail->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_action->setProperty("small", true);
    m_action->hide();
    m_why->hide();
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(38, 0, 9, 0);
    layout->setSpacing(0);
    layout->addWidget(m_fact);
    layout->addSpacing(10);
    layout->addWidget(m_detail, 1);
    layout->addSpacing(12);
    auto *ends = new QHBoxLayout;
    ends->setSpacing(15);
    ends->addWidget(m_action);
    ends->addWidget(m_why);
    layout->addLayout(ends);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(m_action, &QPushButton::clicked, this, &Banner::actionTriggered);
    connect(m_why, &RunLabel::linkActivated, this, &Banner::whyTriggered);
    connect(&theme(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void Banner::setContent(const QString &fact, const QString &detail)
{
    m_fact->setText(fact);
    m_detail->setText(detail);
    setAccessibleName(fact + QLatin1Char(' ') + detail);
}

QString Banner::fact() const
{
    return m_fact->text();
}

QString Banner::detail() const
{
    return m_detail->text();
}

void Banner::setAction(const QString &text, const QString &keys)
{
    m_action->setText(text);
    m_action->setProperty("keys", keys);
    m_action->setVisible(!text.isEmpty());
    m_action->updateGeometry();
}

void Banner::setWhy(const QString &text)
{
    m_why->setRuns({Run::withLink(text, QStringLiteral("why"))});
    m_why->setVisible(!text.isEmpty());
}

void Banner::setFamily(Family family)
{
    m_family = family;
    update();
}

QSize Banner::sizeHint() const
{
    return {400, std::max(36, theme().rowHeight() + 12)};
}

void Banner::paintEvent(QPaintEvent *)
{
    const Theme &t = theme();
    QPainter painter(this);
    painter.fillRect(rect(), t.color(familyTint(m_family)));
    painter.fillRect(QRect(0, 0, 3, height()), t.color(familyColor(m_family)));
    painter.fillRect(QRect(3, height() - 1, width() - 3, 1), t.color(ColorRole::Hair));
    icons::paint(&painter, QPoint(14, (height() - 16) / 2), m_icon, t.color(familyColor(m_family)), 16);
}

} // namespace terrarium::ui
