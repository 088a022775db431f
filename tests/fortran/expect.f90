! What the Fortran tests expect, on every rank.
module expect_module
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  private
  public :: expect, expect_error, failures, my_rank, ranks

  integer :: failures = 0, my_rank = 0, ranks = 1

contains

  subroutine expect(right, what)
    logical, intent(in) :: right
    character(*), intent(in) :: what
    if (right) return
    failures = failures + 1
    write (error_unit, '(a, i0, 2a)') 'rank ', my_rank, ': not so: ', what
  end subroutine

  !> A code and, in the text of the error, a word.
  subroutine expect_error(stat, errmsg, code, word)
    integer, intent(in) :: stat, code
    character(*), intent(in) :: errmsg, word
    if (stat == code .and. index(errmsg, word) > 0) return
    failures = failures + 1
    write (error_unit, '(a, i0, a, i0, a, i0, 4a)') &
      'rank ', my_rank, ': code ', stat, ', expected ', code, &
      "; '", word, "' is to be in: ", trim(errmsg)
  end subroutine
end module expect_module
