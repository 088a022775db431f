! Real data in place: a pencil-distributed field becomes its spectrum in the same memory, and comes
! back. Prints which part of both each rank has.
!
!     cmake --build build --target example_pencil_f
!     mpirun -n 2 build/bin/example_pencil_f
program pencil
  use, intrinsic :: iso_fortran_env, only: real32
  use mpi_f08
  use weft
  implicit none
  integer, parameter :: n(3) = [20, 12, 16]
  type(weft_plan) :: plan
  type(weft_transform) :: fft
  real(real32), pointer :: u(:, :, :) => null()
  complex(real32), pointer :: u_hat(:, :, :) => null()
  real(real32) :: worst
  integer :: r

  call MPI_Init()
  ! Axes 2 and 3 are cut. Lines along axis 1, which becomes half as long, are padded.
  call plan%create(weft_problem(n, kind=weft_r2c, precision=weft_f32, in=weft_pencil(2, 3), &
                                out=weft_pencil(1, 2, order=[1, 2, 3]), scale='none/n', &
                                in_place=.true.), MPI_COMM_WORLD)
  call weft_allocate(plan, u, u_hat)
  call fft%bind(plan, u, u_hat)
  if (plan%rank() == 0) then
    print '(a, /, a)', plan%text(), 'rank  real axes 1, 2, 3           complex axes 1, 2, 3'
    do r = 0, plan%ranks() - 1
      print '(i4, 2(2x, a))', r, bounds(weft_in, r), bounds(weft_out, r)
    end do
  end if

  call set(u)
  call fft%forward()
  call fft%backward()
  worst = error(u)
  call MPI_Allreduce(MPI_IN_PLACE, worst, 1, MPI_REAL, MPI_MAX, MPI_COMM_WORLD)
  if (plan%rank() == 0) print '(a, es8.1)', 'error', worst

  call fft%free()
  call plan%free()
  call weft_deallocate(u, u_hat)
  call MPI_Finalize()
  if (worst > 1e-5_real32) error stop 1

contains

  !> `1:20  1:6  1:8`, or that the rank has nothing.
  function bounds(end, rank) result(text)
    integer, intent(in) :: end, rank
    character(30) :: text
    type(weft_box) :: box
    integer :: a
    text = 'nothing'
    if (plan%box_count(end, rank) == 0) return
    box = plan%box(end, rank=rank)
    write (text, '(3(i4, ":", i0))') (box%lower(a), box%upper(a), a=1, 3)
  end function

  elemental real(real32) function field(i, j, k)
    integer, intent(in) :: i, j, k
    field = sin(0.3*i) + cos(0.2*j*k)
  end function

  !> Sets the elements of this rank's box; the padding behind axis 1 belongs to none.
  subroutine set(u)
    real(real32), pointer, intent(in) :: u(:, :, :)
    integer :: i, j, k
    do k = lbound(u, 3), ubound(u, 3)
      do j = lbound(u, 2), ubound(u, 2)
        u(1:n(1), j, k) = [(field(i, j, k), i=1, n(1))]
      end do
    end do
  end subroutine

  real(real32) function error(u)
    real(real32), pointer, intent(in) :: u(:, :, :)
    integer :: i, j, k
    error = 0
    do k = lbound(u, 3), ubound(u, 3)
      do j = lbound(u, 2), ubound(u, 2)
        error = max(error, maxval(abs(u(1:n(1), j, k) - [(field(i, j, k), i=1, n(1))])))
      end do
    end do
  end function
end program pencil
