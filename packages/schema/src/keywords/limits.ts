import { TEST } from '../walk/leaf.ts'
import type { SchemaNode } from '../walk/node.ts'
import { TestPart, type Keyword } from '../walk/part.ts'

type LimitKeyword = 'maximum' | 'minimum' | 'exclusiveMaximum' | 'exclusiveMinimum'

interface Comparison {
  readonly sign: string
  readonly fits: (data: number, limit: number) => boolean
}

/** NaN is within no limits. */
const COMPARISONS: Readonly<Record<LimitKeyword, Comparison>> = {
  maximum: { sign: '<=', fits: (data, limit) => data <= limit },
  minimum: { sign: '>=', fits: (data, limit) => data >= limit },
  exclusiveMaximum: { sign: '<', fits: (data, limit) => data < limit },
  exclusiveMinimum: { sign: '>', fits: (data, limit) => data > limit },
}

interface Params {
  readonly comparison: string
  readonly limit: number
}

class LimitPart extends TestPart<number, Params> {
  readonly keyword: LimitKeyword
  readonly #limit: number
  readonly #comparison: Comparison

  constructor(node: SchemaNode, keyword: LimitKeyword, limit: number) {
    super(node)
    this.keyword = keyword
    this.#limit = limit
    this.#comparison = COMPARISONS[keyword]
  }

  test(data: number): boolean {
    return this.#comparison.fits(data, this.#limit)
  }

  params(): Params {
    return { comparison: this.#comparison.sign, limit: this.#limit }
  }

  message({ comparison, limit }: Params): string {
    return `must be ${comparison} ${limit}`
  }
}

/** The keywords `maximum`, `minimum`, `exclusiveMaximum` and `exclusiveMinimum`. */
export function limit(keyword: LimitKeyword): Keyword<number> {
  return {
    names: [keyword],
    read(node) {
      const value = node.schema[keyword]
      return typeof value === 'number' ? new LimitPart(node, keyword, value) : undefined
    },
    narrow(leaf, value) {
      if (leaf.kind === TEST.integer) leaf.kind = TEST.integerRange
      else if (leaf.kind === TEST.number) leaf.kind = TEST.numberRange
      if ((leaf.kind !== TEST.integerRange && leaf.kind !== TEST.numberRange) || typeof value !== 'number') {
        return false
      }
      if (keyword === 'minimum') leaf.minimum = value
      else if (keyword === 'maximum') leaf.maximum = value
      return keyword === 'minimum' || keyword === 'maximum'
    },
  }
}
