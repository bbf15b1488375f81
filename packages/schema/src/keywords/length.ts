import { codePointLength } from '../runtime/length.ts'
import { TEST, type Leaf } from '../walk/leaf.ts'
import type { SchemaNode } from '../walk/node.ts'
import { TestPart, type Keyword } from '../walk/part.ts'

interface Params {
  readonly limit: number
}

/** Code points are counted only where the number of code units, of which each has one or two, leaves it open. */
abstract class LengthPart extends TestPart<string, Params> {
  readonly limit: number

  constructor(node: SchemaNode, limit: number) {
    super(node)
    this.limit = limit
  }

  params(): Params {
    return { limit: this.limit }
  }
}

class MaxLengthPart extends LengthPart {
  readonly keyword = 'maxLength'

  test(text: string): boolean {
    const { length } = text
    return length <= this.limit || (length <= this.limit * 2 && codePointLength(text) <= this.limit)
  }

  message({ limit }: Params): string {
    return `must NOT have more than ${limit} characters`
  }
}

class MinLengthPart extends LengthPart {
  readonly keyword = 'minLength'

  test(text: string): boolean {
    const { length } = text
    return length >= this.limit * 2 || (length >= this.limit && codePointLength(text) >= this.limit)
  }

  message({ limit }: Params): string {
    return `must NOT have fewer than ${limit} characters`
  }
}

/** The keyword `maxLength`. */
export const maxLength: Keyword<string> = {
  names: ['maxLength'],
  read(node) {
    const limit = node.schema['maxLength']
    return typeof limit === 'number' ? new MaxLengthPart(node, limit) : undefined
  },
  narrow(leaf, limit) {
    if (typeof limit === 'number') leaf.maximum = limit
    return typeof limit === 'number' && isOfText(leaf)
  },
}

/** The keyword `minLength`. */
export const minLength: Keyword<string> = {
  names: ['minLength'],
  read(node) {
    const limit = node.schema['minLength']
    return typeof limit === 'number' ? new MinLengthPart(node, limit) : undefined
  },
  narrow(leaf, limit) {
    if (typeof limit === 'number') leaf.minimum = limit
    return typeof limit === 'number' && isOfText(leaf)
  },
}

/** Whether a leaf tests texts; it then tests their length, too. */
function isOfText(leaf: Leaf): boolean {
  if (leaf.kind === TEST.string) leaf.kind = TEST.length
  return leaf.kind === TEST.length || leaf.kind === TEST.text
}
