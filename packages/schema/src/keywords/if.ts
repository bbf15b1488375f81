import type { Frame, Rule } from '../walk/frame.ts'
import type { Look } from '../walk/look.ts'
import type { Mode } from '../walk/mode.ts'
import type { SchemaNode } from '../walk/node.ts'
import type { Keyword, Part } from '../walk/part.ts'
import type { Value } from '../walk/value.ts'
import { ASK, FAILED, PASSED, YES, type Outcome, type Verdict } from '../walk/verdict.ts'
import { holds, noteBranches } from './branches.ts'

interface Params {
  readonly failingKeyword: 'then' | 'else'
}

class IfPart implements Part, Rule<Params> {
  readonly keyword = 'if'
  readonly node: SchemaNode
  readonly below: readonly (SchemaNode | undefined)[]
  readonly #condition: SchemaNode | undefined
  readonly #then: SchemaNode | undefined
  readonly #else: SchemaNode | undefined

  constructor(node: SchemaNode) {
    this.node = node
    this.#condition = node.below('if')
    this.#then = node.below('then')
    this.#else = node.below('else')
    this.below = [this.#condition, this.#then, this.#else]
  }

  /** Without a clause that says something Ajv does not look at the condition. */
  get hasClause(): boolean {
    return this.#then !== undefined || this.#else !== undefined
  }

  message({ failingKeyword }: Params): string {
    return `must match "${failingKeyword}" schema`
  }

  fits(data: unknown, look: Look): Verdict {
    if (!this.hasClause) return YES
    const verdict = this.#condition === undefined ? YES : this.#condition.lookAsBranch(data, look)
    if (verdict === ASK) return ASK
    const clause = verdict === YES ? this.#then : this.#else
    return clause === undefined ? YES : clause.look(data, look, undefined, '')
  }

  apply(_data: unknown, value: Value, mode: Mode, frame: Frame): Outcome {
    if (!this.hasClause) {
      if (this.#condition !== undefined) noteBranches([this.#condition], value, frame)
      return PASSED
    }
    const start = frame.errors.length
    const isMet = this.#condition === undefined || holds(this.#condition, value, frame)
    frame.errors.length = start
    const clause = isMet ? this.#then : this.#else
    if (clause === undefined || clause.apply(value, mode, frame)) return PASSED
    // An error of the clause has ended the function, unless a referenced schema has made it.
    if (frame.hasEnded) return FAILED
    return frame.failBehind(this, { failingKeyword: isMet ? 'then' : 'else' }, value, mode)
  }
}

/** The keywords `if`, `then` and `else`. */
export const condition: Keyword = {
  names: ['if', 'then', 'else'],
  read(node) {
    if (node.schema['if'] === undefined) return undefined
    const part = new IfPart(node)
    return part.hasClause || node.context.isCollecting ? part : undefined
  },
}
