! A Fortran 2003 program for FFTW's MPI interface, by its manual: there and back in transposed order.
program there_and_back
  use, intrinsic :: iso_c_binding
  use mpi
  implicit none
  include 'fftw3-mpi.f03'
  integer(C_INTPTR_T), parameter :: l = 6, m = 10, n = 14
  integer(C_INTPTR_T) :: room, local_n, start_n, local_m, start_m, i, j, k
  type(C_PTR) :: memory, forward, backward
  complex(C_DOUBLE_COMPLEX), pointer :: array(:,:,:)
  complex(C_DOUBLE_COMPLEX) :: expected
  double precision :: error
  integer :: ierror

  call mpi_init(ierror)
  call fftw_mpi_init()
  room = fftw_mpi_local_size_3d_transposed(n, m, l, MPI_COMM_WORLD, local_n, start_n, local_m, start_m)
  memory = fftw_alloc_complex(room)
  call c_f_pointer(memory, array, [l, m, local_n])
  forward = fftw_mpi_plan_dft_3d(n, m, l, array, array, MPI_COMM_WORLD, FFTW_FORWARD, &
                                 ior(FFTW_ESTIMATE, FFTW_MPI_TRANSPOSED_OUT))
  backward = fftw_mpi_plan_dft_3d(n, m, l, array, array, MPI_COMM_WORLD, FFTW_BACKWARD, &
                                  ior(FFTW_ESTIMATE, FFTW_MPI_TRANSPOSED_IN))
  do k = 1, local_n
    do j = 1, m
      do i = 1, l
        array(i, j, k) = value_at(i, j, k + start_n)
      end do
    end do
  end do
  call fftw_mpi_execute_dft(forward, array, array)
  call fftw_mpi_execute_dft(backward, array, array)
  error = 0
  do k = 1, local_n
    do j = 1, m
      do i = 1, l
        expected = value_at(i, j, k + start_n)
        error = max(error, abs(array(i, j, k) / (l * m * n) - expected))
      end do
    end do
  end do
  if (error > 1d-12) then
    print *, 'wrong by', error
    call mpi_abort(MPI_COMM_WORLD, 1, ierror)
  end if
  call fftw_destroy_plan(forward)
  call fftw_destroy_plan(backward)
  call fftw_free(memory)
  call mpi_finalize(ierror)

contains
  complex(C_DOUBLE_COMPLEX) function value_at(i, j, k)
    integer(C_INTPTR_T), intent(in) :: i, j, k
    value_at = cmplx(mod(i + 3 * j, 7_C_INTPTR_T), mod(k + 5 * i, 11_C_INTPTR_T), C_DOUBLE_COMPLEX)
  end function
end program
