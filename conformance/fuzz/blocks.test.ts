// No value of at most 1 MiB blocks the event loop for long, whatever the schema; `npm run longest-block` prints how long.
import { describe, expect, it } from 'vitest'
import { isPeer } from '../harness/subject.ts'
import { measure } from './blocks/rows.ts'
import { allSchemas } from './blocks/schemas.ts'
import { corpus } from './fuzz.ts'

/** A sixteenth of 1 MiB. */
const SIZE = 65_536
/** Many times what is wanted of that size: other test threads, a busy machine and cold code count in. */
const MAX_MS = 250

describe.skipIf(isPeer)('blocks of the event loop', () => {
  it('are short for every body and schema', { timeout: 600_000 }, async () => {
    const schemas = await allSchemas(corpus('validator'))
    const limits = { size: SIZE, attempts: 3, enough: MAX_MS }
    const rows = measure(schemas, limits, ({ actor }) => actor === 'validate, closures')
    expect(rows.length).toBeGreaterThan(10_000)
    expect(rows.filter(({ ms }) => ms > MAX_MS)).toEqual([])
  })
})
