import { code } from '../codegen/code.ts'
import { tupleOf } from '../document/tuple.ts'
import { isSchemaObject } from '../guards.ts'
import { emitAt, slotAt, type Block, type Target } from '../walk/code.ts'
import { defaultsOf, type Defaults } from '../walk/defaults.ts'
import type { Frame, Mode, Outcome } from '../walk/walk.ts'
import { ASK, UNION, YES, type Look, type Verdict } from '../walk/look.ts'
import type { SchemaNode } from '../walk/node.ts'
import { lookAtAll, type Keyword, type ListData, type Part } from '../walk/part.ts'
import type { Value } from '../walk/value.ts'

/** An item with a schema of its own. */
interface Entry {
  readonly item: SchemaNode
  readonly index: number
}

/** The items by their position. Where the list is too short for any, Ajv goes by the verdict on the list before. */
class TuplePart implements Part<ListData> {
  readonly keepsVerdict = true
  readonly defaults: Defaults | undefined
  readonly #entries: readonly Entry[]

  constructor(entries: readonly Entry[], defaults: Defaults | undefined) {
    this.#entries = entries
    this.defaults = defaults
  }

  get below(): readonly SchemaNode[] {
    return this.#entries.map(({ item }) => item)
  }

  fits(list: ListData, look: Look): Verdict {
    const isShort = look.use === UNION && list.length <= this.#first
    if (isShort || this.defaults?.lackIn(list) === true) return ASK
    return lookAtAll(this.#entries, ({ item, index }) =>
      list.length > index ? item.plan.look(list[index], look, list, index) : YES,
    )
  }

  /** The first index with a schema. */
  get #first(): number {
    return this.#entries[0]?.index ?? -1
  }

  apply({ length }: ListData, value: Value, mode: Mode, frame: Frame): Outcome {
    let fits = true
    let verdict = frame.lastVerdict(this)
    for (const { item, index } of this.#entries) {
      if (length > index) {
        verdict = item.apply(value.entry(index), mode, frame)
        if (!verdict) fits = false
      }
      if (!verdict && !mode.isThorough) break
    }
    return frame.outcomeOf(this, fits, verdict, mode)
  }

  emit({ value }: Target, block: Block): void {
    const { writer, defer, use } = block
    this.defaults?.emitLacks(value, block)
    if (use === UNION) writer.line(code`if (${value}.length <= ${this.#first}) ${defer}`)
    for (const { item, index } of this.#entries) {
      writer.block(code`if (${value}.length > ${index})`, () =>
        emitAt(item, slotAt(value, code`${index}`), block),
      )
    }
  }
}

/** The items by their position: `items` as a list, and in 2020-12 `prefixItems`. */
export const tuple: Keyword<ListData> = {
  names: ['prefixItems', 'items'],
  read(node) {
    const { keyword, schemas } = tupleOf(node.schema, node.location.document.dialect)
    const entries = schemas.flatMap((_schema, index) => {
      const item = node.at(keyword, index)
      return item === undefined ? [] : [{ item, index }]
    })
    const defaults = defaultsOf(
      schemas.map((schema, index) => [index, isSchemaObject(schema) ? schema['default'] : undefined]),
    )
    const filled = node.context.settings.defaults ? defaults : undefined
    return entries.length === 0 && filled === undefined ? undefined : new TuplePart(entries, filled)
  },
}
