! The C interface, weft/weft.h, as Fortran calls it. Users see the module weft, not this one.
module weft_c
  use, intrinsic :: iso_c_binding
  implicit none
  public

  integer, parameter :: max_axes = 8 !< WEFT_MAX_AXES
  integer, parameter :: max_rank = 15 !< of an array in Fortran

  !> weft_box of C: axes are numbered from the slowest, bounds are half open and start at 0.
  type, bind(C) :: c_box
    integer(c_size_t) :: struct_size = 0
    integer(c_int) :: axes = 0
    integer(c_int64_t) :: lo(max_axes) = 0
    integer(c_int64_t) :: hi(max_axes) = 0
    integer(c_int64_t) :: stride(max_axes) = 0
    integer(c_int64_t) :: offset = 0
  end type

  !> weft_arrays of C.
  type, bind(C) :: c_arrays
    integer(c_size_t) :: struct_size = 0
    integer(c_int) :: fields = 0
    type(c_ptr) :: in = c_null_ptr
    type(c_ptr) :: out = c_null_ptr
    type(c_ptr) :: workspace = c_null_ptr
    integer(c_int64_t) :: workspace_bytes = 0
    integer(c_int) :: memory = 0
  end type

  !> What array.c finds in an argument of any type and rank.
  type, bind(C) :: c_view
    type(c_ptr) :: address = c_null_ptr
    integer(c_int) :: type = 0 !< of the list below
    integer(c_int) :: rank = 0
    integer(c_int) :: contiguous = 1
    integer(c_int64_t) :: bytes = 0 !< of an element
    integer(c_int64_t) :: extent(max_rank) = 0
  end type
  integer(c_int), parameter :: other_elements = 0, real_elements = 1, complex_elements = 2, &
                               address_elements = 3

  interface
    subroutine look_at_array(array, view) bind(C, name='weft_fortran_look_at_array')
      import
      type(*), target :: array(..)
      type(c_view), intent(out) :: view
    end subroutine

    ! Communicators as MPI's Fortran has them, by comm.c.
    integer(c_int) function c_refuse(error) bind(C, name='weft_fortran_refuse')
      import
      character(kind=c_char), intent(in) :: error(*)
    end function
    integer(c_int) function c_agree(error, comm) bind(C, name='weft_fortran_agree')
      import
      type(c_ptr), value :: error
      integer(c_int), value :: comm
    end function
    integer(c_int) function c_plan_agree(plan, error) bind(C, name='weft_plan_agree')
      import
      type(c_ptr), value :: plan, error
    end function
    integer(c_int) function c_boxes_text(count, axes, lo, hi, comm, text) &
        bind(C, name='weft_fortran_boxes_text')
      import
      integer(c_int), value :: count, axes, comm
      integer(c_int64_t), intent(in) :: lo(*), hi(*)
      type(c_ptr), intent(out) :: text
    end function
    integer(c_int) function c_plan_from_text(text, comm, plan) &
        bind(C, name='weft_fortran_plan_from_text')
      import
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int), value :: comm
      type(c_ptr), intent(inout) :: plan
    end function

    type(c_ptr) function c_version() bind(C, name='weft_version')
      import
    end function
    type(c_ptr) function c_last_error() bind(C, name='weft_last_error')
      import
    end function
    type(c_ptr) function c_allocate(bytes) bind(C, name='weft_allocate')
      import
      integer(c_size_t), value :: bytes
    end function
    subroutine c_free(data) bind(C, name='weft_free')
      import
      type(c_ptr), value :: data
    end subroutine

    integer(c_int) function c_plan_for_ranks(text, ranks, plan) bind(C, name='weft_plan_for_ranks')
      import
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int), value :: ranks
      type(c_ptr), intent(inout) :: plan
    end function
    subroutine c_plan_free(plan) bind(C, name='weft_plan_free')
      import
      type(c_ptr), intent(inout) :: plan
    end subroutine
    integer(c_int) function c_plan_ranks(plan, ranks) bind(C, name='weft_plan_ranks')
      import
      type(c_ptr), value :: plan
      integer(c_int), intent(inout) :: ranks
    end function
    integer(c_int) function c_plan_rank(plan, rank) bind(C, name='weft_plan_rank')
      import
      type(c_ptr), value :: plan
      integer(c_int), intent(inout) :: rank
    end function
    integer(c_int) function c_plan_text(plan, text) bind(C, name='weft_plan_text')
      import
      type(c_ptr), value :: plan
      type(c_ptr), intent(inout) :: text
    end function
    integer(c_int) function c_plan_explain(plan, text) bind(C, name='weft_plan_explain')
      import
      type(c_ptr), value :: plan
      type(c_ptr), intent(inout) :: text
    end function
    integer(c_int) function c_plan_kind(plan, kind) bind(C, name='weft_plan_kind')
      import
      type(c_ptr), value :: plan
      integer(c_int), intent(inout) :: kind
    end function
    integer(c_int) function c_plan_in_place(plan, in_place) bind(C, name='weft_plan_in_place')
      import
      type(c_ptr), value :: plan
      integer(c_int), intent(inout) :: in_place
    end function
    integer(c_int) function c_plan_shape(plan, end, shape, dims) bind(C, name='weft_plan_shape')
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: end
      integer(c_int64_t), intent(inout) :: shape(max_axes)
      integer(c_int), intent(inout) :: dims
    end function
    integer(c_int) function c_plan_batch(plan, batch) bind(C, name='weft_plan_batch')
      import
      type(c_ptr), value :: plan
      integer(c_int64_t), intent(inout) :: batch
    end function
    integer(c_int) function c_plan_element_bytes(plan, end, bytes) &
        bind(C, name='weft_plan_element_bytes')
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: end
      integer(c_int64_t), intent(inout) :: bytes
    end function
    integer(c_int) function c_plan_size(plan, end, rank, elements) bind(C, name='weft_plan_size')
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: end, rank
      integer(c_int64_t), intent(inout) :: elements
    end function
    integer(c_int) function c_plan_box_count(plan, end, rank, count) &
        bind(C, name='weft_plan_box_count')
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: end, rank
      integer(c_int), intent(inout) :: count
    end function
    integer(c_int) function c_plan_box(plan, end, rank, index, box) bind(C, name='weft_plan_box')
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: end, rank, index
      type(c_box), intent(inout) :: box
    end function
    integer(c_int) function c_plan_order(plan, end, order, axes) bind(C, name='weft_plan_order')
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: end
      integer(c_int), intent(inout) :: order(max_axes)
      integer(c_int), intent(inout) :: axes
    end function
    integer(c_int) function c_plan_workspace_bytes(plan, rank, bytes) &
        bind(C, name='weft_plan_workspace_bytes')
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: rank
      integer(c_int64_t), intent(inout) :: bytes
    end function
    integer(c_int) function c_plan_region_bytes(plan, rank, bytes) &
        bind(C, name='weft_plan_region_bytes')
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: rank
      integer(c_int64_t), intent(inout) :: bytes
    end function

    integer(c_int) function c_bind_arrays(plan, arrays, transform) bind(C, name='weft_bind_arrays')
      import
      type(c_ptr), value :: plan
      type(c_arrays), intent(in) :: arrays
      type(c_ptr), intent(inout) :: transform
    end function
    integer(c_int) function c_bind_any(plan, arrays, transform) bind(C, name='weft_bind_any')
      import
      type(c_ptr), value :: plan
      type(c_arrays), intent(in) :: arrays
      type(c_ptr), intent(inout) :: transform
    end function
    subroutine c_transform_free(transform) bind(C, name='weft_transform_free')
      import
      type(c_ptr), intent(inout) :: transform
    end subroutine
    integer(c_int) function c_forward(transform) bind(C, name='weft_forward')
      import
      type(c_ptr), value :: transform
    end function
    integer(c_int) function c_backward(transform) bind(C, name='weft_backward')
      import
      type(c_ptr), value :: transform
    end function
    integer(c_int) function c_start_forward(transform) bind(C, name='weft_start_forward')
      import
      type(c_ptr), value :: transform
    end function
    integer(c_int) function c_start_backward(transform) bind(C, name='weft_start_backward')
      import
      type(c_ptr), value :: transform
    end function
    integer(c_int) function c_forward_on(transform, in, out) bind(C, name='weft_forward_on')
      import
      type(c_ptr), value :: transform
      type(c_ptr), intent(in) :: in(*), out(*)
    end function
    integer(c_int) function c_backward_on(transform, in, out) bind(C, name='weft_backward_on')
      import
      type(c_ptr), value :: transform
      type(c_ptr), intent(in) :: in(*), out(*)
    end function
    integer(c_int) function c_start_forward_on(transform, in, out) &
        bind(C, name='weft_start_forward_on')
      import
      type(c_ptr), value :: transform
      type(c_ptr), intent(in) :: in(*), out(*)
    end function
    integer(c_int) function c_start_backward_on(transform, in, out) &
        bind(C, name='weft_start_backward_on')
      import
      type(c_ptr), value :: transform
      type(c_ptr), intent(in) :: in(*), out(*)
    end function
    integer(c_int) function c_test(transform, complete) bind(C, name='weft_test')
      import
      type(c_ptr), value :: transform
      integer(c_int), intent(inout) :: complete
    end function
    integer(c_int) function c_wait(transform) bind(C, name='weft_wait')
      import
      type(c_ptr), value :: transform
    end function
    integer(c_int) function c_set_stream(transform, stream) bind(C, name='weft_set_stream')
      import
      type(c_ptr), value :: transform, stream
    end function
    integer(c_int) function c_unset_stream(transform) bind(C, name='weft_unset_stream')
      import
      type(c_ptr), value :: transform
    end function
    integer(c_int) function c_transform_plan_text(transform, text) &
        bind(C, name='weft_transform_plan_text')
      import
      type(c_ptr), value :: transform
      type(c_ptr), intent(inout) :: text
    end function

    integer(c_int) function c_wisdom_import(text, entries, skipped) &
        bind(C, name='weft_wisdom_import')
      import
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int), intent(inout) :: entries
      type(c_ptr), intent(inout) :: skipped
    end function
    integer(c_int) function c_wisdom_export(text) bind(C, name='weft_wisdom_export')
      import
      type(c_ptr), intent(inout) :: text
    end function
    integer(c_int) function c_wisdom_forget(problem, site, entries) &
        bind(C, name='weft_wisdom_forget')
      import
      character(kind=c_char), intent(in) :: problem(*), site(*)
      integer(c_int), intent(inout) :: entries
    end function
  end interface
end module weft_c
