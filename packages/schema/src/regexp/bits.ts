/** A set of small numbers, one bit for each. */
export type Bits = Int32Array

/** An empty set, for numbers below a limit. */
export function emptyBits(limit: number): Bits {
  return new Int32Array((limit + 31) >>> 5)
}

/** Adds a number to a set. */
export function addBit(bits: Bits, index: number): void {
  const word = index >>> 5
  bits[word] = (bits[word] ?? 0) | (1 << (index & 31))
}

/** Whether a number is in a set. */
export function hasBit(bits: Bits, index: number): boolean {
  return ((bits[index >>> 5] ?? 0) & (1 << (index & 31))) !== 0
}

/** Whether two sets are equal. */
export function areSame(left: Bits, right: Bits): boolean {
  return left.every((word, index) => word === right[index])
}

/** Whether some number is in both sets. */
export function haveCommon(left: Bits, right: Bits): boolean {
  return left.some((word, index) => (word & (right[index] ?? 0)) !== 0)
}

/** The numbers that are in both sets. */
export function commonOf(left: Bits, right: Bits): Bits {
  return left.map((word, index) => word & (right[index] ?? 0))
}
