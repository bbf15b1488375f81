import { createSchemaEngine, SchemaError, type SchemaEngineOptions } from '@cloister/schema'
import type { SuiteGroup } from './suite.ts'

/** Why a test does not end as the specification says. */
export type Reason =
  | 'strict mode refuses the schema'
  | 'coercion makes the value fit'
  | 'removal of undeclared properties makes the value fit'
  | 'a default that is itself invalid is filled in'
  | 'names that every object inherits count as present'
  | 'other'

/** One test with another result than the specification's. */
export interface Deviation {
  readonly reason: Reason
  readonly name: string
}

type AjvOptions = NonNullable<NonNullable<SchemaEngineOptions['ajv']>['customOptions']>

/** Options that lift one reason each; the first that puts a test right names the reason. */
const LIFTS: readonly [Reason, AjvOptions][] = [
  ['strict mode refuses the schema', { strict: false }],
  ['coercion makes the value fit', { coerceTypes: false }],
  ['removal of undeclared properties makes the value fit', { removeAdditional: false }],
  ['a default that is itself invalid is filled in', { useDefaults: false }],
  ['names that every object inherits count as present', { ownProperties: true }],
]

type Verdict = boolean | 'refused'

function verdicts(
  group: SuiteGroup,
  remotes: readonly object[],
  customOptions: AjvOptions,
  engineOptions: SchemaEngineOptions,
): Verdict[] {
  const engine = createSchemaEngine({ ...engineOptions, ajv: { customOptions } })
  const store = engine.createStore()
  for (const remote of remotes) store.add(remote)
  try {
    const validate = engine.compileValidator({ schema: group.schema, httpPart: 'body', store })
    return group.tests.map(({ data }) => validate(structuredClone(data)) === true)
  } catch (error) {
    if (error instanceof SchemaError) return group.tests.map(() => 'refused')
    throw error
  }
}

/** Runs groups with the baseline and the given options over it. */
export function runSuite(
  groups: readonly SuiteGroup[],
  remotes: readonly object[],
  options: AjvOptions = {},
  engineOptions: SchemaEngineOptions = {},
): { tests: number; deviations: Deviation[] } {
  let tests = 0
  const deviations: Deviation[] = []
  for (const group of groups) {
    tests += group.tests.length
    const own = verdicts(group, remotes, options, engineOptions)
    const wrong = group.tests.flatMap((test, index) => (own[index] === test.valid ? [] : [index]))
    if (wrong.length === 0) continue
    const pending = new Set(wrong)
    const note = (index: number, reason: Reason): void => {
      pending.delete(index)
      deviations.push({
        reason,
        name: `${group.file}: ${group.description}: ${group.tests[index]?.description ?? ''}`,
      })
    }
    for (const [reason, lift] of LIFTS) {
      if (pending.size === 0) break
      const lifted = verdicts(group, remotes, { ...options, strict: false, ...lift }, engineOptions)
      for (const index of pending) {
        const refused = own[index] === 'refused'
        if (refused !== (reason === 'strict mode refuses the schema')) continue
        if (refused ? lifted[index] !== 'refused' : lifted[index] === group.tests[index]?.valid)
          note(index, reason)
      }
    }
    for (const index of pending) note(index, 'other')
  }
  return { tests, deviations }
}

/** Number of deviations by reason. */
export function countReasons(deviations: readonly Deviation[]): Partial<Record<Reason, number>> {
  const counts: Partial<Record<Reason, number>> = {}
  for (const { reason } of deviations) counts[reason] = (counts[reason] ?? 0) + 1
  return counts
}
