import { code } from '../codegen/code.ts'
import { tupleOf } from '../document/arrays.ts'
import { isSchemaObject } from '../guards.ts'
import { emitAt, slotAt } from '../walk/code.ts'
import { defaultsOf } from '../walk/defaults.ts'
import { ASK, UNION, YES } from '../walk/look.ts'
import { keyword, type Keyword, type ListData } from '../walk/part.ts'
import { PASSED, SKIPPED } from '../walk/walk.ts'

/**
 * The items by position: `items` as a list, and in 2020-12 `prefixItems`. For a list that is too short for any, Ajv
 * uses its verdict on the previous list.
 */
export const tuple: Keyword<ListData> = keyword({
  names: ['prefixItems', 'items'],
  keepsVerdict: true,
  read(node) {
    const { keyword: name, schemas } = tupleOf(node.schema, node.location.document.dialect)
    const entries = schemas.flatMap((_schema, index) => {
      const item = node.at(name, index)
      return item === undefined ? [] : [{ item, index }]
    })
    const own = schemas.map((schema) => (isSchemaObject(schema) ? schema['default'] : undefined))
    const defaults = node.context.settings.defaults
      ? defaultsOf(own.map((value, index) => [index, value]))
      : undefined
    if (entries.length === 0 && defaults === undefined) return undefined
    /** The first index with a schema. */
    return { entries, defaults, first: entries[0]?.index ?? -1 }
  },
  below: ({ entries }) => entries.map(({ item }) => item),
  defaults: ({ defaults }) => defaults,
  fits({ read: { entries, defaults, first } }, list, look) {
    const isShort = look.use === UNION && list.length <= first
    if (isShort || defaults?.lackIn(list) === true) return ASK
    for (const { item, index } of entries) {
      const verdict = list.length > index ? item.plan.look(list[index], look, list, index) : YES
      if (verdict !== YES) return verdict
    }
    return YES
  },
  apply(part, { length }, value, mode, frame) {
    let fits = true
    let verdict = frame.lastVerdict(part)
    for (const { item, index } of part.read.entries) {
      if (length > index) {
        verdict = item.apply(value.entry(index), mode, frame)
        if (!verdict) fits = false
      }
      if (!verdict && !mode.isThorough) break
    }
    const outcome = frame.outcomeOf(part, fits, verdict, mode)
    // The keyword for the remaining items notes which items are evaluated.
    return outcome === SKIPPED && value.evaluated !== undefined ? PASSED : outcome
  },
  emit({ read: { entries, defaults, first } }, { value }, block) {
    const { writer, defer, use } = block
    defaults?.emitLacks(value, block)
    if (use === UNION) writer.line(code`if (${value}.length <= ${first}) ${defer}`)
    for (const { item, index } of entries) {
      writer.block(code`if (${value}.length > ${index})`, () =>
        emitAt(item, slotAt(value, code`${index}`), block),
      )
    }
  },
})
