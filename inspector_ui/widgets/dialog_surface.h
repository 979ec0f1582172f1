#pragma once
// The background of dialogs: panel in light, chrome in dark; follows the theme.

class QWidget;

namespace terrarium::ui {

void useDialogSurface(QWidget *dialog);

} // namespace terrarium::ui
