# CPack runs this before it makes the packages of Debian, over the trees of all components: what Debian's policy wants in each
# package (12.1, 12.5, 12.7): compressed manual pages, a changelog and a copyright file.
file(GLOB trees LIST_DIRECTORIES TRUE ${CPACK_TEMPORARY_DIRECTORY}/*)
foreach(tree ${trees})
  if(NOT IS_DIRECTORY ${tree}/usr)
    continue()
  endif()
  file(GLOB pages ${tree}/usr/share/man/man*/*.[0-9])
  if(pages)
    execute_process(COMMAND gzip -9n ${pages} COMMAND_ERROR_IS_FATAL ANY)
  endif()
  cmake_path(GET tree FILENAME component)
  string(TOUPPER ${component} component)
  set(folder ${tree}/usr/share/doc/${CPACK_DEBIAN_${component}_PACKAGE_NAME})
  file(COPY ${CPACK_BANYAN_SOURCE}/packaging/debian/copyright ${CPACK_BANYAN_SOURCE}/packaging/debian/changelog DESTINATION ${folder}
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  execute_process(COMMAND gzip -9n ${folder}/changelog COMMAND_ERROR_IS_FATAL ANY)
endforeach()
