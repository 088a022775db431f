# The environment of programs that tests launch over MPI, here for those of tests/ and of tests/gpu.
# They are given more ranks than cores where they want them.
set(weft_mpi_environment
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
  OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_osc=^ucx
  WEFT_WISDOM=)
# Open MPI takes ob1 within one machine, but asks libfabric for networks first, which is half of the
# time that a launch takes; and it leaves ranks a second or two to end where one has failed, as many
# tests want it to.
list(APPEND weft_mpi_environment OMPI_MCA_pml=ob1 OMPI_MCA_odls_base_sigkill_timeout=0)
# That hwloc reads the names of all PCI devices that there are takes a second of each sanitized rank.
list(APPEND weft_mpi_environment HWLOC_COMPONENTS=-pci)
