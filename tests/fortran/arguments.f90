! The ways to hand arrays over: the program's own, at each call, several fields, structures.
module arguments_module
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use mpi_f08
  use weft
  use expect_module
  use waves_module
  implicit none
  private
  public :: arrays_are_handed_over

  type :: particle
    real(real64) :: mass
    integer :: number(3)
  end type

contains

  subroutine arrays_are_handed_over()
    call own_arrays()
    call arrays_at_each_call()
    call fields_and_workspace()
    call structures_are_moved()
    call one_array_in_place()
    call communicator_is_freed_first()
  end subroutine

  !> Arrays of the program's own, by the bounds of the plan.
  subroutine own_arrays()
    type(weft_plan) :: plan
    type(weft_transform) :: fft
    complex(real64), allocatable, target :: u(:, :, :), u_hat(:, :, :)
    complex(real64), pointer :: spectrum(:, :, :)
    integer(weft_index), allocatable :: l(:), u_(:)
    call plan%create(weft_problem(int(n, weft_index), out=weft_slab(1)), MPI_COMM_WORLD%mpi_val)
    call plan%bounds(weft_in, l, u_)
    allocate (u(l(1):u_(1), l(2):u_(2), l(3):u_(3)), source=(1.0_real64, 0.0_real64))
    call plan%bounds(weft_out, l, u_)
    allocate (u_hat(l(1):u_(1), l(2):u_(2), l(3):u_(3)))
    call fft%bind(plan, u, u_hat)
    call fft%forward()
    spectrum => u_hat
    if (size(u_hat) > 0 .and. l(1) == 1) then
      call expect(abs(spectrum(1, 1, 1) - product(n)) < 1e-10, 'the mean, in arrays of our own')
    end if
    call fft%free()
  end subroutine

  subroutine arrays_at_each_call()
    type(weft_plan) :: plan
    type(weft_transform) :: fft, other
    complex(real64), pointer :: u(:, :, :) => null(), u_hat(:, :, :) => null()
    integer :: turns
    call plan%create(weft_problem(n, in=weft_slab(3), out=weft_slab(2), scale='none/n'), &
                     MPI_COMM_WORLD, choice='via=ialltoallv')
    call expect(index(plan%text(), 'via=ialltoallv') > 0, 'the choice is in the text')
    call weft_allocate(plan, u, u_hat)
    call fft%bind_any(plan)
    call set_wave(u)
    call fft%forward(u, u_hat)
    call expect_peak(u_hat, [1, 2, 3], 'a peak in arrays of a call')
    call fft%start_backward(u, u_hat)
    turns = 0
    do while (.not. fft%test())
      turns = turns + 1
    end do
    call other%bind(plan, u, u_hat)
    u_hat = 0
    call other%start_forward()
    call other%wait()
    call expect_peak(u_hat, [1, 2, 3], 'a peak of what came back')
    call expect(index(other%text(), 'via=ialltoallv') > 0, 'the text of the plan that runs')
    call weft_deallocate(u, u_hat)
  end subroutine

  subroutine fields_and_workspace()
    type(weft_plan) :: plan
    type(weft_transform) :: fft
    complex(real64), pointer :: u(:), v(:), u_hat(:), v_hat(:)
    integer(int64), allocatable, target :: workspace(:)
    nullify (u, v, u_hat, v_hat)
    call plan%create(weft_problem(n, in=weft_single(), out=weft_single()), MPI_COMM_WORLD, &
                     choice='via=alltoallv')
    call weft_allocate(plan, u, u_hat)
    call weft_allocate(plan, v, v_hat)
    u = 1
    v = 2
    allocate (workspace(plan%workspace_bytes()/8 + 8))
    call fft%bind(plan, [c_loc(u), c_loc(v)], [c_loc(u_hat), c_loc(v_hat)], &
                  workspace=workspace(aligned(workspace):))
    call fft%forward()
    if (my_rank == 0) then
      call expect(abs(u_hat(1) - product(n)) < 1e-10, 'the mean of the first field')
      call expect(abs(v_hat(1) - 2*product(n)) < 1e-10, 'the mean of the second field')
    end if
    call weft_deallocate(u, u_hat)
    call weft_deallocate(v, v_hat)
  contains
    !> The first element at a multiple of 64 bytes.
    integer function aligned(words)
      integer(int64), target, intent(in) :: words(:)
      aligned = 1 + int(modulo(-transfer(c_loc(words), 1_int64), 64_int64)/8)
    end function
  end subroutine

  subroutine structures_are_moved()
    type(weft_plan) :: plan
    type(weft_transform) :: redistribution
    type(particle), allocatable, target :: in(:, :), out(:, :)
    integer(weft_index), allocatable :: l(:), u(:)
    integer :: i, j
    call plan%create(weft_problem([6, 7], kind=weft_redistribute, in=weft_slab(2), &
                                  out=weft_slab(1), element_bytes=storage_size(particle(0, 0))/8), &
                     MPI_COMM_WORLD)
    call plan%bounds(weft_in, l, u)
    allocate (in(l(1):u(1), l(2):u(2)))
    do j = lbound(in, 2), ubound(in, 2)
      in(:, j) = [(particle(0.5, [i, j, i*j]), i=lbound(in, 1), ubound(in, 1))]
    end do
    call plan%bounds(weft_out, l, u)
    allocate (out(l(1):u(1), l(2):u(2)))
    call redistribution%bind(plan, in, out)
    call redistribution%forward()
    do j = lbound(out, 2), ubound(out, 2)
      do i = lbound(out, 1), ubound(out, 1)
        call expect(all(out(i, j)%number == [i, j, i*j]), 'structures where they belong')
      end do
    end do
    call redistribution%free()
  end subroutine

  !> Bound once, and given to calls.
  subroutine one_array_in_place()
    type(weft_plan) :: plan
    type(weft_transform) :: bound, given
    complex(real64), pointer :: u(:, :, :) => null(), u_hat(:, :, :) => null()
    call plan%create(weft_problem(n, in=weft_slab(3), out=weft_slab(3), in_place=.true., &
                                  scale='none/n'), MPI_COMM_WORLD)
    call weft_allocate(plan, u, u_hat)
    call set_wave(u)
    call bound%bind(plan, u)
    call bound%forward()
    call expect_peak(u, [1, 2, 3], 'a peak in one array')
    call given%bind_any(plan)
    call given%backward(u)
    call given%forward(u, u_hat)
    call expect_peak(u_hat, [1, 2, 3], 'a peak in one array, given to the call')
    call expect(plan%region_bytes() >= 0, 'bytes of regions are told')
    call weft_deallocate(u, u_hat)
  end subroutine

  !> The program frees its communicator between planning and binding.
  subroutine communicator_is_freed_first()
    type(MPI_Comm) :: copy
    type(weft_plan) :: plan
    type(weft_transform) :: fft
    complex(real64), pointer :: u(:, :, :) => null(), u_hat(:, :, :) => null()
    call MPI_Comm_dup(MPI_COMM_WORLD, copy)
    call plan%create(weft_problem(n, in=weft_slab(3), out=weft_slab(3)), copy)
    call MPI_Comm_free(copy)
    call weft_allocate(plan, u, u_hat)
    call fft%bind(plan, u, u_hat)
    call set_wave(u)
    call fft%forward()
    call expect_peak(u_hat, [1, 2, 3], 'a peak, where the communicator is freed')
    call fft%free()
    call weft_deallocate(u, u_hat)
  end subroutine
end module arguments_module
