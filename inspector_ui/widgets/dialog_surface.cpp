#include "widgets/dialog_surface.h"

#include "style/theme.h"

#include <QPalette>
#include <QWidget>

namespace terrarium::ui {

void useDialogSurface(QWidget *dialog)
{
    const auto apply = [dialog] {
        QPalette palette = dialog->palette();
        palette.setColor(QPalette::Window, theme().color(theme().isDark() ? ColorRole::Chrome : ColorRole::Panel));
        dialog->setPalette(palette);
    };
    apply();
    QObject::connect(&theme(), &Theme::changed, dialog, apply);
}

} // namespace terrarium::ui
