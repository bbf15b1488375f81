import { FAILED, PASSED, SKIPPED } from './frame.ts'
import { SILENT } from './mode.ts'
import type { Applied, SchemaNode } from './node.ts'
import type { CheckFactory } from './plan.ts'
import { uniqueItemsCheck } from './unique-items.ts'

function items(data: unknown): readonly unknown[] {
  return Array.isArray(data) ? data : []
}

function countCheck(
  keyword: 'maxItems' | 'minItems',
  fits: (count: number, limit: number) => boolean,
): CheckFactory {
  return (node) => {
    const limit = node.schema[keyword]
    if (typeof limit !== 'number') return undefined
    const rule = { keyword, node }
    return (value, mode, frame) =>
      fits(items(value.data).length, limit) ? PASSED : frame.fail(rule, { limit }, value, mode)
  }
}

/** The keyword `additionalItems`, which means nothing unless `items` is a list. */
const additionalItemsCheck: CheckFactory = (node) => {
  const { items: tuple, additionalItems } = node.schema
  if (!Array.isArray(tuple) || additionalItems === undefined) return undefined
  const limit = tuple.length
  if (additionalItems === false) {
    const rule = { keyword: 'additionalItems', node } as const
    return (value, mode, frame) =>
      items(value.data).length <= limit ? PASSED : frame.fail(rule, { limit }, value, mode)
  }
  const rest = node.below('additionalItems')
  return rest && eachItem(rest, limit)
}

/** The keyword `items`. */
const itemsCheck: CheckFactory = (node) => {
  const { items: declared } = node.schema
  if (Array.isArray(declared)) return tupleCheck(node, declared)
  const item = node.below('items')
  return item && eachItem(item, 0)
}

function eachItem(item: Applied, start: number): ReturnType<CheckFactory> {
  return (value, mode, frame) => {
    const list = items(value.data)
    let fits = true
    for (let index = start; index < list.length; index++) {
      if (item.accepts(list[index]) || item.apply(value.entry(index), mode, frame)) continue
      if (!mode.isThorough) return FAILED
      fits = false
    }
    return fits ? PASSED : FAILED
  }
}

/** Items by their position. Where the list is too short for any, Ajv goes by the verdict on the list before. */
function tupleCheck(node: SchemaNode, declared: readonly unknown[]): ReturnType<CheckFactory> {
  const entries = declared.flatMap((_schema, index) => {
    const item = node.below('items', index)
    return item === undefined ? [] : [{ item, index }]
  })
  if (entries.length === 0) return undefined
  return (value, mode, frame) => {
    const { length } = items(value.data)
    let fits = true
    let verdict = frame.lastVerdict(entries)
    for (const { item, index } of entries) {
      if (length > index) {
        verdict = item.apply(value.entry(index), mode, frame)
        if (!verdict) fits = false
      }
      if (!verdict && !mode.isThorough) break
    }
    frame.keepVerdict(entries, verdict)
    if (!fits) return FAILED
    return verdict || mode.isThorough ? PASSED : SKIPPED
  }
}

/** The keyword `contains`. For an empty list Ajv goes by the verdict on the list before. */
const containsCheck: CheckFactory = (node) => {
  if (node.schema['contains'] === undefined) return undefined
  const rule = { keyword: 'contains', node } as const
  const params = { minContains: 1 }
  const { settings } = node.unit
  const item = node.below('contains')
  if (item === undefined) {
    return (value, mode, frame) =>
      items(value.data).length > 0 ? PASSED : frame.fail(rule, params, value, mode)
  }
  return (value, mode, frame) => {
    const { length } = items(value.data)
    const start = frame.errors.length
    let verdict = frame.lastVerdict(rule)
    // An error that ends the function is the only one: those of a hundred thousand items need not be made.
    const trial = mode.endsAtOnce ? SILENT : mode.trial
    const find = (matches: (branch: () => boolean) => boolean): boolean => {
      frame.errors.length = start
      for (let index = 0; index < length; index++) {
        verdict = matches(() => item.apply(value.entry(index), trial, frame))
        if (verdict) break
      }
      return verdict
    }
    if (settings.removesByBranch) frame.walk.removal.attempt(find)
    else find((branch) => branch())
    frame.keepVerdict(rule, verdict)
    if (!verdict) return frame.fail(rule, { ...params }, value, mode)
    frame.errors.length = start
    return PASSED
  }
}

/** The keywords about arrays, in Ajv's order. */
export const ARRAY_CHECKS: readonly CheckFactory[] = [
  countCheck('maxItems', (count, limit) => count <= limit),
  countCheck('minItems', (count, limit) => count >= limit),
  additionalItemsCheck,
  itemsCheck,
  containsCheck,
  uniqueItemsCheck,
]
