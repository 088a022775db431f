! Memory for the arrays of a plan, aligned and placed for the fastest transforms.
module weft_allocation
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: real32, real64
  use weft_axes, only: weft_index
  use weft_c
  use weft_ends, only: end_of_plan, find_ends, weft_in, weft_out
  use weft_errors, only: refused, settle, weft_success, weft_system
  use weft_handles, only: find_handle
  use weft_plans, only: weft_plan
  use weft_pointers, only: point, release
  use weft_text, only: digits
  implicit none
  private
  public :: weft_allocate, weft_deallocate

  !> weft_allocate(plan, in, out [, stat, errmsg]): local. Two pointers to arrays of this rank's
  !> part of the input and the output, set to 0. Dimension d of an array is the axis order(d) of the
  !> plan, with global indices as bounds. An array of rank one holds all elements of the rank, from
  !> 1. In place both pointers have the same memory. weft_deallocate(in, out) frees it.
  interface weft_allocate
    procedure :: allocate_c32_c32, allocate_c64_c64, allocate_r32_c32, allocate_r64_c64, &
      allocate_c32_r32, allocate_c64_r64, allocate_r32_r32, allocate_r64_r64
  end interface

  interface weft_deallocate
    procedure :: deallocate_c32_c32, deallocate_c64_c64, deallocate_r32_c32, deallocate_r64_c64, &
      deallocate_c32_r32, deallocate_c64_r64, deallocate_r32_r32, deallocate_r64_r64
  end interface

  !> Elements of an array that is asked for.
  type :: element
    integer :: elements
    integer :: bytes
  end type
  type(element), parameter :: c32 = element(complex_elements, 8), r32 = element(real_elements, 4), &
                              c64 = element(complex_elements, 16), r64 = element(real_elements, 8)

contains

  !> What the ends are, and their memory: in place the same.
  subroutine prepare(plan, types, dimensions, ends, memory, code)
    class(weft_plan), intent(in) :: plan
    type(element), intent(in) :: types(weft_in:weft_out)
    integer, intent(in) :: dimensions(weft_in:weft_out)
    type(end_of_plan), intent(out) :: ends(weft_in:weft_out)
    type(c_ptr), intent(out) :: memory(weft_in:weft_out)
    integer(c_int), intent(out) :: code
    type(c_ptr) :: handle
    integer(weft_index) :: room(weft_in:weft_out)
    integer(c_int) :: rank
    integer :: e
    memory = c_null_ptr
    call find_handle(plan, handle, rank, code)
    if (code == weft_success) call find_ends(handle, rank, ends, code)
    do e = weft_in, weft_out
      if (code == weft_success) code = refused(pointer_objection(types(e), dimensions(e), ends(e)))
    end do
    if (code /= weft_success) return
    do e = weft_in, weft_out
      room(e) = ends(e)%room()
    end do
    if (ends(weft_in)%in_place) room = maxval(room)
    ! An end without elements gets no memory (point.inc).
    if (room(weft_in) > 0) memory(weft_in) = c_allocate(int(room(weft_in), c_size_t))
    if (ends(weft_in)%in_place) then
      memory(weft_out) = memory(weft_in)
    else if (room(weft_out) > 0) then
      memory(weft_out) = c_allocate(int(room(weft_out), c_size_t))
    end if
    do e = weft_in, weft_out
      if (room(e) > 0 .and. .not. c_associated(memory(e))) code = weft_system
    end do
    if (code == weft_success) return
    call c_free(memory(weft_in))
    if (.not. ends(weft_in)%in_place) call c_free(memory(weft_out))
  end subroutine

  function pointer_objection(asked, dimensions, end) result(text)
    type(element), intent(in) :: asked
    integer, intent(in) :: dimensions
    type(end_of_plan), intent(in) :: end
    character(:), allocatable :: text
    text = ''
    if (asked%bytes /= end%bytes .or. &
        (end%elements /= other_elements .and. asked%elements /= end%elements)) then
      text = 'the pointer is not of the type that the plan has there'
    else if (dimensions /= 1 .and. dimensions /= end%rank) then
      text = 'the pointer is of rank '//digits(dimensions)//', but the array is of rank '// &
             digits(end%rank)
    end if
  end function

  subroutine allocate_c32_c32(plan, in, out, stat, errmsg)
    class(weft_plan), intent(in) :: plan
    complex(real32), pointer, intent(inout) :: in(..)
    complex(real32), pointer, intent(inout) :: out(..)
    type(element), parameter :: types(weft_in:weft_out) = [c32, c32]
    include 'allocate.inc'
  end subroutine

  subroutine allocate_c64_c64(plan, in, out, stat, errmsg)
    class(weft_plan), intent(in) :: plan
    complex(real64), pointer, intent(inout) :: in(..)
    complex(real64), pointer, intent(inout) :: out(..)
    type(element), parameter :: types(weft_in:weft_out) = [c64, c64]
    include 'allocate.inc'
  end subroutine

  subroutine allocate_r32_c32(plan, in, out, stat, errmsg)
    class(weft_plan), intent(in) :: plan
    real(real32), pointer, intent(inout) :: in(..)
    complex(real32), pointer, intent(inout) :: out(..)
    type(element), parameter :: types(weft_in:weft_out) = [r32, c32]
    include 'allocate.inc'
  end subroutine

  subroutine allocate_r64_c64(plan, in, out, stat, errmsg)
    class(weft_plan), intent(in) :: plan
    real(real64), pointer, intent(inout) :: in(..)
    complex(real64), pointer, intent(inout) :: out(..)
    type(element), parameter :: types(weft_in:weft_out) = [r64, c64]
    include 'allocate.inc'
  end subroutine

  subroutine allocate_c32_r32(plan, in, out, stat, errmsg)
    class(weft_plan), intent(in) :: plan
    complex(real32), pointer, intent(inout) :: in(..)
    real(real32), pointer, intent(inout) :: out(..)
    type(element), parameter :: types(weft_in:weft_out) = [c32, r32]
    include 'allocate.inc'
  end subroutine

  subroutine allocate_c64_r64(plan, in, out, stat, errmsg)
    class(weft_plan), intent(in) :: plan
    complex(real64), pointer, intent(inout) :: in(..)
    real(real64), pointer, intent(inout) :: out(..)
    type(element), parameter :: types(weft_in:weft_out) = [c64, r64]
    include 'allocate.inc'
  end subroutine

  subroutine allocate_r32_r32(plan, in, out, stat, errmsg)
    class(weft_plan), intent(in) :: plan
    real(real32), pointer, intent(inout) :: in(..)
    real(real32), pointer, intent(inout) :: out(..)
    type(element), parameter :: types(weft_in:weft_out) = [r32, r32]
    include 'allocate.inc'
  end subroutine

  subroutine allocate_r64_r64(plan, in, out, stat, errmsg)
    class(weft_plan), intent(in) :: plan
    real(real64), pointer, intent(inout) :: in(..)
    real(real64), pointer, intent(inout) :: out(..)
    type(element), parameter :: types(weft_in:weft_out) = [r64, r64]
    include 'allocate.inc'
  end subroutine

  subroutine deallocate_c32_c32(in, out)
    complex(real32), pointer, intent(inout) :: in(..)
    complex(real32), pointer, intent(inout) :: out(..)
    include 'deallocate.inc'
  end subroutine

  subroutine deallocate_c64_c64(in, out)
    complex(real64), pointer, intent(inout) :: in(..)
    complex(real64), pointer, intent(inout) :: out(..)
    include 'deallocate.inc'
  end subroutine

  subroutine deallocate_r32_c32(in, out)
    real(real32), pointer, intent(inout) :: in(..)
    complex(real32), pointer, intent(inout) :: out(..)
    include 'deallocate.inc'
  end subroutine

  subroutine deallocate_r64_c64(in, out)
    real(real64), pointer, intent(inout) :: in(..)
    complex(real64), pointer, intent(inout) :: out(..)
    include 'deallocate.inc'
  end subroutine

  subroutine deallocate_c32_r32(in, out)
    complex(real32), pointer, intent(inout) :: in(..)
    real(real32), pointer, intent(inout) :: out(..)
    include 'deallocate.inc'
  end subroutine

  subroutine deallocate_c64_r64(in, out)
    complex(real64), pointer, intent(inout) :: in(..)
    real(real64), pointer, intent(inout) :: out(..)
    include 'deallocate.inc'
  end subroutine

  subroutine deallocate_r32_r32(in, out)
    real(real32), pointer, intent(inout) :: in(..)
    real(real32), pointer, intent(inout) :: out(..)
    include 'deallocate.inc'
  end subroutine

  subroutine deallocate_r64_r64(in, out)
    real(real64), pointer, intent(inout) :: in(..)
    real(real64), pointer, intent(inout) :: out(..)
    include 'deallocate.inc'
  end subroutine
end module weft_allocation
