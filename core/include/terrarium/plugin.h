#pragma once
// How a library of your own brings its actor types into the program.
//
//     #include <terrarium/plugin.h>
//
//     TERRARIUM_PLUGIN(types)
//     {
//         types.add(Counter::type());
//     }
//
// Once per library, at file scope. Build it with terrarium_add_plugin(NAME sources...) from the installed
// package and run it with `terrarium --plugin libNAME.so` or `terrarium host --plugin libNAME.so`.
//
// C++ libraries only fit together when compiler, Qt and Terrarium agree, so the library carries the names of
// all three. The program reads them from the file, before any code of the library runs, and refuses a
// library that does not fit with `plugin/mismatch`, naming both versions.

#include <terrarium/actor_type.h>

#include <QtGlobal>

namespace terrarium {

/// What a plugin adds its types to.
class PluginTypes {
public:
    virtual ~PluginTypes() = default;
    /// Throws `host/duplicate_type` when another type of this name was added.
    virtual void add(TypeDefinition type) = 0;
};

} // namespace terrarium

#define TERRARIUM_TEXT_(x) #x
#define TERRARIUM_TEXT(x) TERRARIUM_TEXT_(x)
#if defined(__clang__)
#define TERRARIUM_COMPILER "clang " TERRARIUM_TEXT(__clang_major__)
#elif defined(__GNUC__)
#define TERRARIUM_COMPILER "gcc " TERRARIUM_TEXT(__GNUC__)
#else
#define TERRARIUM_COMPILER "unknown"
#endif
#define TERRARIUM_QT TERRARIUM_TEXT(QT_VERSION_MAJOR) "." TERRARIUM_TEXT(QT_VERSION_MINOR)

/// The text found in the file: one line, fields divided by '|'. TERRARIUM_VERSION is set by the package.
#define TERRARIUM_PLUGIN_INFO                                                                                          \
    "terrarium-plugin/1|compiler=" TERRARIUM_COMPILER "|qt=" TERRARIUM_QT "|terrarium=" TERRARIUM_VERSION "|"

#define TERRARIUM_PLUGIN(types)                                                                                        \
    extern "C" __attribute__((visibility("default"), used)) const char terrarium_plugin_info[] =                       \
        "\x02" TERRARIUM_PLUGIN_INFO "\x03";                                                                           \
    extern "C" __attribute__((visibility("default"))) void terrarium_plugin_register(::terrarium::PluginTypes &types)
