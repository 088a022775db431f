! Handles: plans in the library's hands, made and freed.
module weft_handles
  use, intrinsic :: iso_c_binding
  use mpi_f08, only: MPI_Comm
  use weft_c, only: c_plan_for_ranks, c_plan_free, c_plan_from_text, c_plan_rank
  use weft_errors, only: agreed, refused, settle, weft_success
  use weft_problems, only: weft_problem
  implicit none
  private
  public :: plan_handle, find_handle

  !> What weft_plan does besides answering questions.
  type :: plan_handle
    private
    type(c_ptr) :: handle = c_null_ptr
    logical :: has_comm = .false. !< plans without MPI have none
  contains
    !> create(problem, comm [, choice, stat, errmsg]) or create(text, comm [, stat, errmsg]); comm
    !> is a type(MPI_Comm) or an integer.
    generic :: create => create_f08, create_integer, create_text_f08, create_text_integer
    !> for_ranks(problem, ranks [, choice, stat, errmsg]) or for_ranks(text, ranks [, stat,
    !> errmsg]): a plan without MPI, to inspect.
    generic :: for_ranks => for_ranks_problem, for_ranks_text
    procedure :: free => plan_free
    final :: finish_plan
    generic :: assignment(=) => copy_plan
    procedure, private :: create_f08, create_integer, create_text_f08, create_text_integer
    procedure, private :: for_ranks_problem, for_ranks_text, copy_plan
  end type

contains

  subroutine create_f08(plan, problem, comm, choice, stat, errmsg)
    class(plan_handle), intent(inout) :: plan
    type(weft_problem), intent(in) :: problem
    type(MPI_Comm), intent(in) :: comm
    character(*), optional, intent(in) :: choice
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    call create_integer(plan, problem, comm%mpi_val, choice, stat, errmsg)
  end subroutine

  subroutine create_text_f08(plan, text, comm, stat, errmsg)
    class(plan_handle), intent(inout) :: plan
    character(*), intent(in) :: text
    type(MPI_Comm), intent(in) :: comm
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    call create_text_integer(plan, text, comm%mpi_val, stat, errmsg)
  end subroutine

  subroutine create_integer(plan, problem, comm, choice, stat, errmsg)
    class(plan_handle), intent(inout) :: plan
    type(weft_problem), intent(in) :: problem
    integer, intent(in) :: comm
    character(*), optional, intent(in) :: choice
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(c_int) :: code
    call plan%free()
    code = agreed(problem%objection(), comm)
    if (code == weft_success) then
      call create_text_integer(plan, with_choice(problem, choice), comm, stat, errmsg)
    else
      call settle(code, stat, errmsg)
    end if
  end subroutine

  subroutine create_text_integer(plan, text, comm, stat, errmsg)
    class(plan_handle), intent(inout) :: plan
    character(*), intent(in) :: text
    integer, intent(in) :: comm
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    call plan%free()
    plan%has_comm = .true.
    call settle(c_plan_from_text(trim(text)//c_null_char, comm, plan%handle), stat, errmsg)
  end subroutine

  subroutine for_ranks_problem(plan, problem, ranks, choice, stat, errmsg)
    class(plan_handle), intent(inout) :: plan
    type(weft_problem), intent(in) :: problem
    integer, intent(in) :: ranks
    character(*), optional, intent(in) :: choice
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(c_int) :: code
    code = refused(problem%objection())
    if (code == weft_success) then
      call for_ranks_text(plan, with_choice(problem, choice), ranks, stat, errmsg)
    else
      call settle(code, stat, errmsg)
    end if
  end subroutine

  subroutine for_ranks_text(plan, text, ranks, stat, errmsg)
    class(plan_handle), intent(inout) :: plan
    character(*), intent(in) :: text
    integer, intent(in) :: ranks
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    call plan%free()
    plan%has_comm = .false.
    call settle(c_plan_for_ranks(trim(text)//c_null_char, ranks, plan%handle), stat, errmsg)
  end subroutine

  function with_choice(problem, choice) result(text)
    type(weft_problem), intent(in) :: problem
    character(*), optional, intent(in) :: choice
    character(:), allocatable :: text
    text = problem%text()
    if (present(choice)) text = text//'; '//trim(choice)
  end function

  !> Frees the plan; its transforms stay valid. A plan that goes out of scope is freed
  !> automatically.
  impure elemental subroutine plan_free(plan)
    class(plan_handle), intent(inout) :: plan
    call c_plan_free(plan%handle)
  end subroutine

  impure elemental subroutine finish_plan(plan)
    type(plan_handle), intent(inout) :: plan
    call plan%free()
  end subroutine

  !> Two variables would free one plan.
  subroutine copy_plan(to, from)
    class(plan_handle), intent(inout) :: to
    class(plan_handle), intent(in) :: from
    call settle(refused('a weft_plan cannot be assigned; create another one of its text()'))
    if (.false.) to%has_comm = from%has_comm
  end subroutine

  !> The handle for C, and a rank, this process's if none is given; or the error that there is no
  !> plan, or that one to be bound has no communicator.
  subroutine find_handle(plan, handle, rank, code, given, bound)
    class(plan_handle), intent(in) :: plan
    type(c_ptr), intent(out) :: handle
    integer(c_int), intent(out) :: rank, code
    integer, optional, intent(in) :: given
    logical, optional, intent(in) :: bound
    handle = plan%handle
    rank = 0
    code = weft_success
    if (.not. c_associated(plan%handle)) then
      code = refused('the weft_plan was never created, or has been freed')
    else if (present(bound) .and. .not. plan%has_comm) then
      code = refused('the weft_plan was made without a communicator, so it cannot be bound')
    else if (present(given)) then
      rank = given
    else
      code = c_plan_rank(plan%handle, rank)
    end if
  end subroutine
end module weft_handles
