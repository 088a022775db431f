! A wave of sines there and back, by a program for P3DFFT that was moved to weft (docs/from/p3dfft.md).
!
!     cmake --build build --target example_from_p3dfft_f
!     mpirun -n 2 build/bin/example_from_p3dfft_f
program from_p3dfft
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use weft
  implicit none
  integer, parameter :: nx = 16, ny = 12, nz = 10
  real(real64), parameter :: two_pi = 8*atan(1.0_real64)
  integer :: dims(2), ranks, rank, y, z, x
  integer(weft_index), allocatable :: istart(:), iend(:), fstart(:), fend(:)
  type(weft_plan) :: plan
  type(weft_transform) :: fft
  real(real64), allocatable, target :: wave(:, :, :)
  complex(real64), allocatable, target :: spectrum(:, :, :)
  real(real64) :: error

  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  dims = 0
  call MPI_Dims_create(ranks, 2, dims)

  ! p3dfft_setup(dims, nx, ny, nz, MPI_COMM_WORLD): pencils of x at one end and of z at the other.
  call plan%create(weft_problem([nx, ny, nz], kind=weft_r2c, in=weft_pencil(2, 3, parts=dims), &
                                out=weft_pencil(1, 2, parts=dims, order=[1, 2, 3]), scale='n/none'), MPI_COMM_WORLD)
  call plan%bounds(weft_in, istart, iend)                ! p3dfft_get_dims(istart, iend, isize, 1)
  call plan%bounds(weft_out, fstart, fend)               ! p3dfft_get_dims(fstart, fend, fsize, 2)
  allocate (wave(istart(1):iend(1), istart(2):iend(2), istart(3):iend(3)), source=0.0_real64)
  allocate (spectrum(fstart(1):fend(1), fstart(2):fend(2), fstart(3):fend(3)))
  call fft%bind(plan, wave, spectrum)

  do z = lbound(wave, 3), ubound(wave, 3)
    do y = lbound(wave, 2), ubound(wave, 2)
      wave(:, y, z) = [(value(x, y, z), x=lbound(wave, 1), ubound(wave, 1))]
    end do
  end do
  call fft%forward()                                     ! p3dfft_ftran_r2c(wave, spectrum, 'fft')
  call fft%backward()                                    ! p3dfft_btran_c2r(spectrum, wave, 'tff')

  error = 0
  do z = lbound(wave, 3), ubound(wave, 3)
    do y = lbound(wave, 2), ubound(wave, 2)
      do x = lbound(wave, 1), ubound(wave, 1)
        error = max(error, abs(wave(x, y, z) - value(x, y, z)))
      end do
    end do
  end do
  call MPI_Allreduce(MPI_IN_PLACE, error, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
  if (rank == 0) print '(a, /, a, es8.1)', plan%text(), 'error', error

  call fft%free()                                        ! p3dfft_clean
  call plan%free()
  call MPI_Finalize()
  if (error > 1e-13_real64) error stop 1

contains

  pure real(real64) function value(x, y, z)
    integer, intent(in) :: x, y, z
    value = sin((x - 1)*two_pi/nx)*sin((y - 1)*two_pi/ny)*sin((z - 1)*two_pi/nz)
  end function
end program from_p3dfft
