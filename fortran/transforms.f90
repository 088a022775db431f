! Transforms: plans bound to arrays.
module weft_transforms
  use, intrinsic :: iso_c_binding
  use weft_arrays, only: array_pair, pair_objection, pair_of
  use weft_c
  use weft_ends, only: end_of_plan, find_ends, weft_in, weft_out
  use weft_errors, only: agreed_by_plan, refused, settle, weft_success
  use weft_handles, only: find_handle
  use weft_plans, only: weft_plan
  use weft_text, only: taken
  implicit none
  private
  public :: weft_transform

  !> A plan bound to arrays of this process, or bound without arrays.
  !>
  !> Arrays are contiguous, of the type of the plan's end, and of the shape of this rank's part
  !> (plan%bounds), or of rank one and large enough. A type(c_ptr) may stand for an array: it is not
  !> checked. Several fields in separate arrays are a list of type(c_ptr). Bound arrays are
  !> pointers, or have the attribute TARGET, and live as long as the transform.
  type :: weft_transform
    private
    type(c_ptr) :: handle = c_null_ptr
    type(end_of_plan) :: ends(weft_in:weft_out)
    integer :: fields = 1
  contains
    procedure :: bind => transform_bind
    procedure :: bind_any => transform_bind_any
    procedure :: forward => transform_forward
    procedure :: backward => transform_backward
    procedure :: start_forward => transform_start_forward
    procedure :: start_backward => transform_start_backward
    procedure :: test => transform_test
    procedure :: wait => transform_wait
    procedure :: set_stream => transform_set_stream
    procedure :: unset_stream => transform_unset_stream
    procedure :: text => transform_text
    procedure :: free => transform_free
    final :: finish_transform
    generic :: assignment(=) => copy_transform
    procedure, private :: copy_transform
  end type

  abstract interface
    integer(c_int) function call_of_c(transform) bind(C)
      import
      type(c_ptr), value :: transform
    end function
    integer(c_int) function call_on_arrays(transform, in, out) bind(C)
      import
      type(c_ptr), value :: transform
      type(c_ptr), intent(in) :: in(*), out(*)
    end function
  end interface

contains

  !> Collective. Binds the plan to arrays, in place to one. A mistake on one rank is an error on
  !> all. A workspace is a contiguous array of any type, of at least plan%workspace_bytes() bytes.
  subroutine transform_bind(transform, plan, in, out, workspace, stat, errmsg)
    class(weft_transform), intent(inout) :: transform
    type(weft_plan), intent(in) :: plan
    type(*), target :: in(..)
    type(*), target, optional :: out(..)
    type(*), target, optional :: workspace(..)
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(array_pair), target :: pair
    type(c_arrays) :: arrays
    integer(c_int) :: code, rank
    type(c_ptr) :: handle
    call transform%free()
    call find_handle(plan, handle, rank, code, bound=.true.)
    if (code == weft_success) call find_ends(handle, rank, transform%ends, code)
    if (code == weft_success) then
      call pair_of(in, out, transform%ends, pair)
      code = agreed_by_plan(arrays_objection(pair, transform%ends, present(out)), handle)
    end if
    if (code == weft_success) then
      transform%fields = pair%fields(weft_in)
      arrays = arrays_of(transform%fields, workspace)
      arrays%in = pair%addresses(weft_in)
      arrays%out = pair%addresses(weft_out)
      code = c_bind_arrays(handle, arrays, transform%handle)
    end if
    call settle(code, stat, errmsg)
  end subroutine

  !> Why arrays do not fit; empty if they do. fields: how many a transform was bound for.
  function arrays_objection(pair, ends, has_out, fields) result(text)
    type(array_pair), intent(in) :: pair
    type(end_of_plan), intent(in) :: ends(weft_in:weft_out)
    logical, intent(in) :: has_out
    integer, optional, intent(in) :: fields
    character(:), allocatable :: text
    if (has_out) then
      text = pair_objection(pair, ends, fields)
    else if (ends(weft_in)%in_place) then
      text = pair_objection(pair, [ends(weft_in), ends(weft_in)], fields)
    else
      text = "'out' is missing: only a plan in place has one array"
    end if
  end function

  !> Collective. Binds the plan without arrays: `forward(in, out)` takes them, other ones at each
  !> call if need be. device: the arrays are memory of the device of the plan.
  subroutine transform_bind_any(transform, plan, fields, device, workspace, stat, errmsg)
    class(weft_transform), intent(inout) :: transform
    type(weft_plan), intent(in) :: plan
    integer, optional, intent(in) :: fields
    logical, optional, intent(in) :: device
    type(*), target, optional :: workspace(..)
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(c_arrays) :: arrays
    integer(c_int) :: code, rank
    type(c_ptr) :: handle
    call transform%free()
    call find_handle(plan, handle, rank, code, bound=.true.)
    if (code == weft_success) call find_ends(handle, rank, transform%ends, code)
    if (code == weft_success) then
      transform%fields = 1
      if (present(fields)) transform%fields = fields
      arrays = arrays_of(transform%fields, workspace)
      if (present(device)) arrays%memory = merge(1, 0, device)
      code = c_bind_any(handle, arrays, transform%handle)
    end if
    call settle(code, stat, errmsg)
  end subroutine

  type(c_arrays) function arrays_of(fields, workspace) result(arrays)
    integer, intent(in) :: fields
    type(*), target, optional :: workspace(..)
    type(c_view) :: view
    arrays%struct_size = c_sizeof(arrays)
    arrays%fields = fields
    if (.not. present(workspace)) return
    call look_at_array(workspace, view)
    arrays%workspace = view%address
    arrays%workspace_bytes = view%bytes*product(view%extent)
  end function

  !> Collective. Transforms the input array into the output array (forward), or the output array
  !> into the input array (backward). With arrays as arguments if the plan was bound without arrays.
  !> The array that is read is kept, unless the plan is in place or may destroy its input.
  subroutine transform_forward(transform, in, out, stat, errmsg)
    class(weft_transform), intent(in) :: transform
    type(*), target, optional :: in(..), out(..)
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    call settle(run(transform, c_forward, c_forward_on, in, out), stat, errmsg)
  end subroutine

  subroutine transform_backward(transform, in, out, stat, errmsg)
    class(weft_transform), intent(in) :: transform
    type(*), target, optional :: in(..), out(..)
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    call settle(run(transform, c_backward, c_backward_on, in, out), stat, errmsg)
  end subroutine

  !> Local. Starts `forward` (`backward`) and returns without waiting for other ranks. All ranks
  !> start their transforms in the same order. Do not touch the arrays until `test` or `wait`
  !> completes it.
  subroutine transform_start_forward(transform, in, out, stat, errmsg)
    class(weft_transform), intent(in) :: transform
    type(*), target, optional :: in(..), out(..)
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    call settle(run(transform, c_start_forward, c_start_forward_on, in, out), stat, errmsg)
  end subroutine

  subroutine transform_start_backward(transform, in, out, stat, errmsg)
    class(weft_transform), intent(in) :: transform
    type(*), target, optional :: in(..), out(..)
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    call settle(run(transform, c_start_backward, c_start_backward_on, in, out), stat, errmsg)
  end subroutine

  !> The code of C's function on the arrays that are bound, or on those that are given.
  integer(c_int) function run(transform, bound, given, in, out) result(code)
    class(weft_transform), intent(in) :: transform
    procedure(call_of_c) :: bound
    procedure(call_on_arrays) :: given
    type(*), target, optional :: in(..), out(..)
    type(array_pair), target :: pair
    type(c_ptr), pointer :: in_list(:), out_list(:)
    code = handle_code(transform)
    if (code /= weft_success) return
    if (.not. present(in)) then
      if (present(out)) code = refused("'out' is given without 'in'")
      if (code == weft_success) code = bound(transform%handle)
      return
    end if
    call pair_of(in, out, transform%ends, pair)
    code = refused(arrays_objection(pair, transform%ends, present(out), transform%fields))
    if (code /= weft_success) return
    call c_f_pointer(pair%addresses(weft_in), in_list, [transform%fields])
    call c_f_pointer(pair%addresses(weft_out), out_list, [transform%fields])
    code = given(transform%handle, in_list, out_list)
  end function

  !> Local. Advances all transforms that this thread has started. True if this one is complete or
  !> was not started.
  logical function transform_test(transform, stat, errmsg) result(complete)
    class(weft_transform), intent(in) :: transform
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(c_int) :: code, told
    told = 0
    code = handle_code(transform)
    if (code == weft_success) code = c_test(transform%handle, told)
    complete = told /= 0
    call settle(code, stat, errmsg)
  end function

  !> Waits until the transform is complete, and advances all others.
  subroutine transform_wait(transform, stat, errmsg)
    class(weft_transform), intent(in) :: transform
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(c_int) :: code
    code = handle_code(transform)
    if (code == weft_success) code = c_wait(transform%handle)
    call settle(code, stat, errmsg)
  end subroutine

  !> Local; for a plan that is computed on a device: orders starts with a stream of the device.
  subroutine transform_set_stream(transform, stream, stat, errmsg)
    class(weft_transform), intent(in) :: transform
    type(c_ptr), intent(in) :: stream
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(c_int) :: code
    code = handle_code(transform)
    if (code == weft_success) code = c_set_stream(transform%handle, stream)
    call settle(code, stat, errmsg)
  end subroutine

  subroutine transform_unset_stream(transform, stat, errmsg)
    class(weft_transform), intent(in) :: transform
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(c_int) :: code
    code = handle_code(transform)
    if (code == weft_success) code = c_unset_stream(transform%handle)
    call settle(code, stat, errmsg)
  end subroutine

  !> The text of the running plan: the bound plan, with the carrier of each redistribution.
  function transform_text(transform, stat, errmsg) result(text)
    class(weft_transform), intent(in) :: transform
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    character(:), allocatable :: text
    type(c_ptr) :: address
    integer(c_int) :: code
    address = c_null_ptr
    code = handle_code(transform)
    if (code == weft_success) code = c_transform_plan_text(transform%handle, address)
    text = taken(address)
    call settle(code, stat, errmsg)
  end function

  !> Frees the transform; a started one is completed first. A transform that goes out of scope is
  !> freed automatically.
  impure elemental subroutine transform_free(transform)
    class(weft_transform), intent(inout) :: transform
    call c_transform_free(transform%handle)
  end subroutine

  impure elemental subroutine finish_transform(transform)
    type(weft_transform), intent(inout) :: transform
    call transform%free()
  end subroutine

  !> Two variables would free one transform.
  subroutine copy_transform(to, from)
    class(weft_transform), intent(inout) :: to
    type(weft_transform), intent(in) :: from
    call settle(refused('a weft_transform cannot be assigned; bind its plan again'))
    if (.false.) to%fields = from%fields
  end subroutine

  integer(c_int) function handle_code(transform) result(code)
    class(weft_transform), intent(in) :: transform
    code = weft_success
    if (.not. c_associated(transform%handle)) &
      code = refused('the weft_transform was never bound, or has been freed')
  end function
end module weft_transforms
