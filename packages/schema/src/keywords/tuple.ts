import { code } from '../codegen/code.ts'
import { tupleOf } from '../document/tuple.ts'
import { isObject, isSchemaObject } from '../guards.ts'
import { loopBlock, slotAt, type Block, type Target } from '../walk/code.ts'
import type { Frame, Mode } from '../walk/walk.ts'
import { UNION, type Look } from '../walk/look.ts'
import type { SchemaNode } from '../walk/node.ts'
import type { Keyword, ListData, Part } from '../walk/part.ts'
import { ASK, YES, type Outcome, type Verdict } from '../walk/verdict.ts'
import type { Value } from '../walk/value.ts'
import { Defaults } from './defaults.ts'

/** An item with a schema of its own. */
interface Entry {
  readonly item: SchemaNode
  readonly index: number
}

/** The items by their position. Where the list is too short for any, Ajv goes by the verdict on the list before. */
class TuplePart implements Part<ListData> {
  readonly keepsVerdict = true
  readonly #entries: readonly Entry[]
  readonly #defaults: Defaults

  constructor(entries: readonly Entry[], defaults: Defaults) {
    this.#entries = entries
    this.#defaults = defaults
  }

  get below(): readonly SchemaNode[] {
    return this.#entries.map(({ item }) => item)
  }

  fill(list: ListData): void {
    if (isObject(list)) this.#defaults.fill(list)
  }

  lacks(list: ListData): boolean {
    return isObject(list) && this.#defaults.lackIn(list)
  }

  fits(list: ListData, look: Look): Verdict {
    if (this.lacks(list)) return ASK
    if (look.use === UNION && list.length <= this.#first) return ASK
    for (const { item, index } of this.#entries) {
      const verdict = list.length > index ? item.plan.look(list[index], look, list, index) : YES
      if (verdict !== YES) return verdict
    }
    return YES
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
    this.#defaults.emitLacks(value, block)
    if (use === UNION) writer.line(code`if (${value}.length <= ${this.#first}) ${defer}`)
    for (const { item, index } of this.#entries) {
      const entry = { value: writer.unique('v'), slot: slotAt(value, code`${index}`) }
      writer.block(code`if (${value}.length > ${index})`, () => {
        writer.line(code`var ${entry.value} = ${entry.slot.access}`)
        item.emit(entry, loopBlock(block))
      })
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
    const defaults = new Defaults(node.context.settings.defaults ? defaultsIn(schemas) : [])
    return entries.length === 0 && defaults.isEmpty ? undefined : new TuplePart(entries, defaults)
  },
}

function defaultsIn(schemas: readonly unknown[]): (readonly [index: number, value: unknown])[] {
  return schemas.flatMap((schema, index) => {
    const value = isSchemaObject(schema) ? schema['default'] : undefined
    return value === undefined ? [] : [[index, value] as const]
  })
}
