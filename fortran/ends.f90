! Ends: what a plan wants of the arrays of its input and output on a rank.
module weft_ends
  use, intrinsic :: iso_c_binding
  use weft_axes, only: order_here, weft_index
  use weft_boxes, only: box_here, weft_box
  use weft_c
  use weft_errors, only: weft_success
  use weft_problems, only: weft_c2c, weft_c2r, weft_r2c, weft_r2r, weft_redistribute
  implicit none
  private
  public :: end_of_plan, find_end, find_ends, find_box

  integer, parameter, public :: weft_in = 0 !< the end that `forward` reads
  integer, parameter, public :: weft_out = 1 !< the end that `backward` reads

  type :: end_of_plan
    integer :: elements = complex_elements !< or real_elements, or other_elements: not looked into
    integer(weft_index) :: bytes = 16 !< of an element
    integer(weft_index) :: size = 0 !< elements that the array holds
    !> The dimensions of an array of the rank's part. Where its boxes are not one array, or leave
    !> gaps that no array has, it is of rank one.
    integer :: rank = 1
    integer(weft_index) :: lower(max_axes) = 1
    integer(weft_index) :: extent(max_axes) = 1
    logical :: in_place = .false.
  contains
    procedure :: room => end_room
  end type

contains

  !> Bytes of an array that holds this end.
  pure integer(weft_index) function end_room(this)
    class(end_of_plan), intent(in) :: this
    end_room = this%bytes*max(this%size, product(this%extent(:this%rank)))
  end function

  !> Both ends of a plan, on a rank.
  subroutine find_ends(plan, rank, ends, code)
    type(c_ptr), intent(in) :: plan
    integer(c_int), intent(in) :: rank
    type(end_of_plan), intent(out) :: ends(weft_in:weft_out)
    integer(c_int), intent(out) :: code
    call find_end(plan, weft_in, rank, ends(weft_in), code)
    if (code == weft_success) call find_end(plan, weft_out, rank, ends(weft_out), code)
  end subroutine

  subroutine find_end(plan, end, rank, found, code)
    type(c_ptr), intent(in) :: plan
    integer, intent(in) :: end
    integer(c_int), intent(in) :: rank
    type(end_of_plan), intent(out) :: found
    integer(c_int), intent(out) :: code
    integer(c_int) :: kind, in_place, boxes
    code = c_plan_kind(plan, kind)
    if (code == weft_success) code = c_plan_in_place(plan, in_place)
    if (code == weft_success) code = c_plan_element_bytes(plan, end, found%bytes)
    if (code == weft_success) code = c_plan_size(plan, end, rank, found%size)
    if (code == weft_success) code = c_plan_box_count(plan, end, rank, boxes)
    if (code /= weft_success) return
    found%in_place = in_place /= 0
    found%elements = complex_elements
    if (kind == weft_redistribute) found%elements = other_elements
    if (kind == merge(weft_r2c, weft_c2r, end == weft_in)) found%elements = real_elements
    if (kind == weft_r2r) found%elements = real_elements
    call find_dimensions(plan, end, rank, boxes, found, code)
  end subroutine

  !> The dimensions of the array, from the strides of its box.
  subroutine find_dimensions(plan, end, rank, boxes, found, code)
    type(c_ptr), intent(in) :: plan
    integer, intent(in) :: end
    integer(c_int), intent(in) :: rank, boxes
    type(end_of_plan), intent(inout) :: found
    integer(c_int), intent(out) :: code
    integer(c_int) :: list(max_axes), axes
    integer :: order(max_axes), dims
    integer(c_int64_t) :: shape(max_axes)
    type(weft_box) :: box
    code = c_plan_order(plan, end, list, axes)
    if (code == weft_success) code = c_plan_shape(plan, end, shape, dims)
    if (code /= weft_success) return
    found%extent(1) = found%size
    if (boxes <= 1) then
      call find_box(plan, end, rank, 0, box, code)
      if (code /= weft_success) return
      order(:axes) = order_here(list(:axes), dims)
      call set_dimensions(box%lower(order(:axes)), box%upper(order(:axes)), &
                          box%stride(order(:axes)), found)
    end if
  end subroutine

  !> Bounds and strides are in the order of memory, the fastest first.
  subroutine set_dimensions(lower, upper, stride, found)
    integer(weft_index), intent(in) :: lower(:), upper(:), stride(:)
    type(end_of_plan), intent(inout) :: found
    integer(weft_index) :: extent(size(lower))
    integer :: n
    n = size(lower)
    extent(:n - 1) = stride(2:)/stride(:n - 1)
    ! In place the array is as long as the larger end, of which this may be the smaller one.
    extent(n) = upper(n) - lower(n) + 1
    if (.not. found%in_place) extent(n) = max(extent(n), found%size/stride(n))
    if (stride(1) /= 1 .or. any(extent*stride < [stride(2:), extent(n)*stride(n)])) return
    if (any(extent < upper - lower + 1)) return
    where (upper < lower) extent = 0
    found%rank = n
    found%lower(:n) = lower
    found%extent(:n) = extent
  end subroutine

  !> A box of a rank, numbered from 0.
  subroutine find_box(plan, end, rank, index, box, code)
    type(c_ptr), intent(in) :: plan
    integer, intent(in) :: end
    integer(c_int), intent(in) :: rank, index
    type(weft_box), intent(out) :: box
    integer(c_int), intent(out) :: code
    type(c_box) :: found
    integer(c_int64_t) :: shape(max_axes)
    integer(c_int) :: dims
    found%struct_size = c_sizeof(found)
    code = c_plan_box(plan, end, rank, index, found)
    if (code == weft_success) code = c_plan_shape(plan, end, shape, dims)
    if (code == weft_success) box = box_here(found, int(dims))
  end subroutine
end module weft_ends
