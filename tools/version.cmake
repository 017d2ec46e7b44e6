# Writes OUT, a source that has the version: cmake -DROOT=DIR -DVERSION=0.1.0 -DOUT=FILE -P tools/version.cmake. Behind
# the + stands a hash of all that the program is compiled from and how, the same from a clone and from a tarball. OUT
# stays untouched where nothing changed.
set(files ${ROOT}/CMakeLists.txt)
foreach(ending cpp cu cuh hpp c h in def csv toml)
  file(GLOB_RECURSE found LIST_DIRECTORIES false ${ROOT}/src/*.${ending} ${ROOT}/studies/*.${ending})
  list(APPEND files ${found})
endforeach()
set(all "")
foreach(file ${files})
  file(SHA256 ${file} hash)
  cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${ROOT})
  string(APPEND all "${hash} ${file}\n")
endforeach()
string(SHA256 sources "${all}")
string(SUBSTRING ${sources} 0 12 sources)
configure_file(${ROOT}/src/base/version.cpp.in ${OUT} @ONLY)
