import { addTextTest } from '../walk/leaf.ts'
import type { SchemaNode } from '../walk/node.ts'
import { TestPart, type Keyword } from '../walk/part.ts'

interface Params {
  readonly pattern: string
}

class PatternPart extends TestPart<string, Params> {
  readonly keyword = 'pattern'
  readonly #source: string
  readonly #pattern: RegExp

  constructor(node: SchemaNode, source: string) {
    super(node)
    this.#source = source
    this.#pattern = new RegExp(source, 'u')
  }

  test(text: string): boolean {
    return this.#pattern.test(text)
  }

  params(): Params {
    return { pattern: this.#source }
  }

  message({ pattern: source }: Params): string {
    return `must match pattern "${source}"`
  }
}

/** The keyword `pattern`. */
export const pattern: Keyword<string> = {
  names: ['pattern'],
  read(node) {
    const source = node.schema['pattern']
    return typeof source === 'string' ? new PatternPart(node, source) : undefined
  },
  narrow(leaf, source) {
    if (typeof source !== 'string') return false
    const expression = new RegExp(source, 'u')
    return addTextTest(leaf, (text) => expression.test(text))
  },
}
