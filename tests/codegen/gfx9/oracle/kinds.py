"""The kinds of sources and results, where the name of an instruction does not say them at its end."""

from __future__ import annotations

__all__ = ["RESULTS", "SOURCES"]

WIDE_SHIFTS = ("s_lshl_b64", "s_lshr_b64", "s_ashr_i64")
WITH_CARRY = ("v_addc_co_u32", "v_subb_co_u32", "v_subbrev_co_u32")
COUNTS_OF_BITS = ("s_bcnt0_i32_b64", "s_bcnt1_i32_b64", "s_ff0_i32_b64", "s_ff1_i32_b64", "s_flbit_i32_b64")
TO_FLOATS = ("fract", "frexp_mant", "ldexp", "mac", "mad")
TO_WORDS = ("v_cvt_i32_f32", "v_cvt_u32_f32", "v_cvt_flr_i32_f32", "v_cvt_rpi_i32_f32")
SOURCES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys((*WIDE_SHIFTS, "s_bitcmp0_b64", "s_bitcmp1_b64"), ("b64", "b32")),
    **dict.fromkeys(("s_bfe_u32", "s_bfe_i32"), ("b32", "fields")),
    **dict.fromkeys(("s_bfe_u64", "s_bfe_i64"), ("b64", "wide fields")),
    "s_bfm_b64": ("b32", "b32"),
    **dict.fromkeys(("v_lshlrev_b64", "v_lshrrev_b64", "v_ashrrev_i64"), ("b32", "b64")),
    **dict.fromkeys(("v_mad_u64_u32", "v_mad_i64_i32"), ("b32", "b32", "b64")),
    **dict.fromkeys(WITH_CARRY, ("b32", "b32", "flag")),
    "v_cndmask_b32": ("b32", "b32", "flag"),
    "v_lshl_add_u64": ("b64", "b32", "b64"),
    **dict.fromkeys((*TO_WORDS, "v_frexp_exp_i32_f32"), ("f32",)),
    **dict.fromkeys(("v_cvt_i16_f16", "v_cvt_u16_f16", "v_frexp_exp_i16_f16"), ("f16",)),
    **dict.fromkeys(("v_cvt_i32_f64", "v_cvt_u32_f64", "v_frexp_exp_i32_f64"), ("f64",)),
    **dict.fromkeys(("v_cvt_pk_bf16_f32", "v_cvt_pk_f16_f32", "v_cvt_pkrtz_f16_f32"), ("f32", "f32")),
    **{f"v_ldexp_{kind}": (kind, "exponents") for kind in ("f16", "f32", "f64")},
    **{f"v_div_fixup_{kind}": (kind,) * 3 for kind in ("f16", "f32", "f64")},
    **{f"v_div_fmas_{kind}": (kind, kind, kind, "flag") for kind in ("f32", "f64")},
    **{f"v_{name}_{kind}": (kind,) * 2 for name in ("min", "max") for kind in ("f16", "f32", "f64")},
    **{f"v_{name}3_{kind}": (kind,) * 3 for name in ("min", "max") for kind in ("f16", "f32")},
    **{f"v_{name}_{kind}": ("b32",) * 2 for name in ("min", "max") for kind in ("i16", "u16")},
    **{f"v_{name}3_{kind}": ("b32",) * 3 for name in ("min", "max", "med") for kind in ("i16", "u16", "i32")},
    **{f"v_{name}_{kind}": (kind,) * 3 for name in ("mac", "mad") for kind in ("f16", "f32")},
}
RESULTS: dict[str, str] = {
    **dict.fromkeys((*COUNTS_OF_BITS, "s_flbit_i32_i64"), "b32"),
    **dict.fromkeys(("v_cvt_i32_f64", "v_cvt_u32_f64", "v_frexp_exp_i32_f64"), "b32"),
    "v_mul_legacy_f32": "f32",
    **dict.fromkeys(("v_cvt_pk_f16_f32", "v_cvt_pkrtz_f16_f32"), "two f16"),
    "v_cvt_pk_bf16_f32": "b32",
    **{f"v_cvt_f32_ubyte{n}": "f32" for n in range(4)},
    **{f"v_{name}_{kind}": kind for name in TO_FLOATS for kind in ("f16", "f32", "f64")},
    **{f"v_div_{name}_{kind}": kind for name in ("fixup", "fmas", "scale") for kind in ("f16", "f32", "f64")},
}
