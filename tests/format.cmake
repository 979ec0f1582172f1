# cmake -DSOURCE_DIR=... -P format.cmake: fails when clang-format-16 would change a file.
cmake_minimum_required(VERSION 3.25)
find_program(CLANG_FORMAT NAMES clang-format-16)
if(NOT CLANG_FORMAT)
    message(FATAL_ERROR "clang-format-16 not found (Debian package of that name)")
endif()
file(GLOB_RECURSE files
    ${SOURCE_DIR}/core/*.h ${SOURCE_DIR}/core/*.cpp ${SOURCE_DIR}/inspector_ui/*.h ${SOURCE_DIR}/inspector_ui/*.cpp
    ${SOURCE_DIR}/app/*.h ${SOURCE_DIR}/app/*.cpp ${SOURCE_DIR}/tests/*.h ${SOURCE_DIR}/tests/*.cpp)
execute_process(COMMAND ${CLANG_FORMAT} --dry-run --Werror ${files} RESULT_VARIABLE result ERROR_VARIABLE output)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "Not formatted (clang-format-16 -i FILE):\n${output}")
endif()
