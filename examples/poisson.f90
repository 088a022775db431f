! Solves the Poisson equation -laplace u = f on a periodic cube and compares with the solution, with
! the modules mpi and weft.
!
!     cmake --build build --target example_poisson_f
!     mpirun -n 2 build/bin/example_poisson_f
program poisson
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi
  use weft
  implicit none
  integer, parameter :: n = 32
  real(real64), parameter :: h = 8*atan(1.0_real64)/n
  type(weft_plan) :: plan
  type(weft_transform) :: fft
  real(real64), pointer :: f(:, :, :) => null()
  complex(real64), pointer :: spectrum(:, :, :) => null()
  real(real64) :: worst, k2
  integer :: i, j, k, code

  call MPI_Init(code)
  call plan%create(weft_problem([n, n, n], kind=weft_r2c, out=weft_free(order=[1, 2, 3]), &
                                scale='n/none'), MPI_COMM_WORLD)
  call weft_allocate(plan, f, spectrum)
  call fft%bind(plan, f, spectrum)

  ! u is an eigenfunction: f = (1 + 4 + 9) u.
  do k = lbound(f, 3), ubound(f, 3)
    do j = lbound(f, 2), ubound(f, 2)
      f(:, j, k) = 14*[(solution(i, j, k), i=lbound(f, 1), ubound(f, 1))]
    end do
  end do

  ! In Fourier space a division by |k|^2; the mean of u is free and set to 0.
  call fft%forward()
  do k = lbound(spectrum, 3), ubound(spectrum, 3)
    do j = lbound(spectrum, 2), ubound(spectrum, 2)
      do i = lbound(spectrum, 1), ubound(spectrum, 1)
        k2 = wave_number(i)**2 + wave_number(j)**2 + wave_number(k)**2
        spectrum(i, j, k) = spectrum(i, j, k)/max(k2, 1.0_real64)
        if (k2 < 0.5_real64) spectrum(i, j, k) = 0
      end do
    end do
  end do
  call fft%backward()

  worst = 0
  do k = lbound(f, 3), ubound(f, 3)
    do j = lbound(f, 2), ubound(f, 2)
      do i = lbound(f, 1), ubound(f, 1)
        worst = max(worst, abs(f(i, j, k) - solution(i, j, k)))
      end do
    end do
  end do
  call MPI_Allreduce(MPI_IN_PLACE, worst, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, code)
  if (plan%rank() == 0) print '(a, /, a, es8.1)', plan%explain(), 'largest error', worst

  call fft%free()
  call plan%free()
  call weft_deallocate(f, spectrum)
  call MPI_Finalize(code)
  if (worst > 1e-13_real64) error stop 1

contains

  real(real64) function solution(i, j, k)
    integer, intent(in) :: i, j, k
    solution = sin(h*(i - 1))*cos(2*h*(j - 1))*sin(3*h*(k - 1) + 1)
  end function

  !> Of index i along an axis: 0 to n/2, then the negative ones. Axis 1 is the r2c axis, and ends before.
  real(real64) function wave_number(i)
    integer, intent(in) :: i
    wave_number = merge(i - 1, i - 1 - n, i - 1 <= n/2)
  end function
end program poisson
