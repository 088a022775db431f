! Texts: C's strings, and numbers in words.
module weft_text
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32, int64
  use weft_c, only: c_free
  implicit none
  private
  public :: text_at, taken, digits, joined

  interface
    pure integer(c_size_t) function strlen(text) bind(C)
      import :: c_ptr, c_size_t
      type(c_ptr), intent(in), value :: text
    end function
  end interface

  interface digits
    procedure :: digits_int32, digits_int64
  end interface

contains

  !> A copy of C's string.
  function text_at(address) result(text)
    type(c_ptr), intent(in) :: address
    character(:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    integer :: i
    if (.not. c_associated(address)) then
      text = ''
      return
    end if
    call c_f_pointer(address, letters, [strlen(address)])
    allocate (character(size(letters)) :: text)
    do i = 1, size(letters)
      text(i:i) = letters(i)
    end do
  end function

  !> A copy of C's string, which is freed.
  function taken(address) result(text)
    type(c_ptr), intent(inout) :: address
    character(:), allocatable :: text
    text = text_at(address)
    call c_free(address)
    address = c_null_ptr
  end function

  pure function digits_int64(number) result(text)
    integer(int64), intent(in) :: number
    character(:), allocatable :: text
    character(24) :: room
    write (room, '(i0)') number
    text = trim(room)
  end function

  pure function digits_int32(number) result(text)
    integer(int32), intent(in) :: number
    character(:), allocatable :: text
    text = digits_int64(int(number, int64))
  end function

  !> `8x6x4` of [8, 6, 4] and `x`.
  pure function joined(numbers, separator) result(text)
    integer(int64), intent(in) :: numbers(:)
    character(*), intent(in) :: separator
    character(:), allocatable :: text
    integer :: i
    text = ''
    do i = 1, size(numbers)
      if (i > 1) text = text//separator
      text = text//digits(numbers(i))
    end do
  end function
end module weft_text
