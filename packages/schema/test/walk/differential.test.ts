import { afterAll, describe, expect, it } from 'vitest'
import { Random } from '../validator/random.ts'
import { compare, KEPT } from './compare.ts'
import type { WalkSettings } from '../../src/walk/settings.ts'
import type { Setup } from './workbench.ts'

/** Set CLOISTER_SEED to repeat a run. */
const SEED = Number(process.env['CLOISTER_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
/** Random schemas over all setups, 15 values each. */
const SCHEMAS = Number(process.env['CLOISTER_REFUSAL_SCHEMAS'] ?? 360)
const TIMEOUT_MS = 20 * 60_000

/** Seeds that once showed a difference; a run of mutation tests has none. */
const KEPT_SEEDS = [1, 2, 3].slice(0, Number(process.env['CLOISTER_SEEDS'] ?? Infinity))

const SETUPS: readonly [string, Setup][] = [
  ['the baseline', {}],
  ['all errors', { customOptions: { allErrors: true } }],
  ['verbose errors', { customOptions: { verbose: true } }],
  ['no coercion', { customOptions: { coerceTypes: false } }],
  ['coercion of scalars and no defaults', { customOptions: { coerceTypes: true, useDefaults: false } }],
  ['no removal', { customOptions: { removeAdditional: false } }],
  ['removal of everything undeclared', { customOptions: { removeAdditional: 'all' } }],
  ['infinities as numbers', { customOptions: { strictNumbers: false } }],
  ['no inlined references and no messages', { customOptions: { inlineRefs: false, messages: false } }],
  ['short lists in loops', { customOptions: { inlineRefs: 5, loopRequired: 1, loopEnum: 1 } }],
  ['errors of the branch that the value names', { narrowsUnions: true }],
]

/** Ajv 2020 tries every branch of `anyOf`, and may change data in each: nothing changes data here. */
const UNCHANGED = { coerceTypes: false, useDefaults: false, removeAdditional: false } as const
const LATER_SETUPS: readonly [string, Setup][] = [
  ['schemas of 2020-12', { isLater: true, customOptions: UNCHANGED }],
  ['schemas of 2020-12 and all errors', { isLater: true, customOptions: { ...UNCHANGED, allErrors: true } }],
]

const FAULTS: readonly [string, Partial<WalkSettings>][] = [
  ['missing defaults', { defaults: false }],
  ['another coercion', { coercion: true }],
  ['properties that go', { remove: 'all' }],
]
const ERROR_FAULTS: readonly [string, Partial<WalkSettings>][] = [
  ['more errors', { allErrors: true }],
  ['other schema paths', { inlineRefs: false }],
]

afterAll(() => KEPT.write())

describe('refusals and those of Ajv', () => {
  it.each(SETUPS)(
    'have the same verdict, data and errors with %s',
    (_name, setup) => {
      const own = compare(new Random(SEED), setup, Math.ceil(SCHEMAS / SETUPS.length))
      expect(own.differences.join('\n\n'), `CLOISTER_SEED=${SEED}`).toBe('')
      expect([own.refused > 0, own.changed > 0]).toEqual([true, true])
      // Looks and code that leave every value to a walk are right but useless.
      const { look, code } = own.accepted
      expect([look / own.valid > 0.75, code / own.valid > 0.75]).toEqual([true, true])
      if (process.env['CLOISTER_REPORT'] !== undefined) console.log(JSON.stringify(own))
      for (const seed of KEPT_SEEDS) {
        const { differences } = compare(new Random(seed), setup, 20)
        expect(differences.join('\n\n'), `seed ${seed}`).toBe('')
      }
    },
    TIMEOUT_MS,
  )

  it.each(LATER_SETUPS)(
    'have the same verdict and errors with %s',
    (_name, setup) => {
      const own = compare(new Random(SEED), setup, Math.ceil(SCHEMAS / SETUPS.length))
      expect(own.differences.join('\n\n'), `CLOISTER_SEED=${SEED}`).toBe('')
      expect(own.refused).toBeGreaterThan(0)
    },
    TIMEOUT_MS,
  )

  it.each(FAULTS)('differ where a fault is planted in any of the three: %s', (_name, settings) => {
    for (const engine of ['walk', 'look', 'code'] as const) {
      const { differences } = compare(new Random(SEED), { plant: { in: engine, settings } }, 200)
      expect(differences.join(), engine).toContain(engine)
    }
  })

  it.each(ERROR_FAULTS)('differ where a fault is planted: %s', (_name, settings) => {
    expect(compare(new Random(SEED), { plant: { in: 'walk', settings } }, 60).differences).not.toEqual([])
  })
})
