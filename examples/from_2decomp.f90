! Real data in pencils of x, their spectrum in pencils of z, and back: a program for 2DECOMP&FFT that
! was moved to weft (docs/from/decomp2d.md).
!
!     cmake --build build --target example_from_2decomp_f
!     mpirun -n 2 build/bin/example_from_2decomp_f
program from_2decomp
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use weft
  implicit none
  integer, parameter :: nx = 17, ny = 13, nz = 11
  integer :: p_row, p_col, ranks, rank, i, j, k
  type(weft_layout) :: x_pencils, z_pencils
  type(weft_plan) :: plan
  type(weft_transform) :: fft
  real(real64), pointer :: u(:, :, :) => null()
  complex(real64), pointer :: u_hat(:, :, :) => null()
  real(real64) :: error

  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  p_row = merge(2, 1, mod(ranks, 2) == 0)
  p_col = ranks/p_row

  ! decomp_2d_init(nx, ny, nz, p_row, p_col): columns vary fastest with the rank, so they come first.
  x_pencils = weft_pencil(3, 2, parts=[p_col, p_row])
  z_pencils = weft_pencil(2, 1, parts=[p_col, p_row], order=[1, 2, 3])
  ! decomp_2d_fft_init(PHYSICAL_IN_X)
  call plan%create(weft_problem([nx, ny, nz], kind=weft_r2c, in=x_pencils, out=z_pencils), MPI_COMM_WORLD)
  call weft_allocate(plan, u, u_hat)                     ! alloc_x(u, ph, .true.), alloc_z(u_hat, sp, .true.)
  call fft%bind(plan, u, u_hat)

  do k = lbound(u, 3), ubound(u, 3)                      ! xstart(3), xend(3)
    do j = lbound(u, 2), ubound(u, 2)
      do i = lbound(u, 1), ubound(u, 1)
        u(i, j, k) = value(i, j, k)
      end do
    end do
  end do
  call fft%forward()                                     ! decomp_2d_fft_3d(u, u_hat)
  call fft%backward()                                    ! decomp_2d_fft_3d(u_hat, u)
  u = u/(real(nx, real64)*ny*nz)                         ! neither library scales

  error = 0
  do k = lbound(u, 3), ubound(u, 3)
    do j = lbound(u, 2), ubound(u, 2)
      do i = lbound(u, 1), ubound(u, 1)
        error = max(error, abs(u(i, j, k) - value(i, j, k)))
      end do
    end do
  end do
  call MPI_Allreduce(MPI_IN_PLACE, error, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
  if (rank == 0) print '(a, /, a, es8.1)', plan%text(), 'error', error

  call fft%free()                                        ! decomp_2d_fft_finalize
  call plan%free()
  call weft_deallocate(u, u_hat)
  call MPI_Finalize()
  if (error > 1e-13_real64) error stop 1

contains

  pure real(real64) function value(i, j, k)
    integer, intent(in) :: i, j, k
    value = real(i, real64)/nx*real(j, real64)/ny*real(k, real64)/nz
  end function
end program from_2decomp
