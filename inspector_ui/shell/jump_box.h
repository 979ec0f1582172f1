#pragma once
// The field in the toolbar: type a part of an actor, a section or a command, and Enter goes there.
//
// "@" searches actors only, ">" commands only. Finds by substring first, then by letters in order.

#include "widgets/search_field.h"

#include <functional>
#include <vector>

namespace terrarium::ui {

struct JumpTarget {
    QString text;
    QString detail; ///< host, or the command's keys
    QString icon;
    char kind = '@'; ///< '@' actor, '/' section, '>' command
    std::function<void()> go;
};

class JumpBox final : public SearchField {
    Q_OBJECT
public:
    explicit JumpBox(QWidget *parent = nullptr);
    ~JumpBox() override;

    /// Asked each time the field gets the keyboard.
    void setTargets(std::function<std::vector<JumpTarget>()> source) { m_source = std::move(source); }
    int shownCount() const { return int(m_shown.size()); }
    QString shownText(int row) const { return m_shown[size_t(row)].text; }

protected:
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    class Popup;
    void search();
    void go(int row);

    std::function<std::vector<JumpTarget>()> m_source;
    std::vector<JumpTarget> m_targets;
    std::vector<JumpTarget> m_shown;
    Popup *m_popup;
};

} // namespace terrarium::ui
