! Errors: codes and texts. A procedure with `stat` returns the code there and the text in `errmsg`;
! without `stat` an error ends the program with the text, as an ALLOCATE statement does.
module weft_errors
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit
  use weft_c, only: c_agree, c_last_error, c_plan_agree, c_refuse, c_version
  use weft_text, only: text_at
  implicit none
  private
  public :: weft_last_error, weft_version, settle, refused, agreed, agreed_by_plan

  integer, parameter, public :: weft_success = 0 !< no error
  integer, parameter, public :: weft_wrong_result = 1 !< a check found a wrong transform
  integer, parameter, public :: weft_bad_request = 2 !< an argument or a text is invalid
  integer, parameter, public :: weft_not_available = 3 !< not in this build, or on this machine
  integer, parameter, public :: weft_system = 4 !< MPI or the operating system failed

contains

  !> The text of the last error of this thread, in full.
  function weft_last_error() result(text)
    character(:), allocatable :: text
    text = text_at(c_last_error())
  end function

  !> The version of the library that is linked.
  function weft_version() result(text)
    character(:), allocatable :: text
    text = text_at(c_version())
  end function

  !> Gives a code to the caller, or ends the program with it.
  subroutine settle(code, stat, errmsg)
    integer(c_int), intent(in) :: code
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    if (present(stat)) stat = code
    if (code == weft_success) return
    if (present(errmsg)) errmsg = weft_last_error()
    if (present(stat)) return
    write (error_unit, '(2a)') 'weft: ', weft_last_error()
    flush (error_unit)
    error stop int(code), quiet=.true.
  end subroutine

  !> The code of an error that this rank alone has; success if the text is empty.
  integer(c_int) function refused(error) result(code)
    character(*), intent(in) :: error
    code = weft_success
    if (error /= '') code = c_refuse(error//c_null_char)
  end function

  !> Collective. The code of an error that any rank has found before a collective call; success if
  !> all texts are empty.
  integer(c_int) function agreed(error, comm) result(code)
    character(*), intent(in) :: error
    integer, intent(in) :: comm
    character(len(error) + 1, kind=c_char), target :: text
    text = error//c_null_char
    if (error == '') then
      code = c_agree(c_null_ptr, comm)
    else
      code = c_agree(c_loc(text), comm)
    end if
  end function

  !> Agrees with a plan's ranks, whose communicator the program may have freed.
  integer(c_int) function agreed_by_plan(error, plan) result(code)
    character(*), intent(in) :: error
    type(c_ptr), intent(in) :: plan
    character(len(error) + 1, kind=c_char), target :: text
    text = error//c_null_char
    if (error == '') then
      code = c_plan_agree(plan, c_null_ptr)
    else
      code = c_plan_agree(plan, c_loc(text))
    end if
  end function
end module weft_errors
