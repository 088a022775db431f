! Arrays as Fortran has them: global bounds, any order of axes, padding, batches.
module shapes_module
  use, intrinsic :: iso_fortran_env, only: real32, real64
  use mpi_f08
  use weft
  use expect_module
  use waves_module
  implicit none
  private
  public :: arrays_have_shapes

contains

  subroutine arrays_have_shapes()
    call bounds_are_global()
    call free_output_has_an_order()
    call padded_lines()
    call batches_of_rank_four()
    call plans_without_mpi()
    call in_place_at_one_end()
    call empty_parts_keep_other_axes()
    call empty_parts_are_arrays()
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

  subroutine plans_without_mpi()
    type(weft_plan) :: plan
    type(weft_transform) :: fft
    type(weft_box) :: box
    character(100) :: errmsg
    integer :: stat
    call plan%for_ranks(weft_problem([8, 6, 4], out=weft_sphere(2.5_real64)), 2)
    call expect(index(plan%text(), ' out=sphere(2.5);') > 0, plan%text())
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
    call expect(all(plan%shape(weft_out) == [6, 3, 2]), 'axis 2 is the r2c axis')
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

  !> Of more ranks than planes: bounds and boxes of every rank follow one another.
  subroutine empty_parts_keep_other_axes()
    type(weft_problem) :: problem
    type(weft_plan) :: plan
    type(weft_box) :: box
    integer(weft_index), allocatable :: lower(:), upper(:)
    integer(weft_index) :: next
    integer :: count, rank, r
    character(8), parameter :: rules(2) = ['balanced', 'block   ']
    problem = weft_problem([4, 9, 3], in=weft_slab(3, padding=[2, 0, 0]), out=weft_slab(2))
    do r = 1, 2
      problem%cut = trim(rules(r)) ! beside `cut=`, gfortran 12 leaks what trim() allocates
      do count = 1, 13
        call plan%for_ranks(problem, count)
        next = 1
        do rank = 0, count - 1
          call plan%bounds(weft_in, lower, upper, rank)
          call expect(all(lower == [1_weft_index, 1_weft_index, next]), 'where a part begins')
          call expect(all(upper(:2) == [6, 9]) .and. upper(3) >= next - 1, 'where a part ends')
          box = plan%box(weft_in, rank=rank)
          call expect(all(box%lower == lower) .and. box%upper(3) == upper(3), 'a box of a part')
          call expect(plan%box_count(weft_in, rank) == merge(1, 0, upper(3) >= next), 'its count')
          next = upper(3) + 1
        end do
        call expect(next == 4, 'all planes have owners')
      end do
    end do
  end subroutine

  !> Sums over the axis that is cut have the same shape everywhere, and so can be reduced.
  subroutine empty_parts_are_arrays()
    type(weft_plan) :: plan
    type(weft_transform) :: fft
    complex(real64), pointer :: u(:, :, :) => null(), u_hat(:, :, :) => null()
    complex(real64) :: total(4, 9)
    call plan%create(weft_problem([4, 9, 1], in=weft_slab(3), out=weft_slab(1)), MPI_COMM_WORLD)
    call weft_allocate(plan, u, u_hat)
    call expect(size(u, 1) == 4 .and. size(u, 2) == 9, 'lengths of an empty part')
    call expect(size(u_hat, 2) == 9 .and. size(u_hat, 3) == 1, 'lengths of an empty output')
    u = 1
    if (size(u, 1) == 4 .and. size(u, 2) == 9) total = sum(u, 3)
    call MPI_Allreduce(MPI_IN_PLACE, total, 36, MPI_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD)
    call expect(all(abs(total - 1) < 1e-15), 'the sum over the axis that is cut')
    call fft%bind(plan, u, u_hat)
    call fft%forward()
    call fft%backward()
    call expect(all(abs(u - 36) < 1e-12), 'there and back')
    call weft_deallocate(u, u_hat)
  end subroutine
end module shapes_module
