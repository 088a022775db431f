! Errors: codes and texts, on all ranks of a collective call or on this one.
module errors_module
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: real32, real64
  use mpi_f08
  use weft
  use expect_module
  implicit none
  private
  public :: errors_are_told

contains

  subroutine errors_are_told()
    call problems_are_checked()
    call handles_are_checked()
    call arrays_are_checked()
    call calls_are_checked()
    call texts_are_given()
  end subroutine

  !> What one rank says wrong is an error on all.
  subroutine problems_are_checked()
    type(weft_plan) :: plan
    type(weft_problem) :: problem
    type(weft_layout) :: layout
    type(weft_box) :: boxes(1)
    character(300) :: errmsg
    integer :: stat
    call refused(weft_problem([8, 6], axes=[merge(3, 2, is_last())]), &
                 'axes has axis 3, but the array has axes 1 to 2')
    call refused(weft_problem([8, 6], in=weft_slab(0)), 'a layout has axis 0')
    call refused(weft_problem([8, 6], in=weft_pencil(1, 2, parts=[1])), &
                 'cuts 2 axes, but has parts of 1')
    call refused(weft_problem([8, 6], in=weft_slab(1, padding=[1])), &
                 'padding of 1 axes, but the array has 2')
    call refused(weft_problem([8, 6], kind=9, precision=7), 'kind 9 is none of')
    call refused(weft_problem([8, 6], kind=9, precision=7), 'precision 7 is neither')
    call refused(problem, 'has no shape')
    if (ranks > 1) call refused(weft_problem([8, 6 + merge(1, 0, is_last())]), '7x8')
    call plan%create('c2c:f64:8x', MPI_COMM_WORLD, stat, errmsg)
    call expect_error(stat, errmsg, weft_bad_request, '')
    call plan%create(weft_problem([8, 6]), MPI_COMM_WORLD, 'via=pigeon', stat, errmsg)
    call expect_error(stat, errmsg, weft_bad_request, 'pigeon')
    boxes(1) = weft_box([1, 1], [8, 6])
    if (is_last()) boxes(1)%upper = boxes(1)%upper(:1)
    call layout%set_boxes(boxes, MPI_COMM_WORLD, stat=stat, errmsg=errmsg)
    call expect_error(stat, errmsg, weft_bad_request, 'not as many lower and upper bounds')
    if (ranks == 1) return
    boxes(1) = weft_box([1, 1], [8, 6])
    call layout%set_boxes(boxes, MPI_COMM_WORLD%mpi_val)
    call refused(weft_problem([8, 6], in=layout), 'overlap')
  contains
    subroutine refused(problem, word)
      type(weft_problem), intent(in) :: problem
      character(*), intent(in) :: word
      call plan%create(problem, MPI_COMM_WORLD, stat=stat, errmsg=errmsg)
      call expect_error(stat, errmsg, weft_bad_request, word)
    end subroutine
  end subroutine

  subroutine handles_are_checked()
    type(weft_plan) :: plan
    type(weft_transform) :: fft
    type(weft_box) :: box
    complex(real64), pointer :: u(:, :) => null(), u_hat(:, :) => null()
    character(200) :: errmsg
    character(:), allocatable :: text
    integer :: stat, number
    call fft%forward(stat=stat, errmsg=errmsg)
    call expect_error(stat, errmsg, weft_bad_request, 'was never bound, or has been freed')
    call expect(.not. fft%test(stat, errmsg), 'nothing is complete')
    call expect_error(stat, errmsg, weft_bad_request, 'was never bound')
    call plan%create(weft_problem([8, 6], in=weft_slab(2)), MPI_COMM_WORLD)
    call weft_allocate(plan, u, u_hat)
    box = plan%box(weft_in, 2, stat=stat, errmsg=errmsg)
    call expect_error(stat, errmsg, weft_bad_request, 'which owns')
    number = int(plan%size(weft_in, ranks, stat, errmsg))
    call expect_error(stat, errmsg, weft_bad_request, 'rank')
    number = plan%box_count(5, stat=stat, errmsg=errmsg)
    call expect_error(stat, errmsg, weft_bad_request, 'end 5')
    call plan%free()
    call plan%free()
    call fft%bind(plan, u, u_hat, stat=stat, errmsg=errmsg)
    call expect_error(stat, errmsg, weft_bad_request, 'was never created, or has been freed')
    text = plan%text(stat, errmsg)
    call expect_error(stat, errmsg, weft_bad_request, 'has been freed')
    call weft_deallocate(u, u_hat)
    call weft_allocate(plan, u, u_hat, stat, errmsg)
    call expect_error(stat, errmsg, weft_bad_request, 'has been freed')
    call expect(.not. associated(u), 'nothing is allocated')
  end subroutine

  !> Binding fails on all ranks if an array of one does not fit.
  subroutine arrays_are_checked()
    type(weft_plan) :: plan
    type(weft_transform) :: fft
    complex(real64), pointer :: u(:, :, :) => null(), u_hat(:, :, :) => null()
    complex(real32), pointer :: single(:, :, :) => null(), single_hat(:, :, :) => null()
    complex(real64), target :: flat(8*6*4), few(3), cube(8, 4, 6), wide(16, 6, 4)
    real(real64), target :: reals(2*8*6*4)
    character(200) :: errmsg
    integer :: stat
    call plan%create(weft_problem([8, 6, 4], in=weft_single(), out=weft_single()), MPI_COMM_WORLD)
    call weft_allocate(plan, single, single_hat, stat, errmsg)
    call expect_error(stat, errmsg, weft_bad_request, 'not of the type')
    call plan%create('c2c:f64:4x6x8 in=single out=single', MPI_COMM_WORLD)
    call weft_allocate(plan, u, u_hat)
    call bind(reals, 'the input array is of real(real64), the plan needs complex(real64)')
    if (my_rank == 0) then
      call fft%bind(plan, few, u_hat, stat=stat, errmsg=errmsg)
    else
      call fft%bind(plan, u, u_hat, stat=stat, errmsg=errmsg)
    end if
    call expect_error(stat, errmsg, weft_bad_request, &
                      'the input array has 3 elements, the plan needs 192')
    if (my_rank == 0) then
      call fft%bind(plan, cube, u_hat, stat=stat, errmsg=errmsg)
    else
      call fft%bind(plan, u, u_hat, stat=stat, errmsg=errmsg)
    end if
    call expect_error(stat, errmsg, weft_bad_request, &
                      'the input array has shape (8, 4, 6), the plan needs (8, 6, 4)')
    call fft%bind(plan, wide(::2, :, :), u_hat, stat=stat, errmsg=errmsg)
    call expect_error(stat, errmsg, weft_bad_request, 'the input array is not contiguous')
    call fft%bind(plan, u, stat=stat, errmsg=errmsg)
    call expect_error(stat, errmsg, weft_bad_request, "'out' is missing")
    call fft%bind(plan, [c_loc(u), c_loc(u)], u_hat, stat=stat, errmsg=errmsg)
    call expect_error(stat, errmsg, weft_bad_request, 'output array is of 1 fields, but 2 are')
    call fft%bind(plan, u, u_hat, workspace=few, stat=stat, errmsg=errmsg)
    if (plan%workspace_bytes(0) > 48) call expect_error(stat, errmsg, weft_bad_request, 'workspace')
    call fft%bind(plan, flat, u_hat, stat=stat)
    call expect(stat == weft_success, 'an array of rank one is taken')
    call fft%free()
    call weft_deallocate(u, u_hat)
  contains
    !> The last rank gives an array that is wrong.
    subroutine bind(array, word)
      type(*), target :: array(..)
      character(*), intent(in) :: word
      if (is_last()) then
        call fft%bind(plan, array, u_hat, stat=stat, errmsg=errmsg)
      else
        call fft%bind(plan, u, u_hat, stat=stat, errmsg=errmsg)
      end if
      call expect_error(stat, errmsg, weft_bad_request, word)
    end subroutine
  end subroutine

  !> Calls that are given arrays fail on this rank alone, before anything has started.
  subroutine calls_are_checked()
    type(weft_plan) :: plan
    type(weft_transform) :: fft
    complex(real64), pointer :: u(:, :) => null(), u_hat(:, :) => null()
    complex(real32), target :: single(8, 6)
    character(200) :: errmsg
    integer :: stat
    call plan%create(weft_problem([8, 6], in=weft_slab(2)), MPI_COMM_WORLD)
    call weft_allocate(plan, u, u_hat)
    call fft%bind_any(plan)
    if (is_last()) then
      call fft%forward(single, u_hat, stat=stat, errmsg=errmsg)
      call expect_error(stat, errmsg, weft_bad_request, 'the input array is of complex(real32)')
      call fft%start_backward(out=u_hat, stat=stat, errmsg=errmsg)
      call expect_error(stat, errmsg, weft_bad_request, "without 'in'")
      call fft%forward(stat=stat, errmsg=errmsg)
      call expect_error(stat, errmsg, weft_bad_request, 'bound to no arrays')
      call fft%forward([c_loc(u), c_loc(u)], [c_loc(u_hat), c_loc(u_hat)], stat=stat, errmsg=errmsg)
      call expect_error(stat, errmsg, weft_bad_request, 'of 2 fields, but 1 are expected')
    end if
    call fft%set_stream(c_null_ptr, stat, errmsg)
    call expect_error(stat, errmsg, weft_bad_request, 'computed on the host')
    call fft%forward(u, u_hat)
    call fft%bind_any(plan, fields=0, stat=stat, errmsg=errmsg)
    call expect_error(stat, errmsg, weft_bad_request, 'fields is 0')
    call weft_deallocate(u, u_hat)
  end subroutine

  subroutine texts_are_given()
    type(weft_plan) :: plan
    character(5) :: errmsg
    character(:), allocatable :: text
    integer :: stat
    errmsg = 'as it'
    call plan%create('c2c:f64:8x8', MPI_COMM_WORLD, stat, errmsg)
    call expect(stat == weft_success .and. errmsg == 'as it', 'a success leaves errmsg alone')
    call plan%create('nonsense', MPI_COMM_WORLD, stat, errmsg)
    text = weft_last_error()
    call expect(stat == weft_bad_request, 'nonsense is refused')
    call expect(errmsg == text(:5), 'a short errmsg has the beginning')
    call expect(index(text, 'nonsense') > 0, 'weft_last_error has all of it')
    call expect(weft_version() /= '', 'there is a version')
  end subroutine

  logical function is_last()
    is_last = my_rank == ranks - 1
  end function
end module errors_module
