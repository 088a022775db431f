! Wisdom is brought in as text and given out.
module wisdom_module
  use weft
  use expect_module
  implicit none
  private
  public :: wisdom_comes_and_goes

contains

  subroutine wisdom_comes_and_goes()
    character(:), allocatable :: skipped
    integer :: entries, stat
    call weft_wisdom_import('nonsense', entries, skipped)
    call expect(entries == 0 .and. skipped /= '', 'nonsense is passed over')
    call expect(weft_wisdom_export() == '', 'nothing is known')
    call weft_wisdom_forget('*', '*', entries, stat)
    call expect(stat == weft_success .and. entries == 0, 'nothing is forgotten')
  end subroutine
end module wisdom_module
