! A program that uses the module mpi, whose communicators are integers.
module old_mpi_module
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi
  use weft
  use expect_module
  implicit none
  private
  public :: integer_communicators

contains

  !> On a communicator in which ranks have the reverse order.
  subroutine integer_communicators()
    type(weft_plan) :: plan
    type(weft_transform) :: fft
    real(real64), pointer :: u(:, :) => null()
    complex(real64), pointer :: u_hat(:, :) => null()
    integer :: comm, code, i, j
    call MPI_Comm_split(MPI_COMM_WORLD, 0, -my_rank, comm, code)
    call plan%create(weft_problem([8, 6], kind=weft_r2c, in=weft_slab(2), out=weft_slab(1), &
                                  in_place=.true., scale='none/n'), comm)
    call expect(plan%rank() == ranks - 1 - my_rank, 'the rank in the communicator')
    call weft_allocate(plan, u, u_hat)
    call fft%bind(plan, u, u_hat)
    do j = lbound(u, 2), ubound(u, 2)
      u(1:8, j) = [(real(i*j, real64), i=1, 8)]
    end do
    call fft%forward()
    call fft%backward()
    do j = lbound(u, 2), ubound(u, 2)
      call expect(all(abs(u(1:8, j) - [(i*j, i=1, 8)]) < 1e-12), 'there and back in place')
    end do
    call fft%free()
    call plan%free()
    call weft_deallocate(u, u_hat)
    call MPI_Comm_free(comm, code)
  end subroutine
end module old_mpi_module
