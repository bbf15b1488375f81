// No body of at most 1 MiB blocks the event loop for long, whatever the schema: the official suite of draft 7, the
// schemas of the example, and those that are kept for the fuzz targets.
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sharedSchemas } from '../../examples/bookshelf/src/schemas.ts'
import { createSchemaEngine } from '../../packages/schema/src/index.ts'
import type { SchemaEngine, ValidateFunction } from '../../packages/schema/src/index.ts'
import { readGroups, readRemotes } from '../draft7/suite.ts'
import { isPeer } from '../harness/subject.ts'
import { corpus } from './fuzz.ts'

const REPORT = process.env['CLOISTER_REPORT'] !== undefined
const MIB = 1_048_576
const SIZE = REPORT ? MIB : MIB / 8
/** Ten times what is wanted of 1 MiB: other test threads and a busy machine count in. */
const MOST_MS = 500

interface Named {
  readonly name: string
  readonly schema: unknown
}

function allSchemas(): Named[] {
  const suite = readGroups().map(({ file, description, schema }) => ({
    name: `${file}: ${description}`,
    schema,
  }))
  const example = Object.entries(sharedSchemas).map(([name, schema]) => ({
    name: `bookshelf: ${name}`,
    schema,
  }))
  const kept = corpus('validator').map((text) => ({ name: text, schema: Object(JSON.parse(text)).schema }))
  return [...suite, ...example, ...kept]
}

/** Makes JSON text of one size out of pieces. */
function fill(open: string, piece: (index: number) => string, close: string): string {
  const pieces: string[] = []
  let length = open.length + close.length
  for (let index = 0; length < SIZE; index++) {
    const next = piece(index)
    pieces.push(next)
    length += next.length + 1
  }
  return open + pieces.join(',') + close
}

/** Bodies that are dear for some keyword; the last item of a list is there twice. */
const BODIES: Readonly<Record<string, string>> = {
  'a text': JSON.stringify('a'.repeat(SIZE)),
  'a text of blanks': JSON.stringify(`${' '.repeat(SIZE)}x`),
  numbers: fill('[', String, ',0]'),
  digits: fill('[', (index) => String(index % 10), ',0]'),
  'empty lists': fill('[', () => '[]', ',[0]]'),
  'empty objects': fill('[', () => '{}', ',{"a":0}]'),
  texts: fill('[', (index) => `"${index}"`, ',"0"]'),
  'small lists': fill('[', (index) => `[${index}]`, ',[0]]'),
  'small objects': fill('[', (index) => `{"a":${index}}`, ',{"a":0}]'),
  'an object of many names': fill('{', (index) => `"n${index}":${index}`, '}'),
  'objects in objects': `${'{"foo":'.repeat(500)}1${'}'.repeat(500)}`,
  'lists in lists': fill('[', () => '[[[[[]]]]]', ']'),
  'objects that match many names': fill('[', (index) => `{"foo":${index},"bar":"x","baz":[1]}`, ']'),
}

function compile(engine: SchemaEngine, { schema }: Named): ValidateFunction | undefined {
  const store = engine.createStore()
  try {
    for (const remote of readRemotes()) store.add(remote)
    return engine.compileValidator({ schema, httpPart: 'body', store })
  } catch {
    // The engine refuses schemas of the suite that need a meta-schema of their own.
    return undefined
  }
}

const OWN_TIME = '/proc/thread-self/schedstat'

/** CPU time in milliseconds: of this thread where the system counts it, else of the process. */
function cpuMs(): number {
  if (existsSync(OWN_TIME)) return Number(readFileSync(OWN_TIME, 'utf8').split(' ')[0]) / 1e6
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The least CPU time of up to three runs, in milliseconds. */
function leastMs(validate: ValidateFunction, text: string): number {
  let least = Infinity
  for (let attempt = 0; attempt < 3 && least >= MOST_MS / 20; attempt++) {
    const value: unknown = JSON.parse(text)
    const start = cpuMs()
    validate(value)
    least = Math.min(least, cpuMs() - start)
  }
  return least
}

describe.skipIf(isPeer)('blocks of the event loop', () => {
  it('are short for every body and schema', { timeout: 600_000 }, () => {
    const engine = createSchemaEngine()
    const rows: { readonly ms: number; readonly schema: string; readonly body: string }[] = []
    for (const named of allSchemas()) {
      const validate = compile(engine, named)
      if (validate === undefined) continue
      for (const [body, text] of Object.entries(BODIES))
        rows.push({ ms: leastMs(validate, text), schema: named.name, body })
    }
    const longest = rows.toSorted((left, right) => right.ms - left.ms).slice(0, 10)
    if (REPORT)
      for (const { ms, schema, body } of longest) console.log(`${ms.toFixed(1)} ms: ${schema}, ${body}`)
    expect(rows.length).toBeGreaterThan(1500)
    expect(longest.filter(({ ms }) => ms > MOST_MS)).toEqual([])
  })
})
