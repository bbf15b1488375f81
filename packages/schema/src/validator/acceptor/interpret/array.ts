import { isObject } from '../../../guards.ts'
import { noteItem, type ItemRun } from '../../../runtime/item-run.ts'
import { allDistinct, allScalarsDistinct } from '../../../runtime/unique.ts'
import type { ArrayTest } from '../ir.ts'
import { wrappingOf, type Wrapping } from '../wrapping.ts'
import { fits, leafOf, type Leaf } from './leaf.ts'
import { DEFERRED, FITS, REJECTED, type Check, type Interpreter, type Step, type Tests } from './verdict.ts'

type Items = readonly unknown[]
type Test<Kind extends ArrayTest['kind']> = Extract<ArrayTest, { kind: Kind }>

/** The tests of an array. */
export function arraySteps(interpreter: Interpreter, tests: Tests): Step<Items>[] {
  const { check } = interpreter
  return tests.flatMap((test): Step<Items>[] => {
    switch (test.kind) {
      case 'length':
        return [lengthStep(test)]
      case 'items':
        return [itemsStepOf(interpreter, test)]
      case 'item':
        return [itemStep(test.index, check(test.node))]
      case 'contains':
        return [containsStep(test, check(test.node))]
      case 'unique':
        return [uniqueStep(test)]
      default:
        return interpreter.steps(test)
    }
  })
}

/** How many items an array may have. */
function lengthStep({ minimum = 0, maximum = Infinity }: Test<'length'>): Step<Items> {
  return ({ length }) => (length > maximum || length < minimum ? REJECTED : FITS)
}

function itemsStepOf({ check }: Interpreter, { start, node }: Test<'items'>): Step<Items> {
  const wrapping = wrappingOf(node)
  if (wrapping === undefined) return itemsStep(start, leafOf(node), check(node))
  return wrappedItemsStep(start, check(node), wrapping, check(wrapping.node))
}

/** As {@link itemsStep}, for items that are lists: scalars become what they would be in several steps. */
function wrappedItemsStep(
  start: number,
  check: Check,
  { levels, node }: Wrapping,
  scalarCheck: Check,
): Step<Items> {
  const leaf = leafOf(node)
  const { kind } = leaf
  return (items, log) => {
    let run: ItemRun | undefined
    for (let index = start; index < items.length; index++) {
      const item = items[index]
      if (isObject(item)) {
        const verdict = check(item, log, items, index)
        if (verdict !== FITS) return verdict
      } else {
        const edits = log.length
        if (!fits(kind, leaf, item)) {
          const verdict = scalarCheck(item, log, items, index)
          if (verdict !== FITS) return verdict
        }
        const value = log.length > edits ? log.takeBack() : item
        run = noteItem(log, run, items, index, value, levels)
      }
    }
    return FITS
  }
}

/** The check of all items from a position on. */
function itemsStep(start: number, leaf: Leaf, check: Check): Step<Items> {
  const { kind } = leaf
  return (items, log) => {
    for (let index = start; index < items.length; index++) {
      const item = items[index]
      if (fits(kind, leaf, item)) continue
      const verdict = check(item, log, items, index)
      if (verdict !== FITS) return verdict
    }
    return FITS
  }
}

/** The check of the item at one position. */
function itemStep(index: number, check: Check): Step<Items> {
  return (items, log) => (items.length > index ? check(items[index], log, items, index) : FITS)
}

/** The search for items that match; it ends as soon as the number decides. */
function containsStep({ minimum, maximum }: Test<'contains'>, check: Check): Step<Items> {
  const limit = maximum === undefined ? minimum : maximum + 1
  return (items, log) => {
    let count = 0
    for (let index = 0; index < items.length && count < limit; index++) {
      const verdict = check(items[index], log, items, index)
      if (verdict === DEFERRED) return verdict
      if (verdict === FITS) count += 1
    }
    return count < minimum || (maximum !== undefined && count > maximum) ? REJECTED : FITS
  }
}

/** The test that no two items are equal. */
function uniqueStep({ ofScalars }: Test<'unique'>): Step<Items> {
  const areDistinct = ofScalars ? allScalarsDistinct : allDistinct
  return (items) => (areDistinct(items) ? FITS : DEFERRED)
}
