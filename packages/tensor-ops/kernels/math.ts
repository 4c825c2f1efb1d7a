// Vector exp, tanh, sigmoid and a scalar log. No tables: a data segment would overwrite tfjs' memory.

@inline export function splat(x: f32): v128 { return f32x4.splat(x); }
@inline export function lane0(v: v128): f32 { return f32x4.extract_lane(v, 0); }

/** 1, but not so that the compiler knows. */
const one: f32 = memory.size() != -1 ? 1 : 2;
/** From here on the quotient of tanhV rounds to 1, with and without fused multiply-adds. */
export const TANH_BOUND: f32 = ASC_FEATURE_RELAXED_SIMD ? <f32>7.99881172180175781 : <f32>7.90531110763549805;
// Made when the module starts and read from memory: a constant written into the code takes the engine three instructions at each use.
const EXP_ANY_LOW = splat(-104 * one), EXP_ANY_HIGH = splat(89 * one);
const EXP_LOW = splat(-87.33 * one), EXP_HIGH = splat(88 * one), LOG2_E = splat(1.44269504088896341 * one), ROUND = splat(12582912 * one);
const LN2_HIGH = splat(-0.693359375 * one), LN2_LOW = splat(2.12194440e-4 * one), UNIT = splat(one);
const E0 = splat(1.9875691500e-4 * one), E1 = splat(1.3981999507e-3 * one), E2 = splat(8.3334519073e-3 * one), E3 = splat(4.1665795894e-2 * one), E4 = splat(1.6666665459e-1 * one), E5 = splat(5.0000001201e-1 * one);
const TANH_LOW = splat(-TANH_BOUND * one), TANH_HIGH = splat(TANH_BOUND * one);
const P0 = splat(-2.76076847742355e-16 * one), P1 = splat(2.00018790482477e-13 * one), P2 = splat(-8.60467152213735e-11 * one), P3 = splat(5.12229709037114e-08 * one), P4 = splat(1.48572235717979e-05 * one), P5 = splat(6.37261928875436e-04 * one), P6 = splat(4.89352455891786e-03 * one);
const Q0 = splat(1.19825839466702e-06 * one), Q1 = splat(1.18534705686654e-04 * one), Q2 = splat(2.26843463243900e-03 * one), Q3 = splat(4.89352518554385e-03 * one);

/** 1, but not so that the compiler knows: what is made from it outside a loop stays in a register inside. */
@inline export function oneFor(n: i32): f32 { return n != -1 ? 1 : 2; }

/** a*b + c: fused where the build has relaxed SIMD, else two roundings. */
@inline export function madd(a: v128, b: v128, c: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return v128.relaxed_madd<f32>(a, b, c);
  return v128.add<f32>(v128.mul<f32>(a, b), c);
}

/** Sum of the four lanes. */
@inline export function sumLanes(v: v128): f32 {
  const a = v128.add<f32>(v, v128.shuffle<f32>(v, v, 2, 3, 0, 1));
  return f32x4.extract_lane(a, 0) + f32x4.extract_lane(a, 1);
}

/** Largest of the four lanes. */
@inline export function maxLanes(v: v128): f32 {
  const a = v128.max<f32>(v, v128.shuffle<f32>(v, v, 2, 3, 0, 1));
  return max(f32x4.extract_lane(a, 0), f32x4.extract_lane(a, 1));
}

/** e^x (Cephes' polynomial), x held in [-87.33, 88]; relative error < 2e-7. Adding 1.5*2^23 rounds to an integer. */
@inline export function expV(x: v128): v128 {
  x = v128.pmax<f32>(v128.pmin<f32>(x, EXP_HIGH), EXP_LOW); // in this order NaN passes, in one instruction each
  const t = v128.add<f32>(v128.mul<f32>(x, LOG2_E), ROUND);
  const p = expRest(x, v128.sub<f32>(t, ROUND));
  return v128.mul<f32>(p, v128.add<i32>(v128.shl<i32>(t, 23), UNIT)); // 0x3F800000 is 1.0
}

/** e^(x - n ln 2). */
@inline function expRest(x: v128, n: v128): v128 {
  let r = madd(n, LN2_HIGH, x);
  r = madd(n, LN2_LOW, r);
  let p = madd(r, E0, E1);
  p = madd(r, p, E2);
  p = madd(r, p, E3);
  p = madd(r, p, E4);
  p = madd(r, p, E5);
  return v128.add<f32>(madd(v128.mul<f32>(r, r), p, r), UNIT);
}

/** e^x for every x: 0 below, infinity above, NaN for NaN; relative error < 2e-7. The power of two is multiplied in two halves, as it may not be a float. */
@inline export function expAnyV(x: v128): v128 {
  x = v128.pmax<f32>(v128.pmin<f32>(x, splat(89)), splat(-104));
  const t = v128.add<f32>(v128.mul<f32>(x, LOG2_E), ROUND);
  const p = expRest(x, v128.sub<f32>(t, ROUND));
  const n = v128.sub<i32>(t, i32x4.splat(0x4B400000)), half = v128.shr<i32>(n, 1);
  return v128.mul<f32>(v128.mul<f32>(p, powerOfTwo(half)), powerOfTwo(v128.sub<i32>(n, half)));
}

/** 2^n for whole n in [-126, 127]. */
@inline function powerOfTwo(n: v128): v128 { return v128.add<i32>(v128.shl<i32>(n, 23), UNIT); }

/** 1 / (1 + e^-x). */
@inline export function sigmoidV(x: v128): v128 {
  return v128.div<f32>(UNIT, v128.add<f32>(UNIT, expV(v128.neg<f32>(x))));
}

/** tanh as a quotient of polynomials (Eigen's coefficients), x held in ±TANH_BOUND; relative error < 4e-7. */
@inline export function tanhV(x: v128): v128 {
  x = v128.pmax<f32>(v128.pmin<f32>(x, TANH_HIGH), TANH_LOW);
  const y = v128.mul<f32>(x, x);
  let p = madd(y, P0, P1);
  p = madd(y, p, P2);
  p = madd(y, p, P3);
  p = madd(y, p, P4);
  p = madd(y, p, P5);
  p = v128.mul<f32>(x, madd(y, p, P6));
  let q = madd(y, Q0, Q1);
  q = madd(y, q, Q2);
  return v128.div<f32>(p, madd(y, q, Q3));
}

/** Natural logarithm of a positive x, in double precision; NaN and Infinity are their own. */
export function logOf(x: f64): f64 {
  if (!(x < Infinity)) return x;
  const u = reinterpret<u64>(x);
  let e = <i32>(u >> 52) - 1023;
  let m = reinterpret<f64>((u & 0x000FFFFFFFFFFFFF) | 0x3FF0000000000000);
  if (m > 1.4142135623730951) { m *= 0.5; e++; }
  const f = (m - 1) / (m + 1), w = f * f;
  return <f64>e * 0.6931471805599453 + 2 * f * (1 + w * (1.0 / 3 + w * (1.0 / 5 + w * (1.0 / 7 + w * (1.0 / 9 + w * (1.0 / 11 + w * (1.0 / 13 + w * (1.0 / 15 + w * (1.0 / 17)))))))));
}
