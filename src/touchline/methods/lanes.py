"""Several numbers at a time in numba kernels, as the lanes of a vector register.

numba leaves it to the compiler to find what can be done at once, and the compiler finds little in
loops over a few dozen numbers: most of them end up in the remainder that is done one by one. Here
a kernel says it. Lanes are eight doubles or sixteen floats; a processor with shorter registers
takes several of them. A factor times a number may be added without rounding in between.

    store(sums, at, plus(load(sums, at), weight, load(row, at)))

does what `sums[at + j] += weight * row[at + j]` does for each lane j. Arrays are one-dimensional
and contiguous, and long enough: nothing is checked.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

BYTES = 64
FUSED = ("contract",)


class Lanes(types.Type):
    """The type of a vector, for numba."""

    def __init__(self, element: Any) -> None:
        self.element = element
        self.count = BYTES * 8 // element.bitwidth
        super().__init__(name=f"Lanes({element})")


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, lanes: Lanes) -> None:
        element = manager.lookup(lanes.element).get_value_type()
        super().__init__(manager, lanes, ir.VectorType(element, lanes.count))


def _place(context: Any, builder: Any, array_type: Any, array: Any, at: Any, count: int) -> Any:
    """A pointer to so many numbers of an array."""
    data = cgutils.create_struct_proxy(array_type)(context, builder, value=array).data
    vector = ir.VectorType(data.type.pointee, count)
    return builder.bitcast(builder.gep(data, [at]), vector.as_pointer())


def _alike(builder: Any, value: Any, vector: Any) -> Any:
    """A vector of one value."""
    nothing = ir.Constant(vector, ir.Undefined)
    first = builder.insert_element(nothing, value, ir.Constant(ir.IntType(32), 0))
    everywhere = ir.Constant(ir.VectorType(ir.IntType(32), vector.count), [0] * vector.count)
    return builder.shuffle_vector(first, nothing, everywhere)


@intrinsic
def load(_: Any, array: Any, at: Any) -> Any:
    """The numbers of an array from a place on."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        given = signature.args[0]
        count = signature.return_type.count
        found = builder.load(_place(context, builder, given, *args, count))
        found.align = given.dtype.bitwidth // 8
        return found

    return Lanes(array.dtype)(array, types.intp), build


@intrinsic
def load_wide(_: Any, array: Any, at: Any) -> Any:
    """Eight floats of an array from a place on, as doubles."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        wide = context.get_value_type(signature.return_type)
        found = builder.load(_place(context, builder, signature.args[0], *args, wide.count))
        found.align = signature.args[0].dtype.bitwidth // 8
        return builder.fpext(found, wide)

    return Lanes(types.float64)(array, types.intp), build


@intrinsic
def store(_: Any, array: Any, at: Any, lanes: Any) -> Any:
    """Write lanes into an array from a place on."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array, at, value = args
        place = _place(context, builder, signature.args[0], array, at, value.type.count)
        builder.store(value, place).align = signature.args[0].dtype.bitwidth // 8
        return context.get_dummy_value()

    return types.void(array, types.intp, lanes), build


@intrinsic
def alike(_: Any, value: Any) -> Any:
    """Lanes that all have one value."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _alike(builder, args[0], context.get_value_type(signature.return_type))

    return Lanes(value)(value), build


@intrinsic
def plus(_: Any, lanes: Any, factor: Any, other: Any) -> Any:
    """lanes + factor * other."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        product = builder.fmul(_alike(builder, args[1], args[0].type), args[2], flags=FUSED)
        return builder.fadd(args[0], product, flags=FUSED)

    return lanes(lanes, lanes.element, other), build


@intrinsic
def minus(_: Any, lanes: Any, factor: Any, other: Any) -> Any:
    """lanes - factor * other."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        product = builder.fmul(_alike(builder, args[1], args[0].type), args[2], flags=FUSED)
        return builder.fsub(args[0], product, flags=FUSED)

    return lanes(lanes, lanes.element, other), build


@intrinsic
def times(_: Any, lanes: Any, factor: Any) -> Any:
    """lanes * factor."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.fmul(args[0], _alike(builder, args[1], args[0].type), flags=FUSED)

    return lanes(lanes, lanes.element), build


@intrinsic
def plus_products(_: Any, lanes: Any, left: Any, right: Any) -> Any:
    """lanes + left * right, lane by lane."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        product = builder.fmul(args[1], args[2], flags=FUSED)
        return builder.fadd(args[0], product, flags=FUSED)

    return lanes(lanes, left, right), build


@intrinsic
def total(_: Any, lanes: Any) -> Any:
    """The sum of all lanes, added in pairs."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        left = [
            builder.extract_element(args[0], ir.Constant(ir.IntType(32), i))
            for i in range(args[0].type.count)
        ]
        while len(left) > 1:
            half = len(left) // 2
            left = [builder.fadd(left[i], left[i + half]) for i in range(half)]
        return left[0]

    return lanes.element(lanes), build
