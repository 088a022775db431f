! Arrays: whether those of a program fit a plan's ends.
module weft_arrays
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
  use weft_c
  use weft_ends, only: end_of_plan, weft_in, weft_out
  use weft_text, only: digits, joined
  implicit none
  private
  public :: array_pair, pair_of, pair_objection

  !> The arrays at both ends. A type(c_ptr) stands for the array at its address, of which nothing is
  !> known, and a list of them for the arrays of several fields.
  type :: array_pair
    type(c_view) :: views(weft_in:weft_out)
    type(c_ptr) :: single(weft_in:weft_out) = c_null_ptr !< the address where there is no list
  contains
    procedure :: fields => pair_fields
    procedure :: addresses => pair_addresses
  end type

contains

  !> In place the second array may be left out.
  subroutine pair_of(in, out, ends, pair)
    type(*), target :: in(..)
    type(*), target, optional :: out(..)
    type(end_of_plan), intent(in) :: ends(weft_in:weft_out)
    type(array_pair), intent(out) :: pair
    integer :: e
    call look_at_array(in, pair%views(weft_in))
    pair%views(weft_out) = pair%views(weft_in)
    if (present(out)) call look_at_array(out, pair%views(weft_out))
    do e = weft_in, weft_out
      pair%single(e) = address_of(pair%views(e))
    end do
    if (.not. ends(weft_in)%in_place) return
    ! A rank may own something at one end only, whose array is then that of both.
    if (is_empty(pair%views(weft_in))) pair%single(weft_in) = pair%single(weft_out)
    if (is_empty(pair%views(weft_out))) pair%single(weft_out) = pair%single(weft_in)
  end subroutine

  type(c_ptr) function address_of(view)
    type(c_view), intent(in) :: view
    type(c_ptr), pointer :: holder
    address_of = view%address
    if (view%type /= address_elements .or. is_empty(view)) return
    call c_f_pointer(view%address, holder)
    address_of = holder
  end function

  pure logical function is_empty(view)
    type(c_view), intent(in) :: view
    is_empty = any(view%extent == 0)
  end function

  !> How many fields the arrays are of.
  pure integer function pair_fields(this, end) result(count)
    class(array_pair), intent(in) :: this
    integer, intent(in) :: end
    count = 1
    if (this%views(end)%type == address_elements) count = int(product(this%views(end)%extent))
  end function

  !> Where the addresses of an end's arrays are listed, for C.
  type(c_ptr) function pair_addresses(this, end) result(list)
    class(array_pair), target, intent(in) :: this
    integer, intent(in) :: end
    if (this%fields(end) == 1) then
      list = c_loc(this%single(end))
    else
      list = this%views(end)%address
    end if
  end function

  !> Why the arrays do not fit; empty if they do.
  function pair_objection(pair, ends, fields) result(text)
    type(array_pair), intent(in) :: pair
    type(end_of_plan), intent(in) :: ends(weft_in:weft_out)
    integer, optional, intent(in) :: fields !< how many a transform was bound for
    character(:), allocatable :: text
    integer :: e, expected
    logical :: large(weft_in:weft_out)
    text = ''
    expected = pair%fields(weft_in)
    if (present(fields)) expected = fields
    do e = weft_in, weft_out
      text = view_objection(pair%views(e), ends(e), array_name(e))
      if (text == '' .and. pair%fields(e) /= expected) text = array_name(e)//' is of '// &
        digits(pair%fields(e))//' fields, but '//digits(expected)//' are expected'
      if (text /= '') return
      large(e) = is_large_enough(pair%views(e), ends(e))
    end do
    if (ends(weft_in)%in_place) large = any(large)
    do e = weft_in, weft_out
      if (large(e)) cycle
      text = array_name(e)//' has '//digits(product(pair%views(e)%extent))// &
        ' elements, the plan needs '//digits(ends(e)%size)
      return
    end do
  end function

  !> As the texts of C++, C and Python call it.
  pure function array_name(end) result(name)
    integer, intent(in) :: end
    character(:), allocatable :: name
    name = 'the '//trim(merge('input ', 'output', end == weft_in))//' array'
  end function

  pure logical function is_large_enough(view, end)
    type(c_view), intent(in) :: view
    type(end_of_plan), intent(in) :: end
    is_large_enough = view%type == address_elements .or. product(view%extent) >= end%size
  end function

  !> Why one array is of a wrong type or shape.
  function view_objection(view, end, name) result(text)
    type(c_view), intent(in) :: view
    type(end_of_plan), intent(in) :: end
    character(*), intent(in) :: name
    character(:), allocatable :: text
    text = ''
    if (view%contiguous == 0) then
      text = name//' is not contiguous'
    else if (view%type == address_elements) then
      return
    else if (view%bytes /= end%bytes .or. &
             (end%elements /= other_elements .and. view%type /= end%elements)) then
      text = name//' is of '//type_text(view%type, view%bytes)//', the plan needs '// &
        type_text(end%elements, end%bytes)
    else if (end%size > 0 .and. view%rank /= 1 .and. .not. has_shape(view, end)) then
      text = name//' has shape ('//shape_text(view%extent(:view%rank))// &
        '), the plan needs ('//shape_text(end%extent(:end%rank))//')'
    end if
  end function

  !> The last extent only has to be large enough, which is looked at elsewhere.
  pure logical function has_shape(view, end)
    type(c_view), intent(in) :: view
    type(end_of_plan), intent(in) :: end
    integer :: inner
    inner = end%rank - 1
    has_shape = view%rank == end%rank
    if (has_shape) has_shape = all(view%extent(:inner) == end%extent(:inner))
  end function

  pure function shape_text(extent) result(text)
    integer(int64), intent(in) :: extent(:)
    character(:), allocatable :: text
    text = joined(extent, ', ')
  end function

  pure function type_text(elements, bytes) result(text)
    integer, intent(in) :: elements
    integer(int64), intent(in) :: bytes
    character(:), allocatable :: text
    select case (elements)
    case (real_elements)
      text = 'real(real'//digits(8*bytes)//')'
    case (complex_elements)
      text = 'complex(real'//digits(4*bytes)//')'
    case default
      text = 'elements of '//digits(bytes)//' bytes'
    end select
  end function
end module weft_arrays
