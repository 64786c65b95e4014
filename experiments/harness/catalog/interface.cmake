# Writes interface.hpp: the name of a plugin's function, with a digest of all headers of Shoal in it.
#   cmake -DSOURCE=DIR -DOUTPUT=FILE -P interface.cmake
file(GLOB_RECURSE headers RELATIVE ${SOURCE}
  ${SOURCE}/discretizations/*.hpp ${SOURCE}/solvers/*.hpp ${SOURCE}/experiments/*.hpp)
list(SORT headers)
set(digests "")
foreach(header ${headers})
  file(SHA256 ${SOURCE}/${header} digest)
  string(APPEND digests "${header} ${digest}\n")
endforeach()
string(SHA256 digest "${digests}")
string(SUBSTRING ${digest} 0 16 digest)
set(text "// Written by interface.cmake.\n#pragma once\n\n#define SHOAL_PLUGIN_FUNCTION shoal_plugin_${digest}\n")
set(present "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} present)
endif()
if(NOT text STREQUAL present)  # what includes it is compiled anew only where it differs
  file(WRITE ${OUTPUT} "${text}")
endif()
