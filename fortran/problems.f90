! Problems: descriptions of transforms.
module weft_problems
  use weft_axes, only: axis_there, mirrored, weft_index
  use weft_layouts, only: weft_layout
  use weft_text, only: digits, joined
  implicit none
  private
  public :: weft_problem

  integer, parameter, public :: weft_c2c = 0 !< complex to complex
  integer, parameter, public :: weft_r2c = 1 !< real to complex: one axis keeps n/2+1 of n values
  integer, parameter, public :: weft_c2r = 2 !< the reverse of r2c
  integer, parameter, public :: weft_redistribute = 3 !< elements go from one layout to another
  integer, parameter, public :: weft_r2r = 4 !< real to real, with a kind for each axis
  !> The transform of forward along an axis. weft_dct1 to weft_dst4: cosine and sine transforms of
  !> type I to IV (docs/kinds.md), of complex numbers on real and imaginary parts. weft_axis_c2c:
  !> the Fourier transform; weft_axis_r2c (weft_axis_c2r): that of the axis of weft_r2c (weft_c2r)
  !> that keeps n/2+1. weft_axis_none: no transform.
  integer, parameter, public :: weft_axis_none = 0
  integer, parameter, public :: weft_dct1 = 1, weft_dct2 = 2, weft_dct3 = 3, weft_dct4 = 4
  integer, parameter, public :: weft_dst1 = 5, weft_dst2 = 6, weft_dst3 = 7, weft_dst4 = 8
  integer, parameter, public :: weft_axis_c2c = 9, weft_axis_r2c = 10, weft_axis_c2r = 11
  integer, parameter, public :: weft_f32 = 0 !< real32, complex(real32)
  integer, parameter, public :: weft_f64 = 1 !< real64, complex(real64)

  !> A transform of an array of that shape; its first axis is adjacent in memory. The exponent's
  !> sign is -1 forward and +1 backward, of c2r +1 forward and -1 backward. By default nothing is
  !> scaled.
  !>
  !> Made by its components' names, all but the first of which may be left out:
  !> weft_problem(shape [, kind, precision, axes, r2c_axis, batch, in, out, cut, scale, in_place,
  !> may_destroy_input, element_bytes, kinds, modes, even_modes, inside, sparse]).
  type :: weft_problem
    integer(weft_index), allocatable :: shape(:) !< 1 to 6 lengths
    integer :: kind = weft_c2c
    integer :: precision = weft_f64
    integer, allocatable :: axes(:) !< the transformed axes; none: all
    integer :: r2c_axis = 0 !< r2c, c2r: the axis that keeps n/2+1; 0: the first in axes, or axis 1
    integer(weft_index) :: batch = 1 !< fields transformed in one call, along one more axis
    type(weft_layout) :: in = weft_layout() !< of the input of `forward`
    type(weft_layout) :: out = weft_layout()
    character(:), allocatable :: cut !< `balanced`, the default, or `block`, as FFTW cuts
    character(:), allocatable :: scale !< forward and backward: `none/n`, `symmetric`, `1/0.5`
    logical :: in_place = .false. !< one array holds input and output
    logical :: may_destroy_input = .false. !< the array that is read may be workspace
    integer(weft_index) :: element_bytes = 0 !< redistribute: the size of an element
    integer, allocatable :: kinds(:) !< of each axis in the order of `axes`, or one for all
    integer(weft_index), allocatable :: modes(:) !< modes of the spectrum, by axis; none: all
    character(:), allocatable :: even_modes !< mode m/2 of an even m: `split` (default), `zero`, `keep`
    integer(weft_index), allocatable :: inside(:) !< points of the field, the first ones, by axis
    logical :: sparse = .false. !< boxes of `in` and `out` may leave elements out
  contains
    procedure :: text => problem_text
    procedure :: objection => problem_objection
  end type

contains

  !> Why the problem has no text; empty if it has one. What the library finds itself is left to it.
  pure function problem_objection(problem) result(text)
    class(weft_problem), intent(in) :: problem
    character(:), allocatable :: text
    integer :: dims, i
    text = ''
    if (.not. allocated(problem%shape)) then
      text = 'the problem has no shape'
      return
    end if
    dims = size(problem%shape)
    if (dims < 1 .or. dims > 6) text = &
      'the problem has '//digits(dims)//' axes, 1 to 6 are possible; '
    if (problem%kind < weft_c2c .or. problem%kind > weft_r2r) text = text// &
      'kind '//digits(problem%kind)//' is none of weft_c2c, weft_r2c, weft_c2r, weft_r2r, '// &
      'weft_redistribute; '
    if (allocated(problem%kinds)) then
      do i = 1, size(problem%kinds)
        if (problem%kinds(i) < weft_axis_none .or. problem%kinds(i) > weft_axis_c2r) text = text// &
          'kinds has '//digits(problem%kinds(i))//', which is no kind of an axis; '
      end do
    end if
    if (problem%precision /= weft_f32 .and. problem%precision /= weft_f64) text = text// &
      'precision '//digits(problem%precision)//' is neither weft_f32 nor weft_f64; '
    if (problem%r2c_axis < 0 .or. problem%r2c_axis > dims) text = text// &
      'r2c_axis is '//digits(problem%r2c_axis)//', but the array has axes 1 to '//digits(dims)//'; '
    if (allocated(problem%axes)) then
      do i = 1, size(problem%axes)
        if (problem%axes(i) < 1 .or. problem%axes(i) > dims) text = text//'axes has axis '// &
          digits(problem%axes(i))//', but the array has axes 1 to '//digits(dims)//'; '
      end do
    end if
    text = text//problem%in%objection(dims)//problem%out%objection(dims)
    if (text /= '') text = text(:len(text) - 2) ! without the last semicolon
  end function

  !> The problem as weft's texts have it (docs/text.md), whose axes are numbered from the slowest.
  pure function problem_text(problem) result(text)
    class(weft_problem), intent(in) :: problem
    character(:), allocatable :: text
    integer :: dims
    dims = size(problem%shape)
    text = head(problem)//joined(mirrored(problem%shape, dims), 'x')//'*'//digits(problem%batch)
    if (allocated(problem%axes)) text = text//' axes='//joined( &
      int(axis_there(problem%axes(size(problem%axes):1:-1), dims), weft_index), ',')
    if (allocated(problem%kinds)) text = text//kinds_text(problem%kinds)
    if (problem%r2c_axis /= 0) text = text//' r2c_axis='//digits(axis_there(problem%r2c_axis, dims))
    if (allocated(problem%modes)) text = text//' modes='// &
      joined(problem%modes(size(problem%modes):1:-1), 'x')
    if (allocated(problem%even_modes)) text = text//' even_modes='//problem%even_modes
    if (allocated(problem%inside)) text = text//' inside='// &
      joined(problem%inside(size(problem%inside):1:-1), 'x')
    text = text//' in='//problem%in%text(dims)//' out='//problem%out%text(dims)
    if (allocated(problem%cut)) text = text//' cut='//problem%cut
    if (allocated(problem%scale)) text = text//' scale='//problem%scale
    if (problem%in_place) text = text//' in_place'
    if (problem%may_destroy_input) text = text//' may_destroy_input'
    if (problem%sparse) text = text//' sparse'
  end function

  !> ` kinds=dct2,dst1`, from that of the slowest axis.
  pure function kinds_text(kinds) result(text)
    integer, intent(in) :: kinds(:)
    character(:), allocatable :: text
    character(4), parameter :: words(0:11) = ['none', 'dct1', 'dct2', 'dct3', 'dct4', 'dst1', &
      'dst2', 'dst3', 'dst4', 'c2c ', 'r2c ', 'c2r ']
    integer :: i
    text = ' kinds='
    do i = size(kinds), 1, -1
      text = text//trim(words(kinds(i)))
      if (i > 1) text = text//','
    end do
  end function

  !> `r2c:f64:`
  pure function head(problem) result(text)
    class(weft_problem), intent(in) :: problem
    character(:), allocatable :: text
    character(3), parameter :: precisions(0:1) = ['f32', 'f64']
    character(3), parameter :: kinds(0:4) = ['c2c', 'r2c', 'c2r', '   ', 'r2r']
    if (problem%kind == weft_redistribute) then
      text = 'redistribute:'//digits(problem%element_bytes)//':'
    else
      text = kinds(problem%kind)//':'//precisions(problem%precision)//':'
    end if
  end function
end module weft_problems
