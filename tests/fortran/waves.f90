! A field with one peak as its spectrum, in arrays with global bounds.
module waves_module
  use, intrinsic :: iso_fortran_env, only: real64
  use expect_module
  implicit none
  private
  public :: wave, set_wave, expect_peak

  integer, parameter, public :: n(3) = [6, 5, 8]

contains

  !> exp(i (x + 2 y + 3 z)) in wave numbers 1, 2 and 3 of the axes.
  elemental complex(real64) function wave(i, j, k)
    integer, intent(in) :: i, j, k
    real(real64), parameter :: two_pi = 8*atan(1.0_real64)
    wave = exp(cmplx(0, two_pi*((i - 1.0_real64)/n(1) + 2*(j - 1.0_real64)/n(2) + &
                                3*(k - 1.0_real64)/n(3)), real64))
  end function

  subroutine set_wave(u)
    complex(real64), pointer, intent(in) :: u(:, :, :)
    integer :: i, j, k
    do k = lbound(u, 3), ubound(u, 3)
      do j = lbound(u, 2), ubound(u, 2)
        u(:, j, k) = [(wave(i, j, k), i=lbound(u, 1), ubound(u, 1))]
      end do
    end do
  end subroutine

  !> The spectrum of `wave`, in an array whose dimensions lie along these axes.
  subroutine expect_peak(u_hat, order, what)
    complex(real64), pointer, intent(in) :: u_hat(:, :, :)
    integer, intent(in) :: order(3)
    character(*), intent(in) :: what
    integer, parameter :: peak(3) = [2, 3, 4]
    complex(real64) :: expected
    integer :: i, j, k, element(3)
    do k = lbound(u_hat, 3), ubound(u_hat, 3)
      do j = lbound(u_hat, 2), ubound(u_hat, 2)
        do i = lbound(u_hat, 1), ubound(u_hat, 1)
          element(order) = [i, j, k]
          expected = merge(product(n), 0, all(element == peak))
          call expect(abs(u_hat(i, j, k) - expected) < 1e-10, what)
        end do
      end do
    end do
  end subroutine
end module waves_module
