# The report page as one file, and that file as a C++ string: cmake -D SOURCE=cli/report -D PAGE=page.html -D CODE=page.cpp -P assemble.cmake
#
# The scripts are modules for the reader's and the tests' sake. In the page they are one script, each after those it imports.
set(scripts dom format scale trace profile minimap paint describe timeline speedup_chart tables main)

set(script "")
foreach(name IN LISTS scripts)
  file(READ "${SOURCE}/${name}.js" text)
  string(REGEX REPLACE "\n(import [^;]*;\n)+" "\n" text "\n${text}")
  string(REGEX REPLACE "\nexport " "\n" text "${text}")
  string(APPEND script "${text}")
endforeach()
file(READ "${SOURCE}/page.css" style)
file(READ "${SOURCE}/page.html" page)
string(REPLACE "/*STYLE*/" "${style}" page "${page}")
string(REPLACE "/*SCRIPT*/" "${script}" page "${page}")
file(WRITE "${PAGE}" "${page}")
file(WRITE "${CODE}" "#include <cli/report/page.hpp>\n\nnamespace heist::cli {\n\nconst std::string_view report_page = R\"heist_page(${page})heist_page\";\n\n}  // namespace heist::cli\n")
