! The results of C for the same text of a plan and the same input.
module same_module
  use, intrinsic :: iso_c_binding
  use mpi_f08, only: MPI_COMM_WORLD
  use weft
  implicit none
  private
  public :: same_as_in_c

  interface
    integer(c_int) function same_in_c(text, comm, in_place, in, in_bytes, out, out_bytes) bind(C)
      import
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int), value :: comm, in_place
      type(c_ptr), value :: in, out
      integer(c_int64_t), value :: in_bytes, out_bytes
    end function
  end interface

contains

  !> Runs `forward` of a transform that is bound to these arrays, and tells whether C makes the same
  !> of the same.
  logical function same_as_in_c(plan, in, fft, out)
    type(weft_plan), intent(in) :: plan
    type(*), target :: in(..)
    type(weft_transform), intent(in) :: fft
    type(*), target :: out(..)
    character(kind=c_char), pointer :: bytes_in(:)
    character(kind=c_char), allocatable, target :: kept(:)
    integer(c_int64_t) :: in_bytes, out_bytes
    logical :: in_place
    in_bytes = plan%size(weft_in)*bytes_of(plan, weft_in)
    out_bytes = plan%size(weft_out)*bytes_of(plan, weft_out)
    in_place = index(plan%text(), ' in_place') > 0
    allocate (kept(in_bytes + 1))
    if (in_bytes > 0) then
      call c_f_pointer(c_loc(in), bytes_in, [in_bytes])
      kept(:in_bytes) = bytes_in
    end if
    call fft%forward()
    same_as_in_c = 1 == same_in_c(plan%text()//c_null_char, MPI_COMM_WORLD%mpi_val, &
                                  merge(1, 0, in_place), c_loc(kept), in_bytes, c_loc(out), &
                                  out_bytes)
  end function

  integer(c_int64_t) function bytes_of(plan, end) result(bytes)
    type(weft_plan), intent(in) :: plan
    integer, intent(in) :: end
    character(:), allocatable :: text
    text = plan%text()
    bytes = merge(8, 4, text(5:7) == 'f64')
    if (text(1:3) == 'c2c' .or. text(1:3) == merge('c2r', 'r2c', end == weft_in)) bytes = 2*bytes
  end function
end module same_module
