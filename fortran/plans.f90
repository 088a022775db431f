! Plans: how a problem is solved on a number of ranks.
module weft_plans
  use, intrinsic :: iso_c_binding
  use weft_axes, only: mirrored, order_here, weft_index
  use weft_boxes, only: weft_box
  use weft_c
  use weft_ends, only: end_of_plan, find_box, find_end
  use weft_errors, only: settle, weft_success
  use weft_handles, only: find_handle, plan_handle
  use weft_text, only: taken
  implicit none
  private
  public :: weft_plan

  !> A plan is made by `create`, collectively over its communicator, which may be freed before the
  !> plan. All other procedures are local. `rank` is a rank of the communicator, from 0; by default
  !> this process's. `end` is weft_in or weft_out.
  type, extends(plan_handle) :: weft_plan
  contains
    procedure :: ranks => plan_ranks
    procedure :: rank => plan_rank
    procedure :: text => plan_text
    procedure :: explain => plan_explain
    procedure :: shape => plan_shape
    procedure :: order => plan_order
    procedure :: size => plan_size
    procedure :: box_count => plan_box_count
    procedure :: box => plan_box
    procedure :: bounds => plan_bounds
    procedure :: workspace_bytes => plan_workspace_bytes
    procedure :: region_bytes => plan_region_bytes
  end type

contains

  !> The number of ranks of the plan.
  integer function plan_ranks(plan, stat, errmsg) result(ranks)
    class(weft_plan), intent(in) :: plan
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(c_ptr) :: handle
    integer(c_int) :: code, its
    ranks = 0
    call find_handle(plan, handle, its, code)
    if (code == weft_success) code = c_plan_ranks(handle, ranks)
    call settle(code, stat, errmsg)
  end function

  !> The rank of this process in the plan's communicator; 0 without MPI.
  integer function plan_rank(plan, stat, errmsg) result(rank)
    class(weft_plan), intent(in) :: plan
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(c_ptr) :: handle
    integer(c_int) :: code, its
    call find_handle(plan, handle, its, code)
    rank = its
    call settle(code, stat, errmsg)
  end function

  !> The whole plan in one line, of which `create` makes an equal plan in any language.
  function plan_text(plan, stat, errmsg) result(text)
    class(weft_plan), intent(in) :: plan
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    character(:), allocatable :: text
    type(c_ptr) :: address, handle
    integer(c_int) :: code, its
    address = c_null_ptr
    call find_handle(plan, handle, its, code)
    if (code == weft_success) code = c_plan_text(handle, address)
    text = taken(address)
    call settle(code, stat, errmsg)
  end function

  !> The stages and layouts, one a line; axes are numbered as in texts.
  function plan_explain(plan, stat, errmsg) result(text)
    class(weft_plan), intent(in) :: plan
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    character(:), allocatable :: text
    type(c_ptr) :: address, handle
    integer(c_int) :: code, its
    address = c_null_ptr
    call find_handle(plan, handle, its, code)
    if (code == weft_success) code = c_plan_explain(handle, address)
    text = taken(address)
    call settle(code, stat, errmsg)
  end function

  !> The lengths of the whole array at that end: of the shape, or of `inside` or `modes` if these are
  !> given, and of them n/2+1 along the r2c axis; a batch is the last.
  function plan_shape(plan, end, stat, errmsg) result(shape)
    class(weft_plan), intent(in) :: plan
    integer, intent(in) :: end
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(weft_index), allocatable :: shape(:)
    integer(c_int64_t) :: lengths(max_axes), batch
    type(c_ptr) :: handle
    integer(c_int) :: code, its, dims
    dims = 0
    batch = 1
    call find_handle(plan, handle, its, code)
    if (code == weft_success) code = c_plan_shape(handle, end, lengths, dims)
    if (code == weft_success) code = c_plan_batch(handle, batch)
    shape = mirrored(lengths(:dims), int(dims))
    if (batch > 1) shape = [shape, batch]
    call settle(code, stat, errmsg)
  end function

  !> The axis of each dimension of an array in memory, fastest first.
  function plan_order(plan, end, stat, errmsg) result(order)
    class(weft_plan), intent(in) :: plan
    integer, intent(in) :: end
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer, allocatable :: order(:)
    integer(c_int64_t) :: lengths(max_axes)
    type(c_ptr) :: handle
    integer(c_int) :: code, its, list(max_axes), axes, dims
    axes = 0
    dims = 0
    call find_handle(plan, handle, its, code)
    if (code == weft_success) code = c_plan_shape(handle, end, lengths, dims)
    if (code == weft_success) code = c_plan_order(handle, end, list, axes)
    order = order_here(list(:axes), int(dims))
    call settle(code, stat, errmsg)
  end function

  !> The number of elements that the array of a rank must hold, padding included. In place one array
  !> of that many elements of that end's type holds both ends.
  integer(weft_index) function plan_size(plan, end, rank, stat, errmsg) result(elements)
    class(weft_plan), intent(in) :: plan
    integer, intent(in) :: end
    integer, optional, intent(in) :: rank
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(c_ptr) :: handle
    integer(c_int) :: code, its
    elements = 0
    call find_handle(plan, handle, its, code, rank)
    if (code == weft_success) code = c_plan_size(handle, end, its, elements)
    call settle(code, stat, errmsg)
  end function

  !> How many boxes a rank owns, none of them empty.
  integer function plan_box_count(plan, end, rank, stat, errmsg) result(count)
    class(weft_plan), intent(in) :: plan
    integer, intent(in) :: end
    integer, optional, intent(in) :: rank
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(c_ptr) :: handle
    integer(c_int) :: code, its
    count = 0
    call find_handle(plan, handle, its, code, rank)
    if (code == weft_success) code = c_plan_box_count(handle, end, its, count)
    call settle(code, stat, errmsg)
  end function

  !> Box `number` of a rank, from 1 (default: 1). A rank that owns nothing has a first box too,
  !> without elements: it begins where the rank's part would. Another number is an error.
  function plan_box(plan, end, number, rank, stat, errmsg) result(box)
    class(weft_plan), intent(in) :: plan
    integer, intent(in) :: end
    integer, optional, intent(in) :: number, rank
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(weft_box) :: box
    type(c_ptr) :: handle
    integer(c_int) :: code, its, index
    index = 0
    if (present(number)) index = number - 1
    call find_handle(plan, handle, its, code, rank)
    if (code == weft_success) call find_box(handle, end, its, index, box, code)
    call settle(code, stat, errmsg)
  end function

  !> The bounds of an array for a rank's part, for an ALLOCATE statement, in global indices:
  !> dimension d is the axis order(d), padding included. On a rank that owns nothing they begin
  !> where its part would, and upper < lower along the axis that is cut. With several boxes, or with
  !> strides that no array has, the array is of rank one. In place use weft_allocate, because the
  !> array must hold the other end too.
  subroutine plan_bounds(plan, end, lower, upper, rank, stat, errmsg)
    class(weft_plan), intent(in) :: plan
    integer, intent(in) :: end
    integer(weft_index), allocatable, intent(out) :: lower(:), upper(:)
    integer, optional, intent(in) :: rank
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(end_of_plan) :: found
    type(c_ptr) :: handle
    integer(c_int) :: code, its
    call find_handle(plan, handle, its, code, rank)
    if (code == weft_success) call find_end(handle, end, its, found, code)
    if (code == weft_success) then
      lower = found%lower(:found%rank)
      upper = lower + found%extent(:found%rank) - 1
    end if
    call settle(code, stat, errmsg)
  end subroutine

  !> Bytes of workspace that a transform needs on a rank, allocated by itself or lent by the caller.
  integer(weft_index) function plan_workspace_bytes(plan, rank, stat, errmsg) result(bytes)
    class(weft_plan), intent(in) :: plan
    integer, optional, intent(in) :: rank
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(c_ptr) :: handle
    integer(c_int) :: code, its
    bytes = 0
    call find_handle(plan, handle, its, code, rank)
    if (code == weft_success) code = c_plan_workspace_bytes(handle, its, bytes)
    call settle(code, stat, errmsg)
  end function

  !> Bytes of shared memory of the node that a transform uses in addition.
  integer(weft_index) function plan_region_bytes(plan, rank, stat, errmsg) result(bytes)
    class(weft_plan), intent(in) :: plan
    integer, optional, intent(in) :: rank
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(c_ptr) :: handle
    integer(c_int) :: code, its
    bytes = 0
    call find_handle(plan, handle, its, code, rank)
    if (code == weft_success) code = c_plan_region_bytes(handle, its, bytes)
    call settle(code, stat, errmsg)
  end function
end module weft_plans
