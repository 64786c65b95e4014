# cmake --install: the program and its module, headers, libraries, and the package that find_package(shoal) finds.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
find_package(OpenMP REQUIRED)

set(headers ${CMAKE_INSTALL_INCLUDEDIR}/shoal)
set(modules ${CMAKE_INSTALL_LIBDIR}/shoal)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/shoal)

# What a plugin is compiled with. It is not linked with Shoal: it uses the functions of the program that loads it.
add_library(shoal_plugin INTERFACE)
target_link_libraries(shoal_plugin INTERFACE shoal_options Eigen3::Eigen fmt::fmt OpenMP::OpenMP_CXX)

target_include_directories(shoal_options INTERFACE $<INSTALL_INTERFACE:${headers}>)
target_compile_features(shoal_options INTERFACE cxx_std_20)
# Programs that embed Shoal load its module for PETSc from there.
target_link_options(shoal_solvers INTERFACE $<INSTALL_INTERFACE:LINKER:-rpath,$<INSTALL_PREFIX>/${modules}>)

set(libraries options plugin mesh discretizations solvers motions scenes)
foreach(library ${libraries})
  set_target_properties(shoal_${library} PROPERTIES EXPORT_NAME ${library})
endforeach()
list(TRANSFORM libraries PREPEND shoal_)
set(module_path $ORIGIN/../${modules})  # from ${CMAKE_INSTALL_BINDIR}
# One run path for both places: one that CMake exchanges ends in a colon before, and thereby in the current folder.
set_target_properties(shoal PROPERTIES INSTALL_RPATH "$ORIGIN;${module_path}")
set_target_properties(shoal shoal_petsc PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH_USE_LINK_PATH ON)

install(TARGETS shoal ${libraries} EXPORT shoal)
if(TARGET shoal-app)
  set_target_properties(shoal-app PROPERTIES INSTALL_RPATH "$ORIGIN;${module_path}" BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS shoal-app)
endif()
install(TARGETS shoal_petsc LIBRARY DESTINATION ${modules})
if(SHOAL_TESTS)
  # Its name outside says whose it is; a file that is renamed keeps the run path of the build.
  set_target_properties(conformance_tests PROPERTIES BUILD_RPATH $ORIGIN:${module_path})
  install(PROGRAMS $<TARGET_FILE:conformance_tests> DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME shoal-conformance OPTIONAL)
endif()

# The package for Python, whole in one folder, as a wheel needs it: cmake --install … --component python.
if(TARGET shoal_python)
  install(TARGETS shoal_python shoal_petsc LIBRARY DESTINATION ${SHOAL_PYTHON_PACKAGE} COMPONENT python)
  install(DIRECTORY experiments/python/shoal/ DESTINATION ${SHOAL_PYTHON_PACKAGE} COMPONENT python
    FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN py.typed PATTERN __pycache__ EXCLUDE)
  if(TARGET shoal_conformance)
    set_target_properties(shoal_conformance PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH_USE_LINK_PATH ON)
    install(TARGETS shoal_conformance LIBRARY DESTINATION ${SHOAL_PYTHON_PACKAGE} COMPONENT python OPTIONAL)
  endif()
endif()

install(DIRECTORY discretizations solvers experiments DESTINATION ${headers} FILES_MATCHING PATTERN "*.hpp")
# The digest is that of the headers as they are installed; of a program built from others, it takes no plugin.
install(CODE "execute_process(COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUTPUT=${SHOAL_INTERFACE}
  -P ${PROJECT_SOURCE_DIR}/experiments/harness/catalog/interface.cmake)")
install(FILES ${SHOAL_INTERFACE} DESTINATION ${headers}/experiments/harness/catalog)

# What the program writes about its own command line and its experiment files.
set(documents ${PROJECT_BINARY_DIR}/documents)
install(CODE "file(MAKE_DIRECTORY ${documents}/man1)
execute_process(COMMAND $<TARGET_FILE:shoal> man --folder ${documents}/man1 COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND $<TARGET_FILE:shoal> completion bash OUTPUT_FILE ${documents}/shoal COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND $<TARGET_FILE:shoal> schema OUTPUT_FILE ${documents}/experiment.schema.json COMMAND_ERROR_IS_FATAL ANY)")
if(TARGET shoal-app)
  install(CODE "execute_process(COMMAND $<TARGET_FILE:shoal-app> --manual OUTPUT_FILE ${documents}/man1/shoal-app.1
    COMMAND_ERROR_IS_FATAL ANY)")
endif()
install(DIRECTORY ${documents}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${documents}/shoal DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${documents}/experiment.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/shoal)

# Where `shoal figures` looks for them.
install(DIRECTORY scripts/plots/ DESTINATION ${CMAKE_INSTALL_DATADIR}/shoal/plots FILES_MATCHING PATTERN "*.py")
install(EXPORT shoal NAMESPACE shoal:: FILE shoalTargets.cmake DESTINATION ${package})
list(JOIN SHOAL_CODE_OPTIONS " " SHOAL_CODE_OPTIONS)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/shoalConfig.cmake.in ${PROJECT_BINARY_DIR}/shoalConfig.cmake
  INSTALL_DESTINATION ${package} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/shoalConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/shoalConfig.cmake ${PROJECT_BINARY_DIR}/shoalConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/FindCHOLMOD.cmake DESTINATION ${package})
