import type { Frame, Rule } from '../walk/frame.ts'
import type { Look } from '../walk/look.ts'
import type { Mode } from '../walk/mode.ts'
import type { SchemaNode } from '../walk/node.ts'
import type { Keyword, Part } from '../walk/part.ts'
import type { Value } from '../walk/value.ts'
import { NO, PASSED, type Outcome, type Verdict } from '../walk/verdict.ts'
import { holds, negated } from './branches.ts'

class NotPart implements Part, Rule<object> {
  readonly keyword = 'not'
  readonly node: SchemaNode
  readonly #excluded: SchemaNode | undefined

  constructor(node: SchemaNode) {
    this.node = node
    this.#excluded = node.below('not')
  }

  get below(): readonly (SchemaNode | undefined)[] {
    return [this.#excluded]
  }

  message(): string {
    return 'must NOT be valid'
  }

  fits(data: unknown, look: Look): Verdict {
    return this.#excluded === undefined ? NO : negated(this.#excluded.lookAsBranch(data, look))
  }

  apply(_data: unknown, value: Value, mode: Mode, frame: Frame): Outcome {
    const start = frame.errors.length
    if (this.#excluded === undefined || holds(this.#excluded, value, frame)) {
      return frame.fail(this, {}, value, mode)
    }
    frame.errors.length = start
    return PASSED
  }
}

/** The keyword `not`. */
export const not: Keyword = { names: ['not'], read: (node) => new NotPart(node) }
