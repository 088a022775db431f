! Without `stat` an error ends the program on every rank.
program stops
  use mpi_f08
  use weft
  implicit none
  type(weft_plan) :: plan
  call MPI_Init()
  call plan%create(weft_problem([8, 6], in=weft_slab(5)), MPI_COMM_WORLD)
  print '(a)', 'goes on'
  call MPI_Finalize()
end program stops
