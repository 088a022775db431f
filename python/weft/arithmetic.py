"""numpy's arithmetic and reductions of distributed arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NoReturn, Optional

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import DTypeLike

from .distribution import Distribution
from .end import Array
from .errors import BadRequest
from .r2c_axis import Known, shared

if TYPE_CHECKING:
    from typing_extensions import Self


class Arithmetic(NDArrayOperatorsMixin):
    """numpy's protocol for DistArray. Elementwise work is local; reductions are collective and give
    the same value on every rank."""

    distribution: Distribution
    _local: Array
    _r2c_axis: Known

    if TYPE_CHECKING:
        @property
        def views(self) -> list[Array]: ...
        @property
        def size(self) -> int: ...
        def _like(self, local: Array, r2c_axis: Known) -> Self: ...

    # Before numpy arrays' own operators.
    __array_priority__ = 1000

    def __array__(self, dtype: Optional[DTypeLike] = None, copy: Optional[bool] = None) -> Array:
        """`local`, copied only for another dtype or on request."""
        if dtype is not None and np.dtype(dtype) != self._local.dtype:
            if copy is False:
                raise ValueError(f"dtype {dtype} of an array of {self._local.dtype} takes a copy")
            return self._local.astype(dtype)
        return self._local.copy() if copy else self._local

    def __dlpack_device__(self) -> tuple[int, int]:
        """Where `local` is, as DLPack has it: the host."""
        return self._local.__dlpack_device__()

    def __dlpack__(self, *, stream: None = None, max_version: Optional[tuple[int, int]] = None,
                   dl_device: Optional[tuple[int, int]] = None, copy: Optional[bool] = None) -> object:
        """`local` for other packages, copied only on request: torch.from_dlpack(x) is this rank's
        part."""
        asked = {"stream": stream, "max_version": max_version, "dl_device": dl_device, "copy": copy}
        export: Callable[..., object] = self._local.__dlpack__
        return export(**{name: value for name, value in asked.items() if value is not None})

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        if method != "__call__" or ufunc.signature is not None:
            raise BadRequest(f"np.{ufunc.__name__}.{method} of distributed arrays: use sum(), max(), "
                             "min(), mean(), vdot(), or work on x.local")
        given = options.get("out")
        if given is not None:
            options["out"] = tuple(self._operand(out) for out in given)
        if "where" in options:
            options["where"] = self._operand(options["where"])
        results = getattr(ufunc, method)(*(self._operand(value) for value in inputs), **options)
        if given is not None:
            _tell(given, inputs)
            return given[0] if len(given) == 1 else given
        r2c_axis = _known(inputs)
        if isinstance(results, tuple):
            return tuple(self._laid_out(result, r2c_axis) for result in results)
        return self._laid_out(results, r2c_axis)

    def _operand(self, value: Any) -> Any:
        """What takes part of an operand on this rank."""
        if isinstance(value, Arithmetic):
            if value.distribution != self.distribution:
                if value.distribution.comm != self.distribution.comm:
                    raise BadRequest("the arrays are distributed over different communicators")
                raise BadRequest(
                    "the arrays are distributed differently; redistribute one of them: "
                    f"{self.distribution.shape} {self.distribution.layout}, and "
                    f"{value.distribution.shape} {value.distribution.layout}")
            return value._local
        shape, here = np.shape(value), self._local.shape
        if len(shape) > len(here) or any(n not in (1, m) for n, m in zip(shape[::-1], here[::-1])):
            raise BadRequest(f"a numpy array of shape {shape} does not broadcast to this rank's part "
                             f"of shape {here}")
        return value

    def _laid_out(self, result: Array, r2c_axis: Known) -> Self:
        """A result of numpy's as an array of this distribution, copied if it lies otherwise."""
        end = self.distribution.end
        if result.size > 0 and (end.steps(result.strides)
                                != end.steps(end.strides(result.dtype.itemsize))):
            copy = end.allocated(result.dtype)
            copy[...] = result
            result = copy
        return self._like(result, r2c_axis)

    def __array_function__(self, function: Callable[..., Any], types: Any, arguments: Any,
                           options: Any) -> Any:
        """numpy's functions of elements, and those that have a method here; others are a TypeError,
        not a local result."""
        if function in _elementwise:
            return self._by_elements(function, arguments, options)
        method = _methods.get(function)
        if method is not None and isinstance(arguments[0], Arithmetic):
            return method(*arguments, **options)
        if not all(issubclass(kind, (Arithmetic, np.ndarray)) for kind in types):
            return NotImplemented
        raise TypeError(f"np.{function.__name__} has no meaning for distributed arrays, or is not "
                        "there for them; work on x.local, or on x.gather()")

    def _by_elements(self, function: Callable[..., Any], arguments: Any, options: Any) -> Any:
        out = options.get("out")
        named = {name: self._operand(value) for name, value in options.items()}
        result = function(*(self._operand(value) for value in arguments), **named)
        if out is not None:
            _tell((out,), arguments)
            return out
        if np.shape(result) != self._local.shape:
            raise BadRequest(f"np.{function.__name__} with these arguments gives no array of the same "
                             "shape; work on x.local")
        return self._laid_out(result, _known((*arguments, *options.values())))

    def __bool__(self) -> NoReturn:
        raise BadRequest("a distributed array is neither true nor false: use np.any(x) or np.all(x), "
                         "on all ranks")

    def copy(self) -> Self:
        """Local. A copy with the same distribution; copy.copy and copy.deepcopy are the same."""
        return self.astype(self._local.dtype)

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a distributed array is not pickled: save(), save_hdf5() and gather() are "
                        "collective, x.local is this rank's part")

    def astype(self, dtype: DTypeLike) -> Self:
        """Local. A copy of another dtype."""
        copy = self.distribution.end.allocated(np.dtype(dtype))
        copy[...] = self._local
        return self._like(copy, self._r2c_axis)

    @property
    def real(self) -> Self:
        """Local. A copy of the real parts."""
        return self._laid_out(self._local.real.copy(), self._r2c_axis)

    @property
    def imag(self) -> Self:
        """Local. A copy of the imaginary parts."""
        return self._laid_out(self._local.imag.copy(), self._r2c_axis)

    def conj(self) -> Self:
        """Local. The complex conjugate."""
        return self._laid_out(np.conjugate(self._local), self._r2c_axis)

    def sum(self, axis: None = None, dtype: Optional[DTypeLike] = None) -> Any:
        """Collective. The sum of all elements, in numpy's dtype of sums (or `dtype`)."""
        _require_all_axes(axis)
        kind = np.add.reduce(np.zeros(1, self._local.dtype), dtype=dtype).dtype
        here = np.zeros((), kind)
        for view in self.views:
            here += view.sum(dtype=dtype)
        return np.add.reduce(self._of_all_ranks(here), dtype=kind)

    def mean(self, axis: None = None, dtype: Optional[DTypeLike] = None) -> Any:
        """Collective. The mean of all elements."""
        return self.sum(axis, dtype) / self.size

    def var(self, axis: None = None, dtype: Optional[DTypeLike] = None, *, ddof: float = 0) -> Any:
        """Collective. The variance of all elements, divided by their number less ddof."""
        apart = abs(self - self.mean(axis, dtype)) ** 2
        return apart.sum() / (self.size - ddof)

    def std(self, axis: None = None, dtype: Optional[DTypeLike] = None, *, ddof: float = 0) -> Any:
        """Collective. The standard deviation of all elements: the root of var()."""
        return np.sqrt(self.var(axis, dtype, ddof=ddof))

    def any(self, axis: None = None) -> Any:
        """Collective. Whether any element is true."""
        _require_all_axes(axis)
        return self._of_all_ranks(np.array(any(view.any() for view in self.views))).any()

    def all(self, axis: None = None) -> Any:
        """Collective. Whether all elements are true."""
        _require_all_axes(axis)
        return self._of_all_ranks(np.array(all(view.all() for view in self.views))).all()

    def max(self, axis: None = None) -> Any:
        """Collective. The largest element; nan if there is one. Of real arrays."""
        return self._extreme(np.maximum, axis)

    def min(self, axis: None = None) -> Any:
        """Collective. The smallest element; nan if there is one. Of real arrays."""
        return self._extreme(np.minimum, axis)

    def _extreme(self, ufunc: np.ufunc, axis: None) -> Any:
        _require_all_axes(axis)
        dtype = self._local.dtype
        if dtype.kind not in "iuf":
            raise BadRequest(f"{ufunc.__name__} of dtype {dtype}: real numbers have an order")
        bounds: Any = np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)
        lowest = -np.inf if dtype.kind == "f" else bounds.min
        least = lowest if ufunc is np.maximum else (np.inf if dtype.kind == "f" else bounds.max)
        here = np.array(least, dtype)
        for view in self.views:
            here = np.asarray(ufunc(here, ufunc.reduce(view, axis=None)))
        return ufunc.reduce(self._of_all_ranks(here))

    def dot(self, other: Any) -> Any:
        """Collective. The sum of products with an equally distributed array, without conjugation,
        over all elements."""
        return (self * other).sum()

    def vdot(self, other: Any) -> Any:
        """Collective. The sum of products of the conjugate of this array with another one."""
        return (self.conj() * other).sum()

    def _of_all_ranks(self, value: Array) -> Array:
        """One value of each rank: combined from these, results are the same on all ranks."""
        comm = self.distribution.comm
        every = np.empty(comm.size, value.dtype)
        comm.Allgather(np.ascontiguousarray(value).reshape(1), every)
        return every


def _known(operands: Iterable[Any]) -> Known:
    """Which one is the r2c axis of what is made of these, element by element."""
    return shared(value._r2c_axis for value in operands if isinstance(value, Arithmetic))


def _tell(results: Iterable[Any], operands: Iterable[Any]) -> None:
    """Arrays that are given for results learn it; of numbers and numpy arrays they learn nothing."""
    arrays = [value for value in operands if isinstance(value, Arithmetic)]
    for result in results:
        if arrays and isinstance(result, Arithmetic):
            result._r2c_axis = _known(arrays)


# Of which each element of the result is of one element of each array.
_elementwise = {
    np.angle, np.around, np.clip, np.empty_like, np.full_like, np.i0, np.isclose, np.nan_to_num,
    np.ones_like, np.round, np.sinc, np.where, np.zeros_like,
}


def _norm(x: Arithmetic, ord: None = None, axis: None = None) -> Any:
    if ord is not None:
        raise BadRequest(f"ord={ord}: the norm of a distributed array is the root of the sum of squares")
    _require_all_axes(axis)
    return np.sqrt((abs(x) ** 2).sum())


_methods: dict[Any, Callable[..., Any]] = {
    np.sum: Arithmetic.sum, np.mean: Arithmetic.mean, np.max: Arithmetic.max, np.min: Arithmetic.min,
    np.amax: Arithmetic.max, np.amin: Arithmetic.min, np.dot: Arithmetic.dot,
    np.vdot: Arithmetic.vdot, np.copy: Arithmetic.copy, np.any: Arithmetic.any,
    np.all: Arithmetic.all, np.var: Arithmetic.var, np.std: Arithmetic.std,
    np.real: lambda x: x.real, np.imag: lambda x: x.imag, np.linalg.norm: _norm,
    np.allclose: lambda x, y, *tolerances, **options: np.isclose(x, y, *tolerances, **options).all(),
    np.shape: lambda x: x.shape, np.ndim: lambda x: x.ndim, np.size: lambda x: x.size,
}


def _require_all_axes(axis: Any) -> None:
    if axis is not None:
        raise BadRequest(f"axis={axis}: reductions of distributed arrays are over all axes")
