! The Taylor-Green vortex: a direct numerical simulation of 16^3 modes at 24^3 points (the 3/2 rule).
!
!     cmake --build build --target example_taylor_green_f
!     mpirun -n 2 build/bin/example_taylor_green_f
!     mpirun -n 2 build/bin/example_taylor_green_f 64
!
! It starts from u = (sin x cos y cos z, -cos x sin y cos z, 0) on a cube of 2 pi, and checks that the
! flow loses as much energy as viscosity dissipates, stays free of divergence, and has the energy and
! the dissipation at t = 1 that 48^3 points give by the convective form, dealiased by the 2/3 rule.
! taylor_green.cpp and taylor_green.py compute the same.
program taylor_green
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use weft
  implicit none
  integer, parameter :: steps = 50
  real(real64), parameter :: viscosity = 0.05_real64, dt = 0.02_real64
  ! Runge and Kutta's four stages.
  real(real64), parameter :: weight(4) = [1, 2, 2, 1]/6.0_real64
  real(real64), parameter :: ahead(4) = [0.5_real64, 0.5_real64, 1.0_real64, 0.0_real64]
  integer :: m, n  ! modes, an even number, and points along each axis
  ! Velocity and vorticity go to the points in one call, their product comes back in another.
  type(weft_plan) :: six, three
  type(weft_transform) :: both, product
  ! Velocity (1:3) and vorticity (4:6), and their product: the last index counts components.
  real(real64), pointer :: fields(:, :, :, :) => null(), force(:, :, :, :) => null()
  ! Spectra are Fourier coefficients.
  complex(real64), pointer :: spectra(:, :, :, :) => null(), change(:, :, :, :) => null()
  complex(real64), allocatable :: u_hat(:, :, :, :), begin(:, :, :, :), total(:, :, :, :)
  real(real64) :: energy(0:steps), dissipation(0:steps), lost, balance, divergence
  integer :: step, stage
  logical :: right

  call MPI_Init()
  m = modes_asked_for()
  n = m*3/2
  call six%create(problem_of(6), MPI_COMM_WORLD)
  call three%create(problem_of(3), MPI_COMM_WORLD)
  call weft_allocate(six, fields, spectra)
  call weft_allocate(three, force, change)
  call both%bind(six, fields, spectra)
  call product%bind(three, force, change)

  call set_velocity()
  call product%forward()
  u_hat = change
  call measure(energy(0), dissipation(0))
  do step = 1, steps
    begin = u_hat
    total = u_hat
    do stage = 1, 4
      call find_change()
      total = total + weight(stage)*dt*change
      u_hat = begin + ahead(stage)*dt*change
    end do
    u_hat = total
    call measure(energy(step), dissipation(step))
  end do

  ! Simpson's rule.
  lost = dt/3*(dissipation(0) + 4*sum(dissipation(1:steps - 1:2)) + &
               2*sum(dissipation(2:steps - 2:2)) + dissipation(steps))
  balance = abs(energy(0) - energy(steps) - lost)
  divergence = largest_divergence()
  if (three%rank() == 0) then
    print '(a, f9.6, a, f15.12, a, f4.1, a)', 'energy', energy(0), ' ->', energy(steps), ' in', &
      steps*dt, ' units of time'
    print '(a, es8.1, a, es8.1)', 'not accounted for', balance, ', divergence', divergence
  end if
  right = abs(energy(steps) - 0.091872284215_real64) < 1e-9_real64 .and. &
          abs(dissipation(steps) - 0.029548013135_real64) < 1e-7_real64 .and. &
          balance < 1e-10_real64 .and. divergence < 1e-14_real64

  call both%free()
  call product%free()
  call six%free()
  call three%free()
  call weft_deallocate(fields, spectra)
  call weft_deallocate(force, change)
  call MPI_Finalize()
  if (.not. right) error stop 1

contains

  integer function modes_asked_for() result(modes)
    character(16) :: text
    modes = 16
    if (command_argument_count() == 0) return
    call get_command_argument(1, text)
    read (text, *) modes
  end function

  !> Of the spectrum of n^3 points m^3 modes are kept, and of these the ones of m/2 are zero: they
  !> would stand for -m/2 as well, and have no derivative.
  type(weft_problem) function problem_of(batch) result(problem)
    integer, intent(in) :: batch
    problem = weft_problem([n, n, n], kind=weft_r2c, batch=batch, in=weft_slab(3), &
                           out=weft_slab(2), scale='n/none', modes=[m, m, m], &
                           even_modes='zero')
  end function

  subroutine set_velocity()
    real(real64) :: h
    integer :: i, j, k
    h = 8*atan(1.0_real64)/n
    do k = lbound(force, 3), ubound(force, 3)
      do j = lbound(force, 2), ubound(force, 2)
        do i = lbound(force, 1), ubound(force, 1)
          force(i, j, k, 1) = sin(h*(i - 1))*cos(h*(j - 1))*cos(h*(k - 1))
          force(i, j, k, 2) = -cos(h*(i - 1))*sin(h*(j - 1))*cos(h*(k - 1))
          force(i, j, k, 3) = 0
        end do
      end do
    end do
  end subroutine

  !> du/dt in Fourier space, in change: u x curl u without its gradient part, and viscosity.
  subroutine find_change()
    complex(real64), parameter :: i_unit = (0, 1)
    complex(real64) :: along
    real(real64) :: wave(3), square
    integer :: i, j, k
    do k = lbound(u_hat, 3), ubound(u_hat, 3)
      do j = lbound(u_hat, 2), ubound(u_hat, 2)
        do i = lbound(u_hat, 1), ubound(u_hat, 1)
          spectra(i, j, k, 1:3) = u_hat(i, j, k, :)
          spectra(i, j, k, 4:6) = i_unit*cross(cmplx(wave_vector(i, j, k), kind=real64), &
                                               u_hat(i, j, k, :))
        end do
      end do
    end do
    call both%backward()
    do k = lbound(force, 3), ubound(force, 3)
      do j = lbound(force, 2), ubound(force, 2)
        do i = lbound(force, 1), ubound(force, 1)
          force(i, j, k, :) = real(cross(cmplx(fields(i, j, k, 1:3), kind=real64), &
                                         cmplx(fields(i, j, k, 4:6), kind=real64)), real64)
        end do
      end do
    end do
    call product%start_forward()
    do k = lbound(u_hat, 3), ubound(u_hat, 3)  ! Meanwhile what needs no product: viscosity.
      do j = lbound(u_hat, 2), ubound(u_hat, 2)
        do i = lbound(u_hat, 1), ubound(u_hat, 1)
          u_hat(i, j, k, :) = -viscosity*sum(wave_vector(i, j, k)**2)*u_hat(i, j, k, :)
        end do
      end do
    end do
    call product%wait()
    do k = lbound(u_hat, 3), ubound(u_hat, 3)
      do j = lbound(u_hat, 2), ubound(u_hat, 2)
        do i = lbound(u_hat, 1), ubound(u_hat, 1)
          wave = wave_vector(i, j, k)
          square = max(sum(wave**2), 1.0_real64)
          along = sum(wave*change(i, j, k, :))
          change(i, j, k, :) = change(i, j, k, :) - wave*along/square + u_hat(i, j, k, :)
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
          ! Each value of the r2c axis stands for k and -k, but that of k = 0 for itself.
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

  !> Of an element of the spectrum. Along an axis: 0 to m/2, then the negative ones.
  function wave_vector(i, j, k) result(wave)
    integer, intent(in) :: i, j, k
    real(real64) :: wave(3)
    integer :: index(3)
    index = [i, j, k] - 1
    wave = merge(index, index - m, index <= m/2)
  end function

  pure function cross(a, b) result(c)
    complex(real64), intent(in) :: a(3), b(3)
    complex(real64) :: c(3)
    c = cshift(a, 1)*cshift(b, 2) - cshift(a, 2)*cshift(b, 1)
  end function
end program taylor_green
