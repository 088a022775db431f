! Forward and backward transform of a slab-distributed array, in Fortran; checks that a plane wave
! gives one peak and comes back.
!
!     cmake --build build --target example_slab_f
!     mpirun -n 2 build/bin/example_slab_f
program slab
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use weft
  implicit none
  integer, parameter :: nx = 18, ny = 20, nz = 24, wave_number = 3
  real(real64), parameter :: two_pi = 8*atan(1.0_real64)
  type(weft_plan) :: plan
  type(weft_transform) :: fft
  complex(real64), pointer :: u(:, :, :) => null(), u_hat(:, :, :) => null()
  complex(real64) :: expected
  real(real64) :: worst
  integer :: i, j, k

  call MPI_Init()
  ! The last axis is cut. The output is to be where it falls, in Fortran's order of axes.
  call plan%create(weft_problem([nx, ny, nz], in=weft_slab(3), out=weft_free(order=[1, 2, 3]), &
                                scale='none/n'), MPI_COMM_WORLD)
  call weft_allocate(plan, u, u_hat)
  call fft%bind(plan, u, u_hat)

  ! This rank's part: bounds are indices of the whole array.
  do j = lbound(u, 2), ubound(u, 2)
    u(:, j, :) = wave(j)
  end do
  call fft%forward()

  ! N at wave number 3 of axis 2 and nothing else.
  worst = 0
  do k = lbound(u_hat, 3), ubound(u_hat, 3)
    do j = lbound(u_hat, 2), ubound(u_hat, 2)
      do i = lbound(u_hat, 1), ubound(u_hat, 1)
        expected = 0
        if (all([i, j, k] == [1, 1 + wave_number, 1])) expected = nx*ny*nz
        worst = max(worst, abs(u_hat(i, j, k) - expected)/(nx*ny*nz))
      end do
    end do
  end do

  call fft%backward()
  do j = lbound(u, 2), ubound(u, 2)
    if (size(u) > 0) worst = max(worst, maxval(abs(u(:, j, :) - wave(j))))
  end do
  call MPI_Allreduce(MPI_IN_PLACE, worst, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
  if (plan%rank() == 0) print '(a, /, a, es8.1)', plan%explain(), 'error', worst

  call fft%free()
  call plan%free()
  call weft_deallocate(u, u_hat)
  call MPI_Finalize()
  if (worst > 1e-13_real64) error stop 1

contains

  !> A plane wave along axis 2.
  complex(real64) function wave(j)
    integer, intent(in) :: j
    wave = exp(cmplx(0, two_pi*wave_number*(j - 1)/ny, real64))
  end function
end program slab
