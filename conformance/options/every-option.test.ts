// Each option of apps and routes does something: an app with it and one without it differ in what their users notice.
import { afterEach, describe, expect, it } from 'vitest'
import { optionSections, OPTIONS } from '../../packages/cloister/src/options/option-table.ts'
import { routeOnlyOptions } from '../../packages/cloister/src/options/rows/routes.ts'
import { bodies } from './bodies.ts'
import { connections, preset, timeouts } from './connections.ts'
import { errors, logging } from './errors-and-logging.ts'
import { closeAll } from './probe.ts'
import type { Probe, Probes } from './probe.ts'
import { routes } from './routes.ts'
import { routing } from './routing.ts'
import { schemas } from './schemas.ts'

const APP: Readonly<Record<string, Probes>> = {
  preset,
  connections,
  timeouts,
  routing,
  bodies,
  schemas,
  errors,
  logging,
}

/** Options without an effect, which say so. */
const WITHOUT_EFFECT = ['compile']

/** Compares what users notice without the option and with it, given to the app or to a route. */
async function compare(name: string, to: 'app' | 'route', found: Probe | undefined): Promise<void> {
  if (found === undefined) throw new Error(`${name} has no probe`)
  const { value, without, with: withIt, see } = found
  const given = { [name]: value }
  expect(without).not.toEqual(withIt)
  expect(await see({}, {}), `without ${name}`).toEqual(without)
  expect(await (to === 'app' ? see(given, {}) : see({}, given)), `with ${name}`).toEqual(withIt)
}

afterEach(closeAll)

describe.each(Object.entries(optionSections))('the options of apps about %s', (section, rows) => {
  const probes = APP[section] ?? {}

  it('have a probe each', () => {
    const names = Object.keys(rows).filter((name) => !WITHOUT_EFFECT.includes(name))
    expect(Object.keys(probes).toSorted()).toEqual(names.toSorted())
  })

  it.each(Object.keys(probes))('%s changes what the app does', (name) => compare(name, 'app', probes[name]))
})

describe('the options of routes', () => {
  it('have a probe each', () => {
    expect(Object.keys(routes).toSorted()).toEqual(Object.keys(routeOnlyOptions).toSorted())
  })

  const shared = [...OPTIONS].filter(([, row]) => row.route !== undefined).map(([name]) => name)
  const probes: Probes = Object.assign({}, ...Object.values(APP), routes)
  it.each([...Object.keys(routes), ...shared])('%s changes what the route does', (name) =>
    compare(name, 'route', probes[name]),
  )
})

it.each(WITHOUT_EFFECT)('%s has no effect, and says so', (name) => {
  expect(OPTIONS.get(name)?.doc).toContain('Has no effect')
})
