# weft-core: all that knows no MPI.

# Values.
weft_folder(base FILES cost.cpp devices.cpp random.cpp text.cpp topology.cpp transforms.cpp transports.cpp variables.cpp work.cpp)
weft_folder(geometry SEES base FILES
                blocks.cpp box.cpp box_list.cpp census.cpp distribution.cpp layout.cpp overlaps.cpp partition.cpp
                process_grid.cpp row_shares.cpp row_wise.cpp spans.cpp split.cpp)
weft_folder(exchange SEES base geometry FILES
                column_layout.cpp exchange_task.cpp group.cpp matrix.cpp packed_exchange.cpp region_layout.cpp region_parts.cpp
                schedule.cpp transfers.cpp via.cpp volume.cpp)
# Every file in plan/objectives is one way to compare plans.
file(GLOB weft_objectives RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/plan CONFIGURE_DEPENDS
     plan/objectives/*.cpp)
weft_folder(plan SEES base geometry exchange FILES
                accesses.cpp candidates.cpp carriers.cpp choice_text.cpp decomposition_text.cpp device_memory.cpp explain.cpp formats.cpp
                fuse.cpp graph.cpp layout_text.cpp methods.cpp names.cpp objective.cpp path.cpp plan.cpp
                plan_text.cpp problem.cpp problem_text.cpp reverse.cpp search.cpp stages.cpp placement.cpp
                space_text.cpp sphere.cpp tile_numbers.cpp tile_range.cpp tile_samples.cpp tiling.cpp tiling_text.cpp tuning_text.cpp
                validate.cpp validate_kinds.cpp validate_sparse.cpp volume_table.cpp wire.cpp ${weft_objectives})
# Every file in program/rules is a way to lower a stage, every one in program/passes a rewrite.
file(GLOB weft_rules_and_passes RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/program CONFIGURE_DEPENDS
     program/rules/*.cpp program/passes/*.cpp)
weft_folder(program SEES base geometry exchange plan FILES
                box_passes.cpp fused.cpp fused_ends.cpp fused_exchange.cpp layout_tasks.cpp line_cells.cpp lower.cpp pass_scratch.cpp pieces.cpp
                program.cpp real_parts.cpp tiles.cpp ${weft_rules_and_passes})
# Headers only, seen by few files: nothing that is installed needs them.
find_package(nlohmann_json REQUIRED)
include(model/machines.cmake)
weft_machine_texts(weft_machine_texts)
weft_folder(model SEES base geometry exchange plan program LINKS nlohmann_json::nlohmann_json FILES
                account.cpp default_plan.cpp device_seconds.cpp devices.cpp exchange_seconds.cpp exchanged_side.cpp fit.cpp
                machine.cpp machine_file.cpp machine_json.cpp network_load.cpp operation_seconds.cpp
                predict.cpp predict_text.cpp predicted_time.cpp price.cpp sketch.cpp space_choice.cpp usual_ways.cpp
                task_seconds.cpp unique_json.cpp weight_choice.cpp)
target_sources(weft_model PRIVATE ${weft_machine_texts})
weft_folder(tune SEES base geometry exchange plan program model LINKS nlohmann_json::nlohmann_json FILES
                changes.cpp constraint.cpp contest.cpp estimate.cpp forecast.cpp
                median_interval.cpp methods.cpp race.cpp run_costs.cpp scale.cpp session.cpp simplex.cpp site.cpp
                tile_grid.cpp trials.cpp tuner.cpp wisdom.cpp wisdom_text.cpp)

# Effects.
weft_folder(memory SEES base FILES buffer.cpp limits.cpp processor.cpp shared_memory.cpp)
weft_folder(threads SEES base LINKS Threads::Threads FILES team.cpp)
weft_folder(device SEES base memory threads LINKS Threads::Threads FILES devices.cpp)
# Which of base/devices.def are built, and which of them have a library for exchanges.
foreach(kind cuda hip)
  set(weft_has_comms 0)
  if(kind IN_LIST weft_comms_kinds)
    set(weft_has_comms 1)
  endif()
  target_compile_definitions(weft_device PRIVATE
    WEFT_HAS_DEVICE_${kind}=$<TARGET_EXISTS:weft_gpu_${kind}> WEFT_HAS_COMMS_${kind}=${weft_has_comms})
endforeach()
weft_folder(kernels SEES base memory threads device FILES copy.cpp halve.cpp)
weft_folder(fft SEES base memory threads device FILES
                engine.cpp gpu/calls.cpp native/lines/complex_lines.cpp native/lines/contiguous_lines.cpp
                native/lines/fastest.cpp native/lines/field_lines.cpp native/lines/strided_tiles.cpp
                native/tables/convolution.cpp native/engine.cpp native/tables/factorize.cpp
                native/lines/fixed_lines.cpp native/lines/interleaved_lines.cpp native/lines/learn.cpp native/lines/lines.cpp
                native/lines/long_lines.cpp native/tables/mixed_radix.cpp native/tables/numbers.cpp
                native/lines/rules.cpp native/lines/short_lines.cpp native/targets.cpp native/lines/tile_runs.cpp
                native/lines/transposed_lines.cpp native/real/copies.cpp native/real/dft.cpp native/real/field_lines.cpp native/real/hartley.cpp
                native/real/lines.cpp native/real/long_lines.cpp native/real/odd_dft.cpp native/real/tile.cpp
                native/real_to_real/tables.cpp native/real_to_real/transform.cpp planning_limit.cpp kept_lines.cpp reduced_lines.cpp
                reduction.cpp reference.cpp reference_line.cpp team_engine.cpp tiles.cpp)
target_link_libraries(weft_fft PUBLIC hwy::hwy)
include(fft/native/kernels.cmake)
weft_kernel_objects(weft_kernel_objects weft_sources hwy::hwy)
target_include_directories(weft_fft PRIVATE ${weft_targets_dir})
# Which of base/engines.def are built.
target_compile_definitions(weft_fft PRIVATE WEFT_HAS_native=1 WEFT_HAS_reference=1
  WEFT_HAS_fftw=$<TARGET_EXISTS:weft::fftw3> WEFT_HAS_mkl=$<TARGET_EXISTS:weft_mkl>)
if(TARGET weft::fftw3)
  target_sources(weft_fft PRIVATE fft/fftw.cpp)
  target_link_libraries(weft_fft PUBLIC weft::fftw3)
endif()
if(TARGET weft_mkl)
  target_sources(weft_fft PRIVATE fft/dfti.cpp fft/mkl.cpp)
  target_link_libraries(weft_fft PRIVATE weft_mkl)
endif()
include(gpu.cmake)
if(WEFT_SANITIZE)
  # As the kernels are compiled, whose tables of radices this is about.
  target_compile_definitions(weft_fft PRIVATE WEFT_FEW_BUTTERFLIES)
endif()
if("undefined" IN_LIST weft_sanitizers)
  foreach(folder kernels fft)
    target_compile_options(weft_${folder} PRIVATE -fsanitize=alignment)
  endforeach()
endif()

set(weft_core_objects ${weft_kernel_objects} ${weft_gpu_objects})
foreach(folder base geometry exchange plan program model tune memory threads device kernels fft)
  list(APPEND weft_core_objects $<TARGET_OBJECTS:weft_${folder}>)
endforeach()
add_library(weft-core STATIC ${weft_core_objects})
set_target_properties(weft-core PROPERTIES LINKER_LANGUAGE CXX EXPORT_NAME core)
target_link_libraries(weft-core PUBLIC ${weft_core_links})
