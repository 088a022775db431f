! The Taylor-Green vortex: a direct numerical simulation, dealiased by the 2/3 rule.
!
!     cmake --build build --target example_taylor_green_f
!     mpirun -n 2 build/bin/example_taylor_green_f
!
! It starts from u = (sin x cos y cos z, -cos x sin y cos z, 0) on a cube of 2 pi, and checks that the
! flow loses as much energy as viscosity dissipates, stays free of divergence, and has the energy and
! the dissipation at t = 1 that 48^3 points give by the convective form.
program taylor_green
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use weft
  implicit none
  ! Products of wave numbers up to kept < n/3 do not alias to these.
  integer, parameter :: n = 24, kept = 7, steps = 50
  real(real64), parameter :: viscosity = 0.05_real64, dt = 0.02_real64
  ! Runge and Kutta's four stages.
  real(real64), parameter :: weight(4) = [1, 2, 2, 1]/6.0_real64
  real(real64), parameter :: ahead(4) = [0.5_real64, 0.5_real64, 1.0_real64, 0.0_real64]
  type(weft_plan) :: plan
  type(weft_transform) :: fft
  ! Velocity and vorticity; the last index counts components. Spectra are Fourier coefficients.
  real(real64), pointer :: u(:, :, :, :) => null(), w(:, :, :, :) => null()
  complex(real64), pointer :: u_hat(:, :, :, :) => null(), w_hat(:, :, :, :) => null()
  complex(real64), allocatable :: begin(:, :, :, :), total(:, :, :, :)
  real(real64) :: energy(0:steps), dissipation(0:steps), lost, balance, divergence
  integer :: step, stage
  logical :: right

  call MPI_Init()
  call plan%create(weft_problem([n, n, n], kind=weft_r2c, batch=3, in=weft_slab(3), &
                                out=weft_slab(2), scale='n/none'), MPI_COMM_WORLD)
  call weft_allocate(plan, u, u_hat)
  call weft_allocate(plan, w, w_hat)
  call fft%bind_any(plan)

  call set_velocity()
  call fft%forward(u, u_hat)
  call measure(energy(0), dissipation(0))
  do step = 1, steps
    begin = u_hat
    total = u_hat
    do stage = 1, 4
      call find_change()
      total = total + weight(stage)*dt*w_hat
      u_hat = begin + ahead(stage)*dt*w_hat
    end do
    u_hat = total
    call measure(energy(step), dissipation(step))
  end do

  ! Simpson's rule.
  lost = dt/3*(dissipation(0) + 4*sum(dissipation(1:steps - 1:2)) + &
               2*sum(dissipation(2:steps - 2:2)) + dissipation(steps))
  balance = abs(energy(0) - energy(steps) - lost)
  divergence = largest_divergence()
  if (plan%rank() == 0) then
    print '(a, f9.6, a, f9.6, a, f4.1, a)', 'energy', energy(0), ' ->', energy(steps), ' in', &
      steps*dt, ' units of time'
    print '(a, es8.1, a, es8.1)', 'not accounted for', balance, ', divergence', divergence
  end if
  right = abs(energy(steps) - 0.091872284215_real64) < 1e-8_real64 .and. &
          abs(dissipation(steps) - 0.029548013135_real64) < 1e-7_real64 .and. &
          balance < 1e-8_real64 .and. divergence < 1e-14_real64

  call fft%free()
  call plan%free()
  call weft_deallocate(u, u_hat)
  call weft_deallocate(w, w_hat)
  call MPI_Finalize()
  if (.not. right) error stop 1

contains

  subroutine set_velocity()
    real(real64), parameter :: h = 8*atan(1.0_real64)/n
    integer :: i, j, k
    do k = lbound(u, 3), ubound(u, 3)
      do j = lbound(u, 2), ubound(u, 2)
        do i = lbound(u, 1), ubound(u, 1)
          u(i, j, k, 1) = sin(h*(i - 1))*cos(h*(j - 1))*cos(h*(k - 1))
          u(i, j, k, 2) = -cos(h*(i - 1))*sin(h*(j - 1))*cos(h*(k - 1))
          u(i, j, k, 3) = 0
        end do
      end do
    end do
  end subroutine

  !> du/dt in Fourier space, in w_hat: u x curl u without its gradient part, and viscosity.
  subroutine find_change()
    complex(real64), parameter :: i_unit = (0, 1)
    real(real64) :: wave(3)
    integer :: i, j, k
    do k = lbound(u_hat, 3), ubound(u_hat, 3)
      do j = lbound(u_hat, 2), ubound(u_hat, 2)
        do i = lbound(u_hat, 1), ubound(u_hat, 1)
          w_hat(i, j, k, :) = i_unit*cross(cmplx(wave_vector(i, j, k), kind=real64), &
                                           u_hat(i, j, k, :))
        end do
      end do
    end do
    call fft%backward(u, u_hat)
    call fft%backward(w, w_hat)
    do k = lbound(u, 3), ubound(u, 3)
      do j = lbound(u, 2), ubound(u, 2)
        do i = lbound(u, 1), ubound(u, 1)
          u(i, j, k, :) = real(cross(cmplx(u(i, j, k, :), kind=real64), &
                                     cmplx(w(i, j, k, :), kind=real64)), real64)
        end do
      end do
    end do
    call fft%forward(u, w_hat)
    do k = lbound(w_hat, 3), ubound(w_hat, 3)
      do j = lbound(w_hat, 2), ubound(w_hat, 2)
        do i = lbound(w_hat, 1), ubound(w_hat, 1)
          wave = wave_vector(i, j, k)
          w_hat(i, j, k, :) = w_hat(i, j, k, :) - &
                              wave*sum(wave*w_hat(i, j, k, :))/max(sum(wave**2), 1.0_real64) - &
                              viscosity*sum(wave**2)*u_hat(i, j, k, :)
          if (maxval(abs(wave)) > kept) w_hat(i, j, k, :) = 0
        end do
      end do
    end do
  end subroutine

  !> Of this rank's part of the spectrum, then of all.
  subroutine measure(energy, dissipation)
    real(real64), intent(out) :: energy, dissipation
    real(real64) :: squares, sums(2)
    integer :: i, j, k
    sums = 0
    do k = lbound(u_hat, 3), ubound(u_hat, 3)
      do j = lbound(u_hat, 2), ubound(u_hat, 2)
        do i = lbound(u_hat, 1), ubound(u_hat, 1)
          ! Each value of the halved axis stands for k and -k, but that of k = 0 for itself.
          squares = merge(1, 2, i == 1)*sum(abs(u_hat(i, j, k, :))**2)
          sums = sums + squares*[0.5_real64, viscosity*sum(wave_vector(i, j, k)**2)]
        end do
      end do
    end do
    call MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
    energy = sums(1)
    dissipation = sums(2)
  end subroutine

  real(real64) function largest_divergence() result(largest)
    integer :: i, j, k
    largest = 0
    do k = lbound(u_hat, 3), ubound(u_hat, 3)
      do j = lbound(u_hat, 2), ubound(u_hat, 2)
        do i = lbound(u_hat, 1), ubound(u_hat, 1)
          largest = max(largest, abs(sum(wave_vector(i, j, k)*u_hat(i, j, k, :))))
        end do
      end do
    end do
    call MPI_Allreduce(MPI_IN_PLACE, largest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
  end function

  !> Of an element of the spectrum. Along an axis: 0 to n/2, then the negative ones.
  pure function wave_vector(i, j, k) result(wave)
    integer, intent(in) :: i, j, k
    real(real64) :: wave(3)
    integer :: index(3)
    index = [i, j, k] - 1
    wave = merge(index, index - n, index <= n/2)
  end function

  pure function cross(a, b) result(c)
    complex(real64), intent(in) :: a(3), b(3)
    complex(real64) :: c(3)
    c = cshift(a, 1)*cshift(b, 2) - cshift(a, 2)*cshift(b, 1)
  end function
end program taylor_green
