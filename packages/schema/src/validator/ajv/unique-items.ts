import type { Ajv, CodeKeywordDefinition, KeywordCxt, KeywordDefinition } from 'ajv'
import { loadAjv, loadAjvEqual } from '../../dependencies.ts'
import { scalarItemTypes } from '../../document/json-types.ts'
import { findDuplicate, type Equal } from '../../runtime/unique.ts'

/*
 * Ajv compares every item of a `uniqueItems` array with every other, unless their schema makes all of them scalars:
 * a hundred thousand small objects keep a server busy for minutes. This keyword has the same results and the same
 * errors, but looks each item up.
 */

/** Replaces `uniqueItems` in an instance. The definition is its own; one that is added anew would come behind others. */
export function makeUniqueItemsLinear(ajv: Ajv): void {
  const definition = ajv.getKeyword('uniqueItems')
  if (!hasCode(definition)) return
  const { code } = definition
  definition.code = (context, ruleType) => {
    const isLinear = context.$data || context.schema !== true || scalarItemTypes(context.parentSchema)
    if (isLinear) code(context, ruleType)
    else emitLookup(context)
  }
}

function emitLookup(context: KeywordCxt): void {
  const { _ } = loadAjv()
  const { gen, data } = context
  const find = gen.scopeValue('func', { ref: duplicateFinder() })
  const found = gen.const('duplicate', _`${find}(${data})`)
  context.setParams({ i: _`${found}.i`, j: _`${found}.j` })
  context.fail(_`${found} !== null`)
}

/** Finds the pair that Ajv would report: the last item with an equal one before it, and the nearest of those. */
function duplicateFinder(): (list: readonly unknown[]) => { i: number; j: number } | null {
  const equal: Equal = loadAjvEqual().default
  return (list) => findDuplicate(list, equal)
}

function hasCode(definition: KeywordDefinition | boolean | undefined): definition is CodeKeywordDefinition {
  return typeof definition === 'object' && 'code' in definition
}
