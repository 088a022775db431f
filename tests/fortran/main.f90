! The Fortran interface: every rank runs all of it.
program fortran_tests
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use weft
  use arguments_module, only: arrays_are_handed_over
  use errors_module, only: errors_are_told
  use expect_module
  use old_mpi_module, only: integer_communicators
  use shapes_module, only: arrays_have_shapes
  use transforms_module, only: transforms_are_right
  use wisdom_module, only: wisdom_comes_and_goes
  implicit none
  type(weft_plan) :: plan
  character(200) :: errmsg
  integer :: stat
  call plan%create('c2c:f64:8', MPI_COMM_WORLD, stat, errmsg)
  call expect_error(stat, errmsg, weft_system, 'MPI_Init')
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, my_rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call transforms_are_right()
  call arrays_have_shapes()
  call arrays_are_handed_over()
  call errors_are_told()
  call integer_communicators()
  call wisdom_comes_and_goes()
  call MPI_Allreduce(MPI_IN_PLACE, failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call MPI_Finalize()
  if (my_rank == 0) print '(i0, a)', failures, ' failures'
  if (failures > 0) error stop 1
end program fortran_tests
