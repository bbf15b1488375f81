// Every callback of a request, with everything that it can throw, reject with or return by mistake: the request ends, the
// process has no unhandled rejection and no uncaught exception, the log says why, and no handler runs behind a hook
// that failed.
import { isPeer } from '../../harness/subject.ts'
import { describeTransports } from '../../harness/transports.ts'
import type { Suite } from '../../harness/transports.ts'
import { ODD_VALUES } from './odd-values.ts'
import { LOG_PLACES, OPTION_PLACES } from './option-places.ts'
import { BODY_PLACES, HOOK_PLACES } from './path-places.ts'
import { applies, WAYS } from './place.ts'
import type { Place } from './place.ts'
import { Row, SHOWN, Unhandled } from './row.ts'
import { ROWS_MS, rowsOf, Tally, valuesOf } from './sample.ts'

const PLACES = { ...HOOK_PLACES, ...BODY_PLACES, ...LOG_PLACES, ...OPTION_PLACES }

const tally = new Tally('throws')
const unhandled = new Unhandled()

/** Tries the values of one row; returns what went wrong. */
async function tryRow(suite: Suite, place: Place, placeName: string, wayName: string): Promise<string[]> {
  const way = WAYS[wayName]
  if (way === undefined) return []
  const { transport } = suite
  const key = `${placeName} ${wayName} ${transport}`
  const shown = SHOWN[key.length % SHOWN.length] ?? {}
  const values = Object.keys(ODD_VALUES).filter((value) => applies(way, place, value))
  const row = new Row(suite, place, way, shown)
  const findings: string[] = []
  for (const value of valuesOf(values, transport, key)) {
    const found = await row.run(value, unhandled)
    tally.add(found.map(({ fault }) => fault))
    for (const { fault, detail } of found)
      findings.push(`${fault}: ${placeName} ${wayName} ${value}: ${detail}`)
  }
  if ((await row.close()) === 'hang') findings.push(`hang: ${key}, when it closes`)
  for (const detail of await unhandled.take()) findings.push(`unhandled: ${key}, when it closes: ${detail}`)
  return findings
}

describeTransports(
  'errors: the throw matrix',
  (suite) => {
    const { it, expect, transport } = suite
    for (const [name, place] of Object.entries(PLACES)) {
      if (isPeer || place.only?.includes(transport) === false) continue
      it(
        `ends a request where ${name} fails`,
        async () => {
          const ways = Object.keys(WAYS).filter((way) => WAYS[way]?.make(() => undefined, place) !== null)
          const findings: string[] = []
          for (const way of rowsOf(ways, `${name} ${transport}`)) {
            findings.push(...(await tryRow(suite, place, name, way)))
          }
          expect(findings).toEqual([])
        },
        ROWS_MS,
      )
    }
  },
  ['in-process', 'socket', 'http2', 'memory', 'fetch'],
)
