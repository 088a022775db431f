# shellcheck shell=sh
# What Open MPI's mpirun needs on a laptop or in a container; to be sourced, from bash or sh:
#
#     . scripts/mpi.sh
#
# It is for root, for more ranks than cores, and for containers. Others need none of it, and it does not
# belong on a cluster, whose ranks must stay where its launcher puts them. MPICH needs nothing.

# Open MPI refuses to start for root.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# It refuses more ranks than cores, and their waiting would take the turns of those that compute.
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1

# It binds the ranks of every run to the first cores, where two runs, or a rank's threads, would meet.
export OMPI_MCA_hwloc_base_binding_policy=none

# Its one-sided communication over UCX cannot use memory that is not its own (via=one-sided).
export OMPI_MCA_osc=^ucx

# Open MPI 5 has other names for two of these.
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
export PRTE_MCA_hwloc_default_binding_policy=none

# Containers may forbid a process to read another's memory, which Open MPI tries for large messages.
if [ -e /.dockerenv ] || [ -e /run/.containerenv ]; then
    export OMPI_MCA_btl_vader_single_copy_mechanism=none
fi
