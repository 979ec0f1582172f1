#include "widgets/empty_state.h"

#include "style/icons.h"
#include "widgets/themed_label.h"

#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace terrarium::ui {

class EmptyState::Glyph final : public QWidget {
public:
    explicit Glyph(QWidget *parent) : QWidget(parent) { setFixedSize(20, 20); }
    QString name;

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        if (!name.isEmpty())
            icons::paint(&painter, {0, 0}, name, theme().color(ColorRole::Muted), 20);
    }
};

EmptyState::EmptyState(QWidget *parent)
    : QWidget(parent),
      m_glyph(new Glyph(this)),
      m_title(new ThemedLabel({}, ColorRole::Text, FontRole::Strong, this)),
      m_text(new ThemedLabel({}, ColorRole::Muted, FontRole::Secondary, this)),
      m_button(new QPushButton(this))
{
    m_title->setAlignment(Qt::AlignCenter);
    m_title->setWordWrap(true);
    m_text->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    m_text->setWordWrap(true);
    m_button->hide();
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(0);
    layout->addStretch(1);
    layout->addWidget(m_glyph, 0, Qt::AlignHCenter);
    layout->addSpacing(12);
    layout->addWidget(m_title);
    layout->addSpacing(6);
    layout->addWidget(m_text);
    layout->addSpacing(12);
    layout->addWidget(m_button, 0, Qt::AlignHCenter);
    // A little above the middle, where the eye looks.
    layout->addStretch(1);
    layout->addSpacing(44);
    connect(m_button, &QPushButton::clicked, this, &EmptyState::actionTriggered);
}

void EmptyState::setContent(const QString &reason, const QString &icon, const QString &title, const QString &text)
{
    m_reason = reason;
    m_glyph->name = icon;
    m_glyph->setVisible(!icon.isEmpty());
    m_glyph->update();
    m_title->setText(title);
    m_text->setText(text);
    m_text->setVisible(!text.isEmpty());
    setAccessibleName(title + QLatin1Char(' ') + text);
}

QString EmptyState::title() const
{
    return m_title->text();
}

void EmptyState::setAction(const QString &text, const QString &icon)
{
    m_button->setText(text);
    m_button->setIcon(icon.isEmpty() ? QIcon() : icons::icon(icon));
    m_button->setVisible(!text.isEmpty());
}

} // namespace terrarium::ui
