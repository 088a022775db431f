! Pointers of all ranks to memory of weft's, and what frees it.
module weft_pointers
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: real32, real64
  use weft_axes, only: weft_index
  use weft_c
  use weft_ends, only: end_of_plan
  implicit none
  private
  public :: point, release

  !> point(memory, end, array)
  interface point
    procedure :: point_c32, point_c64, point_r32, point_r64
  end interface

  !> release(array, other, address)
  interface release
    procedure :: release_c32, release_c64, release_r32, release_r64
  end interface

contains

  subroutine point_c32(memory, end, array)
    type(c_ptr), intent(in) :: memory
    type(end_of_plan), intent(in) :: end
    complex(real32), pointer, intent(inout) :: array(..)
    complex(real32), pointer :: flat(:)
    include 'point.inc'
  end subroutine

  subroutine point_c64(memory, end, array)
    type(c_ptr), intent(in) :: memory
    type(end_of_plan), intent(in) :: end
    complex(real64), pointer, intent(inout) :: array(..)
    complex(real64), pointer :: flat(:)
    include 'point.inc'
  end subroutine

  subroutine point_r32(memory, end, array)
    type(c_ptr), intent(in) :: memory
    type(end_of_plan), intent(in) :: end
    real(real32), pointer, intent(inout) :: array(..)
    real(real32), pointer :: flat(:)
    include 'point.inc'
  end subroutine

  subroutine point_r64(memory, end, array)
    type(c_ptr), intent(in) :: memory
    type(end_of_plan), intent(in) :: end
    real(real64), pointer, intent(inout) :: array(..)
    real(real64), pointer :: flat(:)
    include 'point.inc'
  end subroutine

  subroutine release_c32(array, other, address)
    complex(real32), pointer, intent(inout) :: array(..)
    type(c_ptr), intent(in) :: other
    type(c_ptr), intent(out) :: address
    include 'release.inc'
  end subroutine

  subroutine release_c64(array, other, address)
    complex(real64), pointer, intent(inout) :: array(..)
    type(c_ptr), intent(in) :: other
    type(c_ptr), intent(out) :: address
    include 'release.inc'
  end subroutine

  subroutine release_r32(array, other, address)
    real(real32), pointer, intent(inout) :: array(..)
    type(c_ptr), intent(in) :: other
    type(c_ptr), intent(out) :: address
    include 'release.inc'
  end subroutine

  subroutine release_r64(array, other, address)
    real(real64), pointer, intent(inout) :: array(..)
    type(c_ptr), intent(in) :: other
    type(c_ptr), intent(out) :: address
    include 'release.inc'
  end subroutine
end module weft_pointers
