! Wisdom is brought in as text and given out.
module wisdom_module
  use mpi_f08, only: MPI_COMM_WORLD
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
    call found_again_by('measure')
    call found_again_by('patient')
    call found_again_by('exhaustive')
  end subroutine

  !> What an effort has found is known to tuning=frozen.
  subroutine found_again_by(effort)
    character(*), intent(in) :: effort
    character(*), parameter :: asked = 'c2c:f64:8x6x4; decomposition=slab; engine=reference; '// &
      'via=alltoallv; pack=sender; tuning='
    type(weft_plan) :: planned, frozen
    integer :: entries, stat
    call weft_wisdom_forget('*', '*', entries)
    call frozen%create(asked//'frozen', MPI_COMM_WORLD, stat)
    call expect(stat == weft_not_available, 'nothing is known before '//effort)
    call planned%create(asked//effort, MPI_COMM_WORLD)
    call frozen%create(asked//'frozen', MPI_COMM_WORLD, stat)
    call expect(stat == weft_success, 'tuning=frozen finds what was found by '//effort)
    if (stat == weft_success) then
      call expect(frozen%text() == planned%text(), 'the same plan is found again, by '//effort)
    end if
    call weft_wisdom_forget('*', '*', entries)
  end subroutine
end module wisdom_module
