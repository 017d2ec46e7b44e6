# `cmake --install build/release --prefix P`: the program, the library, the Python module and what belongs to them.
# Nothing installed needs the checkout or the build.

# The program alone is built by ./run; what else is installed is built here, if it is not there yet.
add_custom_target(installed DEPENDS ${parts})
if(TARGET banyan)
  add_dependencies(installed banyan)
endif()
foreach(part banyan_gpu opensm_plugin)
  if(TARGET ${part})
    add_dependencies(installed ${part})
  endif()
endforeach()
install(CODE "
  message(STATUS \"Building what is to be installed and is not there yet\")
  execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${CMAKE_BINARY_DIR}\" --target installed
    RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(failed)
    message(FATAL_ERROR \"what is to be installed could not be built:\\n\${said}\")
  endif()
" ALL_COMPONENTS)

if(TARGET banyan)
  install(TARGETS banyan RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  # Man pages and completions, which the program writes.
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/share/man/man1/banyan.1 DEPENDS banyan VERBATIM
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${CMAKE_BINARY_DIR}/share
    COMMAND banyan manual ${CMAKE_BINARY_DIR}/share)
  add_custom_target(manual DEPENDS ${CMAKE_BINARY_DIR}/share/man/man1/banyan.1)
  add_dependencies(installed manual)
  install(DIRECTORY ${CMAKE_BINARY_DIR}/share/ DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT program)
  if(BANYAN_EXPLORER)
    install(FILES packaging/banyan-serve.service DESTINATION lib/systemd/system COMPONENT program)
  endif()
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT program)
endif()
# Loaded where they are needed (base/part.hpp).
if(TARGET banyan_mpi)
  install(TARGETS banyan_mpi LIBRARY DESTINATION lib/banyan COMPONENT mpi)
endif()
if(TARGET banyan_gpu)
  install(FILES ${gpu_part} DESTINATION lib/banyan COMPONENT program)
endif()
# OpenSM finds a plugin by its name alone, libbanyan.so: in a folder of its own it does not hide the library.
if(TARGET opensm_plugin)
  install(TARGETS opensm_plugin LIBRARY DESTINATION lib/banyan/opensm COMPONENT opensm)
endif()

if(TARGET banyan_shared)
  include(CMakePackageConfigHelpers)
  set(cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Banyan)
  install(TARGETS banyan_shared EXPORT BanyanTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development)
  install(EXPORT BanyanTargets NAMESPACE Banyan:: DESTINATION ${cmake_folder} COMPONENT development)
  configure_package_config_file(tools/install/BanyanConfig.cmake.in ${CMAKE_BINARY_DIR}/BanyanConfig.cmake
    INSTALL_DESTINATION ${cmake_folder})
  write_basic_package_version_file(${CMAKE_BINARY_DIR}/BanyanConfigVersion.cmake COMPATIBILITY SameMajorVersion)
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
    BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig OUTPUT_VARIABLE PC_TO_PREFIX)
  configure_file(tools/install/banyan.pc.in ${CMAKE_BINARY_DIR}/banyan.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/BanyanConfig.cmake ${CMAKE_BINARY_DIR}/BanyanConfigVersion.cmake
    DESTINATION ${cmake_folder} COMPONENT development)
  install(FILES ${CMAKE_BINARY_DIR}/banyan.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
  install(DIRECTORY include/banyan DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
endif()

if(TARGET banyan_python)
  set(BANYAN_PYTHON_FOLDER lib/python3/dist-packages CACHE STRING "where the Python module is installed, below the prefix or absolute")
  set(packages ${BANYAN_PYTHON_FOLDER}/banyan)
  install(TARGETS banyan_python LIBRARY DESTINATION ${packages} COMPONENT python)
  install(FILES ${python_files} ${python_folder}/__init__.pyi DESTINATION ${packages} COMPONENT python)
endif()

if(left_out)
  list(JOIN left_out ", " joined)
  message(STATUS "Banyan is built without: ${joined}")
  install(CODE "message(STATUS \"Left out: ${joined}. Once what they need is there, 'cmake ${CMAKE_BINARY_DIR}' finds it.\")")
endif()
include(tools/install/packages.cmake)
