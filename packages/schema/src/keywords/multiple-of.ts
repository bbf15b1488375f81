import { isMultipleOf } from '../runtime/measures.ts'
import type { SchemaNode } from '../walk/node.ts'
import { TestPart, type Keyword } from '../walk/part.ts'

interface Params {
  readonly multipleOf: number
}

class MultipleOfPart extends TestPart<number, Params> {
  readonly keyword = 'multipleOf'
  readonly #step: number

  constructor(node: SchemaNode, step: number) {
    super(node)
    this.#step = step
  }

  test(data: number): boolean {
    return isMultipleOf(data, this.#step)
  }

  params(): Params {
    return { multipleOf: this.#step }
  }

  message({ multipleOf: step }: Params): string {
    return `must be multiple of ${step}`
  }
}

/** The keyword `multipleOf`. */
export const multipleOf: Keyword<number> = {
  names: ['multipleOf'],
  read(node) {
    const step = node.schema['multipleOf']
    return typeof step === 'number' ? new MultipleOfPart(node, step) : undefined
  },
}
