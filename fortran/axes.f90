! Axes of Fortran and of the texts and the C interface. This is the only place that converts them.
!
! Fortran numbers axes 1 .. dims from the fastest in memory, and a batch is the axis dims + 1. The
! texts of weft number them 0 .. dims-1 from the slowest, and the batch is the axis dims:
!
!     complex(real64) u(8, 6, 4)  is  c2c:f64:4x6x8,  its axis 1 of 8 elements is axis 2 there.
!
! Whatever is listed by axis or by the order of axes is listed the other way round there, so the
! first axis that a Fortran program names counts as the last one there.
module weft_axes
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
  implicit none
  private
  public :: axis_there, axis_here, mirrored, order_here, weft_index

  integer, parameter :: weft_index = int64 !< the kind of global indices

contains

  !> The number that an axis of Fortran has in texts and in C.
  elemental integer function axis_there(axis, dims)
    integer, intent(in) :: axis, dims
    axis_there = merge(dims, dims - axis, axis == dims + 1)
  end function

  !> The number in Fortran of an axis of C's.
  elemental integer function axis_here(axis, dims)
    integer, intent(in) :: axis, dims
    axis_here = merge(dims + 1, dims - axis, axis == dims)
  end function

  !> A table with an entry for each axis, from either side to the other. A batch stays the last.
  pure function mirrored(table, dims) result(other)
    integer(int64), intent(in) :: table(:)
    integer, intent(in) :: dims
    integer(int64) :: other(size(table))
    other = table
    other(:dims) = table(dims:1:-1)
  end function

  !> The axis along each dimension of an array in memory, from C's list, slowest first.
  pure function order_here(order, dims) result(other)
    integer(c_int), intent(in) :: order(:)
    integer, intent(in) :: dims
    integer :: other(size(order))
    other = axis_here(int(order(size(order):1:-1)), dims)
  end function
end module weft_axes
