! Wisdom: results of tuning (docs/tuning.md).
module weft_wisdom
  use, intrinsic :: iso_c_binding
  use weft_c, only: c_wisdom_export, c_wisdom_forget, c_wisdom_import
  use weft_errors, only: settle
  use weft_text, only: taken
  implicit none
  private
  public :: weft_wisdom_import, weft_wisdom_export, weft_wisdom_forget

contains

  !> Adds the entries of a text to the wisdom of this process. entries: the number of new or better
  !> entries; skipped: the skipped lines, with the reasons.
  subroutine weft_wisdom_import(text, entries, skipped, stat, errmsg)
    character(*), intent(in) :: text
    integer, optional, intent(out) :: entries
    character(:), allocatable, optional, intent(out) :: skipped
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    character(:), allocatable :: reasons
    type(c_ptr) :: lines
    integer(c_int) :: code, count
    lines = c_null_ptr
    count = 0
    code = c_wisdom_import(text//c_null_char, count, lines)
    if (present(entries)) entries = count
    reasons = taken(lines)
    if (present(skipped)) call move_alloc(reasons, skipped)
    call settle(code, stat, errmsg)
  end subroutine

  !> All wisdom of this process, files included.
  function weft_wisdom_export(stat, errmsg) result(text)
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    character(:), allocatable :: text
    type(c_ptr) :: address
    integer(c_int) :: code
    address = c_null_ptr
    code = c_wisdom_export(address)
    text = taken(address)
    call settle(code, stat, errmsg)
  end function

  !> Removes the entries whose problem and site fit the patterns, in which * stands for any text,
  !> from this process and the user's file.
  subroutine weft_wisdom_forget(problem, site, entries, stat, errmsg)
    character(*), intent(in) :: problem, site
    integer, optional, intent(out) :: entries
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(c_int) :: code, count
    count = 0
    code = c_wisdom_forget(problem//c_null_char, site//c_null_char, count)
    if (present(entries)) entries = count
    call settle(code, stat, errmsg)
  end subroutine
end module weft_wisdom
