! Discrete Fourier transforms by their definition, of whole arrays on every rank.
module dft_module
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  private
  public :: dft, half_of, position, noise

contains

  !> Numbers between -1 and 1 that all ranks have alike.
  function noise(count) result(values)
    integer, intent(in) :: count
    real(real64) :: values(count)
    integer :: i
    values = [(modulo(sin(12.9898_real64*i)*43758.5453_real64, 2.0_real64) - 1, i=1, count)]
  end function

  !> The transform along these axes of an array of that shape, the first axis fastest.
  function dft(values, shape, axes, sign) result(spectrum)
    complex(real64), intent(in) :: values(:)
    integer, intent(in) :: shape(:), axes(:), sign
    complex(real64), allocatable :: spectrum(:)
    integer :: a
    allocate (spectrum(size(values)), source=values)
    do a = 1, size(axes)
      call transform_lines(spectrum, shape, axes(a), sign)
    end do
  end function

  subroutine transform_lines(values, shape, axis, sign)
    complex(real64), intent(inout) :: values(:)
    integer, intent(in) :: shape(:), axis, sign
    real(real64), parameter :: two_pi = 8*atan(1.0_real64)
    complex(real64) :: line(shape(axis)), result(shape(axis))
    integer :: first, step, j, k, n
    n = shape(axis)
    step = product(shape(:axis - 1))
    do first = 1, size(values)
      if (modulo((first - 1)/step, n) /= 0) cycle
      line = values(first:first + (n - 1)*step:step)
      do k = 0, n - 1
        result(k + 1) = sum([(line(j + 1)*exp(cmplx(0, sign*two_pi*modulo(j*k, n)/n, real64)), &
                              j=0, n - 1)])
      end do
      values(first:first + (n - 1)*step:step) = result
    end do
  end subroutine

  !> The n/2+1 first elements along an axis.
  function half_of(values, shape, axis) result(half)
    complex(real64), intent(in) :: values(:)
    integer, intent(in) :: shape(:), axis
    complex(real64), allocatable :: half(:)
    integer :: i
    half = pack(values, [(along(i) <= shape(axis)/2, i=1, size(values))])
  contains
    integer function along(i)
      integer, intent(in) :: i
      along = modulo((i - 1)/product(shape(:axis - 1)), shape(axis))
    end function
  end function

  !> The number of an element in the array elements of an array.
  integer(int64) function position(element, shape)
    integer(int64), intent(in) :: element(:), shape(:)
    integer :: a
    position = 1
    do a = 1, size(shape)
      position = position + (element(a) - 1)*product(shape(:a - 1))
    end do
  end function
end module dft_module
