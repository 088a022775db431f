! Layouts: the distribution of an end of a transform over ranks, and its order in memory.
module weft_layouts
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08, only: MPI_Comm
  use weft_axes, only: axis_there, mirrored, weft_index
  use weft_boxes, only: weft_box
  use weft_c, only: c_boxes_text
  use weft_errors, only: agreed, settle, weft_success
  use weft_text, only: digits, joined, taken
  implicit none
  private
  public :: weft_layout, weft_free, weft_slab, weft_pencil, weft_cut, weft_grid, weft_brick, &
            weft_single, weft_sphere

  !> A layout of a problem's input or output. Axes are numbered from 1, the fastest; a batch is one
  !> more axis, the last. Tables may be set after a function has made the layout.
  type :: weft_layout
    integer, allocatable :: order(:) !< axes in memory, fastest first: [2, 1, 3]
    integer, allocatable :: padding(:) !< by axis: elements left out after each line
    integer, allocatable :: strides(:) !< by axis: elements between neighbours
    character(:), allocatable, private :: word !< `slab`, `grid`, ..; a text of boxes
    integer, allocatable, private :: cut(:) !< the axes that are cut
    integer, allocatable, private :: parts(:) !< of each cut axis, or of all; none: weft chooses
  contains
    !> set_boxes(boxes, comm [, batched, stat, errmsg]): collective; each rank owns the boxes that
    !> it gives, any number. batched: the last axis of the boxes is the batch.
    generic :: set_boxes => set_boxes_f08, set_boxes_integer
    procedure, private :: set_boxes_f08, set_boxes_integer
    procedure :: objection => layout_objection
    procedure :: text => layout_text
  end type

contains

  !> The plan chooses the cuts, and without `order` also the order of the axes.
  pure function weft_free(order) result(layout)
    integer, optional, intent(in) :: order(:)
    type(weft_layout) :: layout
    layout = stored('free', order)
  end function

  !> All ranks cut one axis.
  pure function weft_slab(axis, order, padding, strides) result(layout)
    integer, intent(in) :: axis
    integer, optional, intent(in) :: order(:), padding(:), strides(:)
    type(weft_layout) :: layout
    layout = stored('slab', order, padding, strides)
    layout%cut = [axis]
  end function

  !> Two axes are cut, in `parts` parts or as weft chooses. The first axis varies fastest with the
  !> rank: with parts [2, 4] ranks 0 and 1 differ in the first axis.
  pure function weft_pencil(first, second, parts, order, padding, strides) result(layout)
    integer, intent(in) :: first, second
    integer, optional, intent(in) :: parts(:), order(:), padding(:), strides(:)
    type(weft_layout) :: layout
    layout = stored('pencil', order, padding, strides)
    layout%cut = [first, second]
    if (present(parts)) layout%parts = parts
  end function

  !> Any number of axes are cut, as pencils are.
  pure function weft_cut(axes, parts, order, padding, strides) result(layout)
    integer, intent(in) :: axes(:)
    integer, optional, intent(in) :: parts(:), order(:), padding(:), strides(:)
    type(weft_layout) :: layout
    layout = stored('cut', order, padding, strides)
    layout%cut = axes
    if (present(parts)) layout%parts = parts
  end function

  !> The number of parts of each axis; their product is the number of ranks.
  pure function weft_grid(parts, order, padding, strides) result(layout)
    integer, intent(in) :: parts(:)
    integer, optional, intent(in) :: order(:), padding(:), strides(:)
    type(weft_layout) :: layout
    layout = stored('grid', order, padding, strides)
    layout%parts = parts
  end function

  !> All axes are cut, by the grid of least surface.
  pure function weft_brick(order, padding, strides) result(layout)
    integer, optional, intent(in) :: order(:), padding(:), strides(:)
    type(weft_layout) :: layout
    layout = stored('brick', order, padding, strides)
  end function

  !> Rank 0 owns everything.
  pure function weft_single(order, padding, strides) result(layout)
    integer, optional, intent(in) :: order(:), padding(:), strides(:)
    type(weft_layout) :: layout
    layout = stored('single', order, padding, strides)
  end function

  !> Of a spectrum of plane waves: columns that are whole along the last transformed axis, which is
  !> not the r2c axis if there is another. A column exists if the sum of squares of its modes along
  !> the other transformed axes is at most cutoff**2. Missing elements are read as zeros and not
  !> written. Ranks have about equal numbers of columns. Unless `order` is given, columns are
  !> contiguous.
  pure function weft_sphere(cutoff, order) result(layout)
    real(real64), intent(in) :: cutoff
    integer, optional, intent(in) :: order(:)
    type(weft_layout) :: layout
    character(32) :: number
    write (number, '(es24.16e3)') cutoff
    layout = stored('sphere('//trim(adjustl(number))//')', order)
  end function

  pure function stored(word, order, padding, strides) result(layout)
    character(*), intent(in) :: word
    integer, optional, intent(in) :: order(:), padding(:), strides(:)
    type(weft_layout) :: layout
    layout%word = word
    if (present(order)) allocate (layout%order, source=order)
    if (present(padding)) allocate (layout%padding, source=padding)
    if (present(strides)) allocate (layout%strides, source=strides)
  end function

  subroutine set_boxes_f08(layout, boxes, comm, batched, stat, errmsg)
    class(weft_layout), intent(inout) :: layout
    type(weft_box), intent(in) :: boxes(:)
    type(MPI_Comm), intent(in) :: comm
    logical, optional, intent(in) :: batched
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    call set_boxes_integer(layout, boxes, comm%mpi_val, batched, stat, errmsg)
  end subroutine

  subroutine set_boxes_integer(layout, boxes, comm, batched, stat, errmsg)
    class(weft_layout), intent(inout) :: layout
    type(weft_box), intent(in) :: boxes(:)
    integer, intent(in) :: comm
    logical, optional, intent(in) :: batched
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(c_int64_t), allocatable :: lo(:, :), hi(:, :)
    type(c_ptr) :: text
    integer(c_int) :: code
    integer :: axes, dims, b
    axes = 1
    if (size(boxes) > 0) axes = size(boxes(1)%lower)
    code = agreed(boxes_objection(boxes, axes), comm)
    if (code == weft_success) then
      dims = axes
      if (present(batched)) dims = axes - merge(1, 0, batched)
      allocate (lo(axes, size(boxes)), hi(axes, size(boxes)))
      do b = 1, size(boxes)
        lo(:, b) = mirrored(boxes(b)%lower, dims) - 1
        hi(:, b) = mirrored(boxes(b)%upper, dims)
      end do
      code = c_boxes_text(size(boxes), axes, lo, hi, comm, text)
    end if
    if (code == weft_success) layout%word = taken(text)
    call settle(code, stat, errmsg)
  end subroutine

  pure function boxes_objection(boxes, axes) result(text)
    type(weft_box), intent(in) :: boxes(:)
    integer, intent(in) :: axes
    character(:), allocatable :: text
    integer :: b
    text = ''
    do b = 1, size(boxes)
      if (size(boxes(b)%lower) /= axes .or. size(boxes(b)%upper) /= axes) text = &
        'box '//digits(b)//' has not as many lower and upper bounds as box 1 has axes'
    end do
  end function

  !> Why a layout of an array of so many axes cannot be; empty if it can.
  pure function layout_objection(layout, dims) result(text)
    class(weft_layout), intent(in) :: layout
    integer, intent(in) :: dims
    character(:), allocatable :: text
    integer :: i
    text = ''
    if (allocated(layout%cut)) then
      do i = 1, size(layout%cut)
        text = text//axis_objection(layout%cut(i), dims)
      end do
      if (allocated(layout%parts)) then
        if (size(layout%parts) /= size(layout%cut)) text = text// &
          'a layout cuts '//digits(size(layout%cut))//' axes, but has parts of '// &
          digits(size(layout%parts))//'; '
      end if
    end if
    if (allocated(layout%order)) then
      do i = 1, size(layout%order)
        text = text//axis_objection(layout%order(i), dims)
      end do
    end if
    text = text//table_objection(layout%padding, 'padding')// &
           table_objection(layout%strides, 'strides')
  contains
    pure function axis_objection(axis, dims) result(text)
      integer, intent(in) :: axis, dims
      character(:), allocatable :: text
      text = ''
      if (axis < 1 .or. axis > dims + 1) text = &
        'a layout has axis '//digits(axis)//', but the array has axes 1 to '//digits(dims)//'; '
    end function
    pure function table_objection(table, name) result(text)
      integer, allocatable, intent(in) :: table(:)
      character(*), intent(in) :: name
      character(:), allocatable :: text
      text = ''
      if (.not. allocated(table)) return
      if (size(table) < dims .or. size(table) > dims + 1) text = 'a layout has '//name//' of '// &
        digits(size(table))//' axes, but the array has '//digits(dims)//'; '
    end function
  end function

  !> The layout as weft's texts have it (docs/text.md): `slab(0)@120+(0,0,2)`.
  pure function layout_text(layout, dims) result(text)
    class(weft_layout), intent(in) :: layout
    integer, intent(in) :: dims
    character(:), allocatable :: text
    integer :: i
    text = 'free'
    if (allocated(layout%word)) text = layout%word
    if (allocated(layout%cut)) then
      text = text//'('
      do i = size(layout%cut), 1, -1
        text = text//axis_text(layout%cut(i), dims)
        if (allocated(layout%parts)) text = text//':'//digits(layout%parts(i))
        if (i > 1) text = text//','
      end do
      text = text//')'
    else if (allocated(layout%parts)) then
      text = text//'('//joined(table_there(layout%parts, dims), 'x')//')'
    end if
    if (allocated(layout%order)) then
      text = text//'@'
      do i = size(layout%order), 1, -1
        text = text//axis_text(layout%order(i), dims)
      end do
    end if
    if (allocated(layout%padding)) &
      text = text//'+('//joined(table_there(layout%padding, dims), ',')//')'
    if (allocated(layout%strides)) &
      text = text//'/('//joined(table_there(layout%strides, dims), ',')//')'
  end function

  pure function axis_text(axis, dims) result(text)
    integer, intent(in) :: axis, dims
    character(:), allocatable :: text
    text = 'b'
    if (axis <= dims) text = digits(axis_there(axis, dims))
  end function

  pure function table_there(table, dims) result(there)
    integer, intent(in) :: table(:), dims
    integer(weft_index) :: there(size(table))
    there = int(table, weft_index)
    if (size(table) >= dims) there = mirrored(there, dims)
  end function
end module weft_layouts
