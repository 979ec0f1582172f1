# cmake -DSOURCE_DIR=... -DBUILD_DIR=... -P coroutine_lint.cmake
#
# GCC 12 miscompiles some forms inside a co_await expression (double destruction, stuck coroutines), and
# neither a warning nor a sanitizer shows most of them. clang-query finds them in every source file that
# awaits. Authors of actors meet GCC, so our own code and the examples must be free of them.
cmake_minimum_required(VERSION 3.25)

find_program(CLANG_QUERY NAMES clang-query-16 clang-query)
if(NOT CLANG_QUERY)
    message(FATAL_ERROR "clang-query-16 not found (Debian package clang-tools-16)")
endif()

file(GLOB_RECURSE candidates ${SOURCE_DIR}/core/*.cpp ${SOURCE_DIR}/app/*.cpp ${SOURCE_DIR}/inspector_ui/*.cpp)
set(files "")
foreach(file IN LISTS candidates)
    file(STRINGS ${file} awaits REGEX "co_await" LIMIT_COUNT 1)
    if(awaits)
        list(APPEND files ${file})
    endif()
endforeach()
list(LENGTH files count)
if(count EQUAL 0)
    message(FATAL_ERROR "Coroutine lint: no file with co_await found; is SOURCE_DIR right?")
endif()

set(script ${BUILD_DIR}/coroutine_lint.query)
file(WRITE ${script} "set traversal AsIs
set output diag
match conditionalOperator(hasDescendant(coawaitExpr()), isExpansionInMainFile())
match cxxBindTemporaryExpr(hasDescendant(initListExpr()), hasAncestor(exprWithCleanups(hasDescendant(coawaitExpr()))), isExpansionInMainFile())
match lambdaExpr(hasAncestor(cxxBindTemporaryExpr()), hasAncestor(exprWithCleanups(hasDescendant(coawaitExpr()))), isExpansionInMainFile())
match initListExpr(hasDescendant(coawaitExpr()), isExpansionInMainFile())
match cxxNewExpr(hasDescendant(coawaitExpr()), isExpansionInMainFile())
")
# The precompiled header of the build is of no use to clang-query; drop the options that name it.
execute_process(
    COMMAND ${CLANG_QUERY} -p ${BUILD_DIR} -f ${script} --extra-arg=-Wno-everything ${files}
    OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE result)
if(NOT result EQUAL 0 OR errors MATCHES "error:")
    message(FATAL_ERROR "Coroutine lint could not read the sources:\n${errors}")
endif()
string(REGEX MATCHALL "[^\n]*: note: \"root\" binds here" hits "${output}")
if(hits)
    string(REPLACE ";" "\n" hits "${hits}")
    message(FATAL_ERROR "Forms that GCC 12 miscompiles (name the object first):\n${hits}")
endif()
message(STATUS "Coroutine lint: ${count} files, no forbidden form")
