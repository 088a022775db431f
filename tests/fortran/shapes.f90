! Arrays as Fortran has them: global bounds, any order of axes, other ways to hand them over.
module shapes_module
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use mpi_f08
  use weft
  use expect_module
  implicit none
  private
  public :: arrays_have_shapes

  integer, parameter :: n(3) = [6, 5, 8]

  type :: particle
    real(real64) :: mass
    integer :: number(3)
  end type

contains

  subroutine arrays_have_shapes()
    call bounds_are_global()
    call free_output_has_an_order()
    call padded_lines()
    call batches_of_rank_four()
    call own_arrays()
    call arrays_at_each_call()
    call fields_and_workspace()
    call structures_are_moved()
    call plans_without_mpi()
    call in_place_at_one_end()
  end subroutine

  !> exp(i (x + 2 y + 3 z)) in wave numbers 1, 2 and 3 of the axes.
  elemental complex(real64) function wave(i, j, k)
    integer, intent(in) :: i, j, k
    real(real64), parameter :: two_pi = 8*atan(1.0_real64)
    wave = exp(cmplx(0, two_pi*((i - 1.0_real64)/n(1) + 2*(j - 1.0_real64)/n(2) + &
                                3*(k - 1.0_real64)/n(3)), real64))
  end function

  subroutine set_wave(u)
    complex(real64), pointer, intent(in) :: u(:, :, :)
    integer :: i, j, k
    do k = lbound(u, 3), ubound(u, 3)
      do j = lbound(u, 2), ubound(u, 2)
        u(:, j, k) = [(wave(i, j, k), i=lbound(u, 1), ubound(u, 1))]
      end do
    end do
  end subroutine

  !> The spectrum of `wave`, in an array whose dimensions lie along these axes.
  subroutine expect_peak(u_hat, order, what)
    complex(real64), pointer, intent(in) :: u_hat(:, :, :)
    integer, intent(in) :: order(3)
    character(*), intent(in) :: what
    integer, parameter :: peak(3) = [2, 3, 4]
    complex(real64) :: expected
    integer :: i, j, k, element(3)
    do k = lbound(u_hat, 3), ubound(u_hat, 3)
      do j = lbound(u_hat, 2), ubound(u_hat, 2)
        do i = lbound(u_hat, 1), ubound(u_hat, 1)
          element(order) = [i, j, k]
          expected = merge(product(n), 0, all(element == peak))
          call expect(abs(u_hat(i, j, k) - expected) < 1e-10, what)
        end do
      end do
    end do
  end subroutine

  subroutine bounds_are_global()
    type(weft_plan) :: plan
    type(weft_transform) :: fft
    type(weft_box) :: box
    complex(real64), pointer :: u(:, :, :) => null(), u_hat(:, :, :) => null()
    integer(weft_index), allocatable :: lower(:), upper(:)
    integer :: total
    call plan%create(weft_problem(n, in=weft_slab(3), out=weft_slab(2)), MPI_COMM_WORLD)
    call weft_allocate(plan, u, u_hat)
    call expect(all(plan%order(weft_in) == [1, 2, 3]), 'the order of the input')
    call expect(all(plan%shape(weft_out) == n), 'the shape of the output')
    total = size(u)
    call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call expect(total == product(n), 'parts cover the array')
    call plan%bounds(weft_in, lower, upper)
    call expect(all(lbound(u) == lower) .and. all(ubound(u) == upper), 'bounds of the input')
    call expect(lower(3) == n(3)*my_rank/ranks + 1 .and. upper(3) == n(3)*(my_rank + 1)/ranks, &
                'slabs of axis 3')
    box = plan%box(weft_out)
    call expect(all(lbound(u_hat) == box%lower) .and. all(ubound(u_hat) == box%upper), &
                'bounds of the output')
    call set_wave(u)
    call fft%bind(plan, u, u_hat)
    call plan%free() ! transforms live on
    call fft%forward()
    call expect_peak(u_hat, [1, 2, 3], 'a peak in slabs')
    call weft_deallocate(u, u_hat)
  end subroutine

  subroutine free_output_has_an_order()
    type(weft_plan) :: plan
    type(weft_transform) :: fft
    complex(real64), pointer :: u(:, :, :) => null(), u_hat(:, :, :) => null()
    call plan%create(weft_problem(n, in=weft_pencil(2, 3, order=[3, 1, 2])), MPI_COMM_WORLD)
    call weft_allocate(plan, u, u_hat)
    call expect(all(plan%order(weft_in) == [3, 1, 2]), 'the order 3, 1, 2')
    call set_ordered(u)
    call fft%bind(plan, u, u_hat)
    call fft%forward()
    call expect_peak(u_hat, plan%order(weft_out), 'a peak where it falls')
    call weft_deallocate(u, u_hat)
  contains
    subroutine set_ordered(u)
      complex(real64), pointer, intent(in) :: u(:, :, :)
      integer :: i, j, k
      do k = lbound(u, 1), ubound(u, 1)
        do j = lbound(u, 3), ubound(u, 3)
          u(k, :, j) = [(wave(i, j, k), i=lbound(u, 2), ubound(u, 2))]
        end do
      end do
    end subroutine
  end subroutine

  !> What is left out behind a line is there in the array, and is not touched.
  subroutine padded_lines()
    type(weft_plan) :: plan
    type(weft_transform) :: fft
    complex(real64), pointer :: u(:, :, :) => null(), u_hat(:, :, :) => null()
    call plan%create(weft_problem(n, in=weft_slab(3, padding=[2, 1, 0]), out=weft_slab(2), &
                                  scale='none/n'), MPI_COMM_WORLD)
    call weft_allocate(plan, u, u_hat)
    call expect(size(u) == 0 .or. (ubound(u, 1) == n(1) + 2 .and. ubound(u, 2) == n(2) + 1), &
                'padding is part of the array')
    call set_wave(u)
    u(n(1) + 1:, :, :) = -5
    call fft%bind(plan, u, u_hat)
    call fft%forward()
    call expect_peak(u_hat, [1, 2, 3], 'a peak of padded lines')
    call fft%backward()
    call expect(all(abs(u(n(1) + 1:, :, :) + 5) < 1e-15), 'padding stays as it was')
    call weft_deallocate(u, u_hat)
  end subroutine

  subroutine batches_of_rank_four()
    type(weft_plan) :: plan
    type(weft_transform) :: fft
    real(real32), pointer :: u(:, :, :, :) => null()
    complex(real32), pointer :: u_hat(:, :, :, :) => null()
    integer :: b
    call plan%create(weft_problem(n, kind=weft_r2c, precision=weft_f32, batch=2, in=weft_slab(3), &
                                  out=weft_slab(2)), MPI_COMM_WORLD)
    call expect(all(plan%shape(weft_out) == [4, 5, 8, 2]), 'half a spectrum of two fields')
    call weft_allocate(plan, u, u_hat)
    do b = 1, 2
      u(:, :, :, b) = b
    end do
    call fft%bind(plan, u, u_hat)
    call fft%forward()
    if (lbound(u_hat, 2) == 1 .and. size(u_hat) > 0) then
      call expect(all(abs(u_hat(1, 1, 1, :) - [1, 2]*product(n)) < 0.01), 'means of two fields')
    end if
    call weft_deallocate(u, u_hat)
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
    type(weft_transform) :: move
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
    call move%bind(plan, in, out)
    call move%forward()
    do j = lbound(out, 2), ubound(out, 2)
      do i = lbound(out, 1), ubound(out, 1)
        call expect(all(out(i, j)%number == [i, j, i*j]), 'structures where they belong')
      end do
    end do
    call move%free()
  end subroutine

  subroutine plans_without_mpi()
    type(weft_plan) :: plan
    type(weft_transform) :: fft
    type(weft_box) :: box
    character(100) :: errmsg
    integer :: stat
    call plan%for_ranks(weft_problem([8, 6, 4], in=weft_pencil(2, 3, parts=[2, 4])), 8)
    call expect(plan%ranks() == 8, 'eight ranks')
    call expect(index(plan%text(), 'c2c:f64:4x6x8 in=pencil(0:4,1:2)') == 1, plan%text())
    box = plan%box(weft_in, rank=3)
    call expect(all(box%lower == [1, 4, 2]) .and. all(box%upper == [8, 6, 2]), 'the box of rank 3')
    if (my_rank == 0) then
      call fft%bind_any(plan, stat=stat, errmsg=errmsg)
      call expect_error(stat, errmsg, weft_bad_request, 'without a communicator')
    end if
    call plan%for_ranks('r2c:f32:4x6*2 axes=1,0 in=slab(0)@b10; ranks=2', 0)
    call expect(all(plan%order(weft_in) == [2, 1, 3]), 'an order of a text')
    call expect(all(plan%shape(weft_out) == [6, 3, 2]), 'axis 2 is halved')
  end subroutine

  !> One rank owns something at one end only.
  subroutine in_place_at_one_end()
    type(weft_plan) :: plan
    type(weft_transform) :: fft
    complex(real64), pointer :: u(:, :, :) => null(), u_hat(:, :, :) => null()
    call plan%create(weft_problem(n, in=weft_single(), out=weft_slab(2), in_place=.true.), &
                     MPI_COMM_WORLD)
    call weft_allocate(plan, u, u_hat)
    call set_wave(u)
    call fft%bind(plan, u, u_hat)
    call fft%forward()
    call expect_peak(u_hat, [1, 2, 3], 'a peak in place')
    call weft_deallocate(u, u_hat)
  end subroutine
end module shapes_module
