! Transforms of every kind, in both precisions, against their definition. Elements are found by the
! boxes of the plan.
module transforms_module
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use mpi_f08
  use weft
  use dft_module
  use expect_module
  use same_module, only: same_as_in_c
  implicit none
  private
  public :: transforms_are_right, places

  !> A problem, the whole array at both ends of it.
  type :: oracle
    complex(real64), allocatable :: in(:), out(:)
  end type

contains

  subroutine transforms_are_right()
    integer :: precision
    do precision = weft_f32, weft_f64
      call check(weft_problem([6, 5, 4], precision=precision, in=weft_slab(3)), 'slabs')
      call check(weft_problem([6, 5, 8], precision=precision, in=weft_pencil(2, 3), &
                              out=weft_pencil(1, 2)), 'pencils')
      call check(weft_problem([7, 3], precision=precision, axes=[2], in=weft_grid([1, ranks])), &
                 'axis 2')
      call check(weft_problem([6, 5, 4], kind=weft_r2c, precision=precision, in=weft_slab(3), &
                              out=weft_slab(2)), 'real slabs')
      call check(weft_problem([7, 4, 3], kind=weft_r2c, precision=precision, in=weft_brick(), &
                              out=weft_free(order=[1, 2, 3])), 'real bricks')
      call check(weft_problem([6, 5, 4], kind=weft_r2c, precision=precision, axes=[3, 2]), &
                 'r2c axis 3')
      call check(weft_problem([6, 5, 4], kind=weft_r2c, precision=precision, r2c_axis=2), &
                 'r2c axis 2')
      call check(weft_problem([8, 3, 5], kind=weft_c2r, precision=precision, &
                              out=weft_slab(3, order=[3, 1, 2])), 'complex to real')
      call check(weft_problem([4, 6], precision=precision, batch=3, &
                              in=weft_slab(2, order=[3, 1, 2])), 'interleaved fields')
      call check(weft_problem([6, 5, 4], precision=precision, in=weft_slab(3, padding=[2, 1, 0]), &
                              out=weft_slab(2, strides=[1, 200, 7])), 'padding and strides')
      call check(weft_problem([6, 5, 4], precision=precision, in=weft_slab(3), in_place=.true.), &
                 'in place')
      call check(weft_problem([6, 4, 5], kind=weft_r2c, precision=precision, in=weft_slab(3), &
                              in_place=.true.), 'real in place')
      call check(weft_problem([5, 4, 6], kind=weft_c2r, precision=precision, out=weft_slab(3), &
                              in_place=.true.), 'complex to real in place')
      call check(weft_problem([2, 2, 2], precision=precision, in=weft_single(), out=weft_slab(3), &
                              cut='block'), 'ranks without elements')
      call check(own_boxes(precision), 'own boxes')
    end do
    call check_kinds()
  end subroutine

  !> Axis 1 by dct2, axis 2 by dst1, there by their definitions and back.
  subroutine check_kinds()
    integer, parameter :: n(2) = [6, 5]
    real(real64), parameter :: pi = 4*atan(1.0_real64)
    type(weft_plan) :: plan
    type(weft_transform) :: fft
    real(real64), pointer :: in(:), out(:)
    real(real64) :: values(n(1), n(2)), cosines(n(1), n(1))
    real(real64), allocatable :: data(:), spectrum(:)
    integer(int64), allocatable :: local(:), global(:), local_out(:), global_out(:)
    character(:), allocatable :: what
    real(real64) :: bound
    integer :: j, k
    do k = 1, n(1)
      cosines(k, :) = [(2*cos(pi*(j - 0.5_real64)*(k - 1)/n(1)), j=1, n(1))]
    end do
    data = noise(product(n))
    values = reshape(data, n)
    spectrum = reshape(matmul(cosines, matmul(values, sines(n(2)))), [product(n)])
    call plan%create(weft_problem(n, kind=weft_r2r, kinds=[weft_dct2, weft_dst1], &
                                  in=weft_slab(2), scale='none/n'), MPI_COMM_WORLD)
    what = 'kinds'
    bound = 1e-13_real64
    include 'there_and_back.inc'
    call check_mixed_kinds()
    call check_modes()
  end subroutine

  !> The matrix of dst1 of n elements.
  function sines(n) result(matrix)
    integer, intent(in) :: n
    real(real64), parameter :: pi = 4*atan(1.0_real64)
    real(real64) :: matrix(n, n)
    integer :: j, k
    do k = 1, n
      matrix(:, k) = [(2*sin(pi*j*k/(n + 1)), j=1, n)]
    end do
  end function

  !> Axis 1 by r2c, axis 2 by dst1, both by their definitions.
  subroutine check_mixed_kinds()
    integer, parameter :: n(2) = [6, 5], half(2) = [4, 5]
    real(real64), parameter :: pi = 4*atan(1.0_real64)
    type(weft_plan) :: plan
    type(weft_transform) :: fft
    real(real64), pointer :: in(:)
    complex(real64), pointer :: out(:)
    real(real64) :: values(n(1), n(2))
    complex(real64) :: waves(half(1), n(1))
    real(real64), allocatable :: data(:)
    complex(real64), allocatable :: spectrum(:)
    integer(int64), allocatable :: local(:), global(:), local_out(:), global_out(:)
    character(:), allocatable :: what
    real(real64) :: bound
    integer :: j, k
    do k = 1, half(1)
      waves(k, :) = [(exp(cmplx(0, -2*pi*(j - 1)*(k - 1)/n(1), real64)), j=1, n(1))]
    end do
    data = noise(product(n))
    values = reshape(data, n)
    spectrum = reshape(matmul(waves, matmul(values, sines(n(2)))), [product(half)])
    call plan%create(weft_problem(n, kind=weft_r2c, kinds=[weft_axis_r2c, weft_dst1], &
                                  in=weft_slab(2), scale='none/n'), MPI_COMM_WORLD)
    what = 'mixture'
    bound = 1e-13_real64
    include 'there_and_back.inc'
  end subroutine

  !> Of 8 x 6 points the modes of 5 x 4 are kept: a wave of mode (-2, 1) has one of them.
  subroutine check_modes()
    integer, parameter :: n(2) = [8, 6], m(2) = [5, 4]
    real(real64), parameter :: pi = 4*atan(1.0_real64)
    type(weft_plan) :: plan
    type(weft_transform) :: fft
    complex(real64), pointer :: in(:), out(:)
    complex(real64) :: wave(n(1), n(2)), kept(m(1), m(2))
    complex(real64), allocatable :: data(:), spectrum(:)
    integer(int64), allocatable :: local(:), global(:), local_out(:), global_out(:)
    character(:), allocatable :: what
    real(real64) :: bound
    integer :: j, k
    do k = 1, n(2)
      wave(:, k) = [(exp(cmplx(0, 2*pi*((k - 1)/6.0_real64 - 2*(j - 1)/8.0_real64), real64)), &
                     j=1, n(1))]
    end do
    kept = 0
    kept(4, 2) = 48
    data = reshape(wave, [product(n)])
    spectrum = reshape(kept, [product(m)])
    call plan%create(weft_problem(n, modes=int(m, weft_index), even_modes='zero', in=weft_slab(2), &
                                  scale='none/n'), MPI_COMM_WORLD)
    what = 'modes'
    bound = 1e-12_real64
    include 'there_and_back.inc'
  end subroutine

  !> Rank r owns rows r+1, r+1+ranks, .. of axis 2, each a box.
  function own_boxes(precision) result(problem)
    integer, intent(in) :: precision
    type(weft_problem) :: problem
    type(weft_box), allocatable :: boxes(:)
    integer :: b, row
    allocate (boxes((7 + ranks - 1 - my_rank)/ranks))
    do b = 1, size(boxes)
      row = my_rank + 1 + (b - 1)*ranks
      boxes(b) = weft_box([1, row], [5, row])
    end do
    problem = weft_problem([5, 7], kind=weft_r2c, precision=precision, out=weft_slab(2))
    call problem%in%set_boxes(boxes, MPI_COMM_WORLD)
  end function

  subroutine check(asked, what)
    type(weft_problem), intent(in) :: asked
    character(*), intent(in) :: what
    type(weft_problem) :: problem
    problem = asked
    problem%scale = 'none/n'
    if (problem%precision == weft_f32) call check_f32(problem, whole(problem), what//', single')
    if (problem%precision == weft_f64) call check_f64(problem, whole(problem), what//', double')
  end subroutine

  subroutine check_f32(problem, expected, what)
    integer, parameter :: wp = real32
    include 'check.inc'
  end subroutine

  subroutine check_f64(problem, expected, what)
    integer, parameter :: wp = real64
    include 'check.inc'
  end subroutine

  function whole(problem) result(expected)
    type(weft_problem), intent(in) :: problem
    type(oracle) :: expected
    complex(real64), allocatable :: noises(:), spectrum(:)
    integer, allocatable :: shape(:), axes(:)
    integer :: a, r2c_axis
    allocate (shape, source=[int(problem%shape), int(problem%batch)])
    allocate (axes, source=[(a, a=1, size(problem%shape))])
    if (allocated(problem%axes)) axes = problem%axes
    r2c_axis = axes(1)
    if (problem%r2c_axis /= 0) r2c_axis = problem%r2c_axis
    noises = cmplx(noise(product(shape)), 0, real64)
    if (problem%kind == weft_c2c) noises = cmplx(real(noises), cshift(real(noises), 7), real64)
    spectrum = dft(noises, shape, axes, -1)
    if (problem%kind == weft_c2c) expected = oracle(noises, spectrum)
    if (problem%kind == weft_r2c) expected = oracle(noises, half_of(spectrum, shape, r2c_axis))
    if (problem%kind == weft_c2r) expected = &
      oracle(half_of(spectrum, shape, r2c_axis), noises*product(shape(axes)))
  end function

  !> Where this rank's elements are in its array, and in the whole one.
  subroutine places(plan, end, local, global)
    type(weft_plan), intent(in) :: plan
    integer, intent(in) :: end
    integer(int64), allocatable, intent(out) :: local(:), global(:)
    type(weft_box) :: box
    integer(int64), allocatable :: element(:), shape(:)
    integer :: b, a, count
    allocate (local(plan%size(end)), global(plan%size(end)))
    shape = plan%shape(end)
    count = 0
    do b = 1, plan%box_count(end)
      box = plan%box(end, b)
      element = box%lower
      do while (element(size(shape)) <= box%upper(size(shape)))
        count = count + 1
        local(count) = box%offset + 1 + sum((element - box%lower)*box%stride)
        global(count) = position(element, shape)
        do a = 1, size(shape)
          element(a) = element(a) + 1
          if (element(a) <= box%upper(a) .or. a == size(shape)) exit
          element(a) = box%lower(a)
        end do
      end do
    end do
    local = local(:count)
    global = global(:count)
  end subroutine
end module transforms_module
