! Errors that end the program: a layout that cannot be, on every rank; an assignment that would
! leave two variables with one plan.
program stops
  use mpi_f08
  use weft
  implicit none
  type(weft_plan) :: plan, other
  character(10) :: which
  call MPI_Init()
  call get_command_argument(1, which)
  if (which == 'layout') then
    call plan%create(weft_problem([8, 6], in=weft_slab(5)), MPI_COMM_WORLD)
  else
    call plan%create(weft_problem([8, 6]), MPI_COMM_WORLD)
    other = plan
  end if
  print '(a)', 'goes on'
  call MPI_Finalize()
end program stops
