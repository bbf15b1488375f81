import { code } from '../codegen/code.ts'
import { containsLimits, type ContainsLimits } from '../document/contains.ts'
import { emitTrial, type Block, type Target } from '../walk/code.ts'
import { type Frame, type Mode, type Rule, SILENT } from '../walk/walk.ts'
import { UNION, type Look } from '../walk/look.ts'
import type { SchemaNode } from '../walk/node.ts'
import type { Keyword, ListData, Part } from '../walk/part.ts'
import { ASK, NO, PASSED, YES, type Outcome, type Verdict } from '../walk/verdict.ts'
import type { Value } from '../walk/value.ts'

interface Params {
  readonly minContains: number
  readonly maxContains?: number
}

/** The keyword `contains`. For an empty list Ajv goes by the verdict on the list before, where it counts no items. */
class ContainsPart implements Part<ListData>, Rule<Params> {
  readonly keyword = 'contains'
  readonly keepsVerdict = true
  readonly seesEdits = true
  readonly node: SchemaNode
  readonly #item: SchemaNode | undefined
  readonly #minimum: number
  readonly #maximum: number | undefined

  constructor(node: SchemaNode, { minimum, maximum }: ContainsLimits) {
    this.node = node
    this.#item = node.at('contains')
    this.#minimum = minimum
    this.#maximum = maximum
  }

  get below(): readonly (SchemaNode | undefined)[] {
    return [this.#item]
  }

  message({ minContains, maxContains }: Params): string {
    return maxContains === undefined
      ? `must contain at least ${minContains} valid item(s)`
      : `must contain at least ${minContains} and no more than ${maxContains} valid item(s)`
  }

  /** One item is enough, and Ajv keeps the verdict. */
  get #isPlain(): boolean {
    return this.#minimum === 1 && this.#maximum === undefined
  }

  /** With so many matching items the number decides. */
  get #enough(): number {
    return this.#maximum === undefined ? this.#minimum : this.#maximum + 1
  }

  #isRight(count: number): boolean {
    return count >= this.#minimum && count <= (this.#maximum ?? Infinity)
  }

  fits(list: ListData, look: Look): Verdict {
    if (this.#item === undefined) return this.#isRight(list.length) ? YES : NO
    if (list.length === 0 && look.use === UNION && this.#isPlain) return ASK
    const enough = this.#enough
    let count = 0
    for (let index = 0; index < list.length && count < enough; index++) {
      const verdict = this.#item.plan.lookAsBranch(list[index], look)
      if (verdict === ASK) return ASK
      count += verdict
    }
    return this.#isRight(count) ? YES : NO
  }

  apply(list: ListData, value: Value, mode: Mode, frame: Frame): Outcome {
    const isRight =
      this.#item === undefined
        ? this.#isRight(list.length)
        : this.#matches(this.#item, list, value, mode, frame)
    if (isRight) return PASSED
    const limits = { minContains: this.#minimum }
    const params = this.#maximum === undefined ? limits : { ...limits, maxContains: this.#maximum }
    return frame.fail(this, params, value, mode)
  }

  emit({ value }: Target, block: Block): void {
    const { writer, reject, defer } = block
    const item = this.#item
    const count = writer.unique('count')
    const index = writer.unique('i')
    const entry = writer.unique('v')
    if (block.use === UNION && this.#isPlain) writer.line(code`if (${value}.length === 0) ${defer}`)
    writer.line(code`var ${count} = ${item === undefined ? code`${value}.length` : 0}`)
    if (item !== undefined) {
      writer.block(
        code`for (var ${index} = 0; ${index} < ${value}.length && ${count} < ${this.#enough}; ${index}++)`,
        () => {
          writer.line(code`var ${entry} = ${value}[${index}]`)
          emitTrial(item, { value: entry }, block, code`${count}++`)
        },
      )
    }
    if (this.#minimum > 0) writer.line(code`if (${count} < ${this.#minimum}) ${reject}`)
    if (this.#maximum !== undefined) writer.line(code`if (${count} > ${this.#maximum}) ${reject}`)
  }

  #matches(item: SchemaNode, { length }: ListData, value: Value, mode: Mode, frame: Frame): boolean {
    const { settings, removal } = frame.walk
    const start = frame.errors.length
    // An error that ends the function is the only one: those of a hundred thousand items need not be made.
    const trial = mode.endsAtOnce ? SILENT : mode.trial
    const last = start + mostErrors(settings.errorLimit)
    const find = (matches: (branch: () => boolean) => boolean): boolean => {
      frame.errors.length = start
      let count = 0
      for (let index = 0; index < length && count < this.#enough; index++) {
        const itemMode = frame.errors.length > last ? SILENT : trial
        if (matches(() => item.apply(value.entry(index), itemMode, frame))) count += 1
      }
      return this.#isPlain && length === 0 ? frame.lastVerdict(this) : this.#isRight(count)
    }
    const verdict = settings.removesByBranch ? removal.attempt(find) : find((branch) => branch())
    if (this.#isPlain) frame.keepVerdict(this, verdict)
    if (verdict) frame.errors.length = start
    return verdict
  }
}

/** How many errors of items are made where so many of a value are reported: narrowed unions may take some away. */
function mostErrors(errorLimit: number | undefined): number {
  return errorLimit === undefined || errorLimit === 1 ? Infinity : errorLimit + 100
}

/** The keyword `contains`, with `minContains` and `maxContains`. */
export const contains: Keyword<ListData> = {
  names: ['contains', 'minContains', 'maxContains'],
  read(node) {
    const limits = containsLimits(node.schema, node.location.document.dialect)
    const asksNothing = limits.minimum === 0 && limits.maximum === undefined
    return node.schema['contains'] === undefined || asksNothing ? undefined : new ContainsPart(node, limits)
  },
}
