# Writes build_info.hpp with the commit that is being built. Runs in every build, touches the file only if it changed.
#   cmake -DSOURCE=… -DOUTPUT=… -DTEMPLATE=… -DVERSION=… -DCOMPILER=… -DFLAGS=… -DOPENBLAS=… -DPETSC=… -P build_info.cmake
find_program(GIT git)
set(COMMIT unknown)
set(DIRTY false)
if(GIT)
  set(ask ${GIT} -c safe.directory=${SOURCE} -C ${SOURCE})
  execute_process(COMMAND ${ask} rev-parse HEAD OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE
                  RESULT_VARIABLE failed ERROR_QUIET)
  if(NOT failed)
    set(COMMIT ${head})
    # results/ is what the program makes, not what it is made of.
    execute_process(COMMAND ${ask} diff --quiet HEAD -- :/ :!/results RESULT_VARIABLE changed ERROR_QUIET)
    if(changed)
      set(DIRTY true)
    endif()
  endif()
endif()
configure_file(${TEMPLATE} ${OUTPUT} @ONLY)
