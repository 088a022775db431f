! Boxes: the parts of a global array that a rank owns.
module weft_boxes
  use, intrinsic :: iso_c_binding
  use weft_axes, only: mirrored, weft_index
  use weft_c, only: c_box
  implicit none
  private
  public :: weft_box, box_here

  !> Elements lower(a) <= i(a) <= upper(a) of the global array, whose indices start at 1. Of a batch
  !> the last axis is the number of the field. In the rank's array, taken as of rank one, element i
  !> is number offset + 1 + sum((i - lower)*stride).
  !>
  !> Example: slabs of weft_problem([8, 6, 4], in=weft_slab(3)) on two ranks; rank 1 owns lower
  !> [1, 1, 3], upper [8, 6, 4], with stride [1, 8, 48] and offset 0.
  type :: weft_box
    integer(weft_index), allocatable :: lower(:)
    integer(weft_index), allocatable :: upper(:)
    integer(weft_index), allocatable :: stride(:)
    integer(weft_index) :: offset = 0
  end type

  !> A box of the caller, for a layout's set_boxes.
  interface weft_box
    procedure :: box_of_defaults, box_of_indices
  end interface

contains

  pure function box_of_indices(lower, upper) result(box)
    integer(weft_index), intent(in) :: lower(:), upper(:)
    type(weft_box) :: box
    allocate (box%lower, source=lower)
    allocate (box%upper, source=upper)
  end function

  pure function box_of_defaults(lower, upper) result(box)
    integer, intent(in) :: lower(:), upper(:)
    type(weft_box) :: box
    box = box_of_indices(int(lower, weft_index), int(upper, weft_index))
  end function

  !> A box of C's, half open and from 0, whose array has so many axes without the batch.
  pure function box_here(box, dims) result(here)
    type(c_box), intent(in) :: box
    integer, intent(in) :: dims
    type(weft_box) :: here
    allocate (here%lower, source=mirrored(box%lo(:box%axes), dims) + 1)
    allocate (here%upper, source=mirrored(box%hi(:box%axes), dims))
    allocate (here%stride, source=mirrored(box%stride(:box%axes), dims))
    here%offset = box%offset
  end function
end module weft_boxes
