/*
 * Numbers that clients choose, in a table with a random hash function (Carter and Wegman's multilinear family). V8's
 * own hash of a number in a Map has no seed, so a client can send numbers that share a bucket: half a megabyte of
 * them blocks for seconds.
 */

const PRIME = 2 ** 31 - 1
const LOW_HALF = 0xffff
const MIN_BUCKETS = 16

/** Up to this many numbers, the worst bucket of a Map is short. */
export const FEW_NUMBERS = 256

/** Assigns indexes to different numbers, in the order in which they are added. */
export interface NumberTable {
  /** Adds a number unless it exists, and returns its index. Minus zero equals zero. */
  indexOf(number: number): number
}

/** Creates a table for a maximum number of entries. */
export function createNumberTable(most: number): NumberTable {
  return most <= FEW_NUMBERS ? new SmallTable() : new LargeTable(most)
}

/** For the usual list, creating a Map is six times cheaper. */
class SmallTable implements NumberTable {
  readonly #indexes = new Map<number, number>()

  indexOf(number: number): number {
    const known = this.#indexes.get(number)
    if (known !== undefined) return known
    const index = this.#indexes.size
    this.#indexes.set(number, index)
    return index
  }
}

class LargeTable implements NumberTable {
  readonly #double = new Float64Array(1)
  readonly #words = new Uint32Array(this.#double.buffer)
  readonly #factors = [factor(), factor(), factor(), factor()] as const
  readonly #mask: number
  /** The newest entry of each bucket, counted from 1. */
  readonly #heads: Int32Array
  /** The previous entry in the same bucket. */
  readonly #nexts: Int32Array
  readonly #keys: Float64Array
  #size = 0

  constructor(most: number) {
    const buckets = Math.max(MIN_BUCKETS, 2 ** (32 - Math.clz32(most)))
    this.#mask = buckets - 1
    this.#heads = new Int32Array(buckets)
    this.#nexts = new Int32Array(most)
    this.#keys = new Float64Array(most)
  }

  indexOf(number: number): number {
    const bucket = this.#bucketOf(number)
    for (let entry = this.#heads[bucket] ?? 0; entry !== 0; entry = this.#nexts[entry - 1] ?? 0) {
      if (this.#keys[entry - 1] === number) return entry - 1
    }
    const index = this.#size++
    this.#keys[index] = number
    this.#nexts[index] = this.#heads[bucket] ?? 0
    this.#heads[bucket] = index + 1
    return index
  }

  /** Four half words times four factors: below 2 ** 49, so the sum is exact. */
  #bucketOf(number: number): number {
    this.#double[0] = number + 0
    const [low = 0, high = 0] = this.#words
    const [a, b, c, d] = this.#factors
    const sum = (low & LOW_HALF) * a + (low >>> 16) * b + (high & LOW_HALF) * c + (high >>> 16) * d
    return (sum - Math.floor(sum / PRIME) * PRIME) & this.#mask
  }
}

function factor(): number {
  return 1 + Math.floor(Math.random() * (PRIME - 1))
}
