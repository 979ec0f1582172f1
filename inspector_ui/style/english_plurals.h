#pragma once
// "%n actor(s)" as English says it: "1 actor", "2 actors". The source language needs no translation file.
//
// Other languages bring their own forms; their translators are asked first.

#include <QTranslator>

namespace terrarium::ui {

class EnglishPlurals final : public QTranslator {
    Q_OBJECT
public:
    using QTranslator::QTranslator;

    /// Installs one for the application object, once.
    static void ensure();

    bool isEmpty() const override { return false; }
    QString translate(const char *context, const char *sourceText, const char *disambiguation, int n) const override;
};

} // namespace terrarium::ui
