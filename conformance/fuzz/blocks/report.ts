// Prints for how long values of 1 MiB keep validators and serializers busy; see scripts/longest-block.mjs.
import { loadavg } from 'node:os'
import { leastMs } from './measure.ts'
import { bodiesOf } from './bodies.ts'
import { measure, type Row } from './rows.ts'
import { allSchemas } from './schemas.ts'
import { patterns } from './shapes.ts'

const MIB = 1_048_576
/** What is wanted of 1 MiB. */
const LIMIT = 50
/** So many rows of each body are measured at 1 MiB: those that take longest for 16 KiB. */
const CANDIDATES = 12

const [, , kept = '[]', listed = '10'] = process.argv
const schemas = await allSchemas(JSON.parse(kept))
const nameOf = ({ schema, actor, body }: Omit<Row, 'ms'>): string => `${actor}: ${schema}, ${body}`
const longestFirst = (rows: readonly Row[]): Row[] => rows.toSorted((left, right) => right.ms - left.ms)

const small = measure(schemas, { size: MIB / 64, attempts: 4, enough: LIMIT / 128 })
const candidates = new Set<string>()
const counts = new Map<string, number>()
for (const row of longestFirst(small)) {
  const count = counts.get(row.body) ?? 0
  counts.set(row.body, count + 1)
  if (count < CANDIDATES) candidates.add(nameOf(row))
}
console.log(`${schemas.length} schemas, ${small.length} rows`)
const rows = measure(schemas, { size: MIB, attempts: 4, enough: LIMIT / 2 }, (row) =>
  candidates.has(nameOf(row)),
)
for (const row of longestFirst(rows).slice(0, Number(listed)))
  console.log(`${row.ms.toFixed(1)} ms: ${nameOf(row)}`)
const above = rows.filter(({ ms }) => ms > LIMIT).length
console.log(`${above} rows take more than ${LIMIT} ms; load ${loadavg()[0]?.toFixed(1)}`)
const hostile = measure(patterns(), { size: MIB, attempts: 4, enough: LIMIT / 10 }, ({ body }) =>
  /^a (?:text|long name)/.test(body),
)
console.log(`${hostile.length} rows with patterns that would block the process if V8 ran them`)
for (const row of longestFirst(hostile).slice(0, Number(listed)))
  console.log(`${row.ms.toFixed(1)} ms: ${nameOf(row)}`)
for (const [body, text] of Object.entries(bodiesOf(MIB))) {
  const ms = leastMs(JSON.parse, () => text, { attempts: 4, enough: 10 })
  if (ms > 10) console.log(`${ms.toFixed(1)} ms: JSON.parse, ${body}`)
}
