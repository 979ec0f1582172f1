#pragma once
// Brings actor types out of a library that somebody else built (<terrarium/plugin.h>).
//
// The file's own word about compiler, Qt and Terrarium is read before any of its code runs. Libraries stay
// loaded until the program ends: their code may be on a suspended coroutine's stack.

#include <terrarium/plugin.h>

#include <QMap>
#include <QString>

#include <optional>

namespace terrarium::app {

/// The fields of TERRARIUM_PLUGIN_INFO found in a file: compiler, qt, terrarium. nullopt: it has none.
std::optional<QMap<QString, QString>> readPluginInfo(const QString &fileName);

/// Throws `plugin/not_found`, `plugin/not_a_plugin`, `plugin/mismatch` {what, plugin, host} or
/// `plugin/load_failed`; messages name the file.
void loadPlugin(const QString &fileName, PluginTypes &types);

} // namespace terrarium::app
