# Which compilers build Banyan: older ones lack parts of C++20 that it uses. Run alone, cmake -DCMAKE_CXX_COMPILER_ID=GNU
# -DCMAKE_CXX_COMPILER_VERSION=10.2 -P tools/compilers.cmake, it says what it says of that compiler.
set(needed_GNU 11)
set(needed_Clang 16)
set(name_GNU g++)
set(name_Clang clang)
set(needed ${needed_${CMAKE_CXX_COMPILER_ID}})
if(needed AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS needed)
  set(name ${name_${CMAKE_CXX_COMPILER_ID}})
  message(FATAL_ERROR "Banyan needs ${name} ${needed} or later: this is ${CMAKE_CXX_COMPILER_VERSION}. "
    "-DCMAKE_CXX_COMPILER=... names another compiler")
endif()
