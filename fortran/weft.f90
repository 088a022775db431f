! weft in Fortran: distributed-memory FFTs of arrays as Fortran has them (docs/fortran.md).
!
!     type(weft_plan) :: plan
!     type(weft_transform) :: fft
!     complex(real64), pointer :: u(:, :, :), u_hat(:, :, :)
!     call plan%create(weft_problem([256, 256, 256]), MPI_COMM_WORLD)
!     call weft_allocate(plan, u, u_hat)
!     call fft%bind(plan, u, u_hat)
!     call fft%forward()
module weft
  use weft_allocation, only: weft_allocate, weft_deallocate
  use weft_axes, only: weft_index
  use weft_boxes, only: weft_box
  use weft_ends, only: weft_in, weft_out
  use weft_errors, only: weft_bad_request, weft_last_error, weft_not_available, weft_success, &
    weft_system, weft_version, weft_wrong_result
  use weft_layouts, only: weft_brick, weft_cut, weft_free, weft_grid, weft_layout, weft_pencil, &
    weft_single, weft_slab, weft_sphere
  use weft_plans, only: weft_plan
  use weft_problems, only: weft_axis_c2c, weft_axis_c2r, weft_axis_none, weft_axis_r2c, weft_c2c, &
    weft_c2r, weft_dct1, weft_dct2, weft_dct3, weft_dct4, weft_dst1, weft_dst2, weft_dst3, &
    weft_dst4, weft_f32, weft_f64, weft_problem, weft_r2c, weft_r2r, weft_redistribute
  use weft_transforms, only: weft_transform
  use weft_wisdom, only: weft_wisdom_export, weft_wisdom_forget, weft_wisdom_import
  implicit none
  public
end module weft
