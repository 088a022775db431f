! The program of docs/fortran.md.
program consumer
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use weft
  implicit none
  type(weft_plan) :: plan
  type(weft_transform) :: fft
  complex(real64), pointer :: u(:, :, :) => null(), u_hat(:, :, :) => null()
  integer :: stat
  call MPI_Init()
  call plan%create(weft_problem([10, 12, 16], in=weft_slab(3)), MPI_COMM_WORLD)
  call weft_allocate(plan, u, u_hat)
  call fft%bind(plan, u, u_hat)
  u = 1
  call fft%forward(stat=stat)
  if (stat == weft_success) call fft%backward(stat=stat)
  if (any(abs(u - 10*12*16) > 1e-9)) stat = weft_wrong_result
  call fft%free()
  call plan%free()
  call weft_deallocate(u, u_hat)
  call MPI_Finalize()
  if (stat /= weft_success) error stop 1
end program consumer
