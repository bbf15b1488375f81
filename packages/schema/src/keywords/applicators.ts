import { code } from '../codegen/code.ts'
import { acceptsAnything } from '../document/survey.ts'
import { emitTrial, type Block, type Target } from '../walk/code.ts'
import type { Frame, Mode, Rule } from '../walk/walk.ts'
import type { Look } from '../walk/look.ts'
import type { SchemaNode } from '../walk/node.ts'
import { applyAll, type Keyword, type Part } from '../walk/part.ts'
import { ASK, FAILED, NO, PASSED, YES, type Outcome, type Verdict } from '../walk/verdict.ts'
import type { Value } from '../walk/value.ts'
import { holds, noteBranches } from './branches.ts'

/* `not`, `allOf` and `if` apply schemas to the value itself; unions have a file of their own. */

class NotPart implements Part, Rule<object> {
  readonly keyword = 'not'
  readonly node: SchemaNode
  readonly #excluded: SchemaNode

  constructor(node: SchemaNode) {
    this.node = node
    this.#excluded = node.child('not')
  }

  get below(): readonly SchemaNode[] {
    return [this.#excluded]
  }

  message(): string {
    return 'must NOT be valid'
  }

  fits(data: unknown, look: Look): Verdict {
    const verdict = this.#excluded.plan.lookAsBranch(data, look)
    return verdict === ASK ? ASK : verdict === YES ? NO : YES
  }

  apply(_data: unknown, value: Value, mode: Mode, frame: Frame): Outcome {
    const start = frame.errors.length
    if (holds(this.#excluded, value, frame)) return frame.fail(this, {}, value, mode)
    frame.errors.length = start
    return PASSED
  }

  emit(target: Target, block: Block): void {
    const { writer, reject } = block
    const matched = writer.unique('matched')
    writer.line(code`var ${matched} = false`)
    emitTrial(this.#excluded, target, block, code`${matched} = true`)
    writer.line(code`if (${matched}) ${reject}`)
  }
}

/** The keyword `not`. */
export const not: Keyword = { names: ['not'], read: (node) => new NotPart(node) }

class AllOfPart implements Part {
  readonly below: readonly SchemaNode[]

  constructor(below: readonly SchemaNode[]) {
    this.below = below
  }

  fits(data: unknown, look: Look): Verdict {
    for (const part of this.below) {
      const verdict = part.plan.look(data, look, undefined, '')
      if (verdict !== YES) return verdict
    }
    return YES
  }

  apply(_data: unknown, value: Value, mode: Mode, frame: Frame): Outcome {
    return applyAll(this.below, mode, (part) => part.apply(value, mode, frame))
  }

  emit(target: Target, block: Block): void {
    for (const part of this.below) part.emit(target, block)
  }
}

/** The keyword `allOf`. */
export const allOf: Keyword = {
  names: ['allOf'],
  read(node) {
    const parts = (node.listBelow('allOf') ?? []).filter(({ location }) => !acceptsAnything(location.schema))
    return parts.length === 0 ? undefined : new AllOfPart(parts)
  },
}

interface Params {
  readonly failingKeyword: 'then' | 'else'
}

class IfPart implements Part, Rule<Params> {
  readonly keyword = 'if'
  readonly node: SchemaNode
  readonly #condition: SchemaNode
  readonly #then: SchemaNode | undefined
  readonly #else: SchemaNode | undefined

  constructor(node: SchemaNode, condition: SchemaNode) {
    this.node = node
    this.#condition = condition
    this.#then = node.at('then')
    this.#else = node.at('else')
  }

  get below(): readonly (SchemaNode | undefined)[] {
    return [this.#condition, this.#then, this.#else]
  }

  message({ failingKeyword }: Params): string {
    return `must match "${failingKeyword}" schema`
  }

  fits(data: unknown, look: Look): Verdict {
    const verdict = this.#condition.plan.lookAsBranch(data, look)
    if (verdict === ASK) return ASK
    const clause = verdict === YES ? this.#then : this.#else
    return clause === undefined ? YES : clause.plan.look(data, look, undefined, '')
  }

  apply(_data: unknown, value: Value, mode: Mode, frame: Frame): Outcome {
    const start = frame.errors.length
    const isMet = holds(this.#condition, value, frame)
    frame.errors.length = start
    const clause = isMet ? this.#then : this.#else
    if (clause === undefined || clause.apply(value, mode, frame)) return PASSED
    // An error of the clause has ended the function, unless a referenced schema has made it.
    if (frame.hasEnded) return FAILED
    return frame.failBehind(this, { failingKeyword: isMet ? 'then' : 'else' }, value, mode)
  }

  emit(target: Target, block: Block): void {
    const { writer } = block
    const [then, otherwise] = [this.#then, this.#else]
    const matched = writer.unique('matched')
    writer.line(code`var ${matched} = false`)
    emitTrial(this.#condition, target, block, code`${matched} = true`)
    if (then !== undefined) writer.block(code`if (${matched})`, () => then.emit(target, block))
    if (otherwise !== undefined) writer.block(code`if (!${matched})`, () => otherwise.emit(target, block))
  }
}

/** The keywords `if`, `then` and `else`. */
export const condition: Keyword = {
  names: ['if', 'then', 'else'],
  read(node) {
    if (node.schema['if'] === undefined) return undefined
    const tested = node.child('if')
    // Without a clause that says something Ajv does not look at the condition, unless it matters what is evaluated.
    if (!node.isOpen('then') || !node.isOpen('else')) return new IfPart(node, tested)
    return node.context.isCollecting ? noteBranches([tested]) : undefined
  },
}
