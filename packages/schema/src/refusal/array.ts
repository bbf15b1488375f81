import { containsLimits } from '../document/contains.ts'
import { tupleOf, type Tuple } from '../document/tuple.ts'
import { countCheck } from './count.ts'
import { evaluatedItems, unevaluatedItemsCheck } from './evaluated.ts'
import { FAILED, PASSED, SKIPPED } from './frame.ts'
import { SILENT } from './mode.ts'
import type { Applied, SchemaNode } from './node.ts'
import type { CheckFactory } from './plan.ts'
import { fitsAtOnce } from './quick.ts'
import { uniqueItemsCheck } from './unique-items.ts'

function items(data: unknown): readonly unknown[] {
  return Array.isArray(data) ? data : []
}

/** The items behind a tuple: `additionalItems`, and in 2020-12 `items`. */
function restCheck(node: SchemaNode, { schemas, rest }: Tuple): ReturnType<CheckFactory> {
  const limit = schemas.length
  if (limit > 0 && node.schema[rest] === false) {
    const rule = { keyword: rest, node } as const
    return (value, mode, frame) =>
      items(value.data).length <= limit ? PASSED : frame.fail(rule, { limit }, value, mode)
  }
  const item = node.below(rest)
  return item && eachItem(item, limit)
}

/** The keyword `additionalItems` of draft-07, which means nothing unless `items` is a list. */
const additionalItemsCheck: CheckFactory = (node) => {
  const tuple = tupleOf(node.schema, node.location.document.dialect)
  return tuple.rest === 'additionalItems' ? restCheck(node, tuple) : undefined
}

/** The items by their position: `items` as a list, and in 2020-12 `prefixItems`. */
const prefixCheck: CheckFactory = (node) => {
  const tuple = tupleOf(node.schema, node.location.document.dialect)
  return tupleCheck(node, tuple)
}

/** The keyword `items` as a schema. */
const itemsCheck: CheckFactory = (node) => {
  const tuple = tupleOf(node.schema, node.location.document.dialect)
  return tuple.rest === 'items' ? restCheck(node, tuple) : undefined
}

function eachItem(item: Applied, start: number): ReturnType<CheckFactory> {
  return (value, mode, frame) => {
    const { length } = items(value.data)
    const list = value.object
    let fits = true
    for (let index = start; index < length; index++) {
      if (fitsAtOnce(item, list, index) || item.apply(value.entry(index), mode, frame)) continue
      if (!mode.isThorough) return FAILED
      fits = false
    }
    return fits ? PASSED : FAILED
  }
}

/** Items by their position. Where the list is too short for any, Ajv goes by the verdict on the list before. */
function tupleCheck(node: SchemaNode, { keyword, schemas }: Tuple): ReturnType<CheckFactory> {
  const entries = schemas.flatMap((_schema, index) => {
    const item = node.below(keyword, index)
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

/** How many errors of items are made where so many of a value are reported: narrowed unions may take some away. */
function mostErrors(errorLimit: number | undefined): number {
  return errorLimit === undefined || errorLimit === 1 ? Infinity : errorLimit + 100
}

/** The keyword `contains`. For an empty list Ajv goes by the verdict on the list before, where it counts no items. */
const containsCheck: CheckFactory = (node) => {
  if (node.schema['contains'] === undefined) return undefined
  const { minimum, maximum } = containsLimits(node.schema, node.location.document.dialect)
  if (minimum === 0 && maximum === undefined) return undefined
  const rule = { keyword: 'contains', node } as const
  const params =
    maximum === undefined ? { minContains: minimum } : { minContains: minimum, maxContains: maximum }
  const fits = (count: number): boolean => count >= minimum && count <= (maximum ?? Infinity)
  const { settings } = node.unit
  const item = node.below('contains')
  if (item === undefined) {
    return (value, mode, frame) =>
      fits(items(value.data).length) ? PASSED : frame.fail(rule, params, value, mode)
  }
  const isFirst = minimum === 1 && maximum === undefined
  const enough = maximum === undefined ? minimum : maximum + 1
  const most = mostErrors(settings.errorLimit)
  return (value, mode, frame) => {
    const { length } = items(value.data)
    const start = frame.errors.length
    // An error that ends the function is the only one: those of a hundred thousand items need not be made.
    const trial = mode.endsAtOnce ? SILENT : mode.trial
    const last = start + most
    const find = (matches: (branch: () => boolean) => boolean): boolean => {
      frame.errors.length = start
      let count = 0
      for (let index = 0; index < length && count < enough; index++) {
        const itemMode = frame.errors.length > last ? SILENT : trial
        if (matches(() => item.apply(value.entry(index), itemMode, frame))) count += 1
      }
      return isFirst && length === 0 ? frame.lastVerdict(rule) : fits(count)
    }
    const verdict = settings.removesByBranch ? frame.walk.removal.attempt(find) : find((branch) => branch())
    if (isFirst) frame.keepVerdict(rule, verdict)
    if (!verdict) return frame.fail(rule, { ...params }, value, mode)
    frame.errors.length = start
    return PASSED
  }
}

/** The keywords about arrays, in Ajv's order. */
export const ARRAY_CHECKS: readonly CheckFactory[] = [
  countCheck('maxItems', ({ data }, limit) => items(data).length <= limit),
  countCheck('minItems', ({ data }, limit) => items(data).length >= limit),
  additionalItemsCheck,
  prefixCheck,
  itemsCheck,
  containsCheck,
  uniqueItemsCheck,
  evaluatedItems,
  unevaluatedItemsCheck,
]
