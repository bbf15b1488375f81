import { writeFile } from 'node:fs/promises'
import path from 'node:path'

import type { AppForm } from '../app-form.ts'
import { CommandError } from '../session.ts'
import { bundle } from './bundle.ts'
import { LAZY_PACKAGES } from './loaded-packages.ts'
import type { RunOrder, SkippedFunction, Table } from './exchange-file.ts'
import type { Bundler } from './load-esbuild.ts'
import { runApp, type Place } from './run-process.ts'
import { entryOf, TARGETS } from './targets.ts'

/** What a bundle that records has in place of the table. `Symbol.for` finds it from outside of the bundle. */
const RECORDING = `import { Ahead } from './ahead.js'
import { TableRecorder } from './table-recorder.js'
const recorder = new TableRecorder()
export const createAhead = (options) => new Ahead(recorder.functions, options)
globalThis[Symbol.for('cloister.build.recorder')] = { table: () => recorder.table('..') }
`

const CHANGES = 'its schema is made of values that change with each start'

/** What is recorded. */
export interface RecordInput {
  /** The file of the app. */
  readonly file: string
  readonly form: AppForm
  readonly external: readonly string[]
  readonly requests: RunOrder['requests']
  readonly methods: readonly string[]
}

/** The functions of an app, and those that are compiled when it starts. */
export interface Recording {
  readonly table: Table
  readonly skipped: readonly SkippedFunction[]
  /** The packages that the app loads when it needs them, and has not needed. */
  readonly idle: readonly string[]
}

/** Boots the app twice on Node, with a recorder where text becomes functions. */
export async function record(bundler: Bundler, place: Place, input: RecordInput): Promise<Recording> {
  const { file, form, external, requests, methods } = input
  const out = path.join(place.scratch, 'recording.mjs')
  const from = path.dirname(file)
  const entry = entryOf(`./${path.basename(file)}`, form, { ...TARGETS.node, entry: 'export default app\n' })
  const { code } = await bundle(bundler, {
    entry,
    from,
    target: TARGETS.node,
    replaced: { 'ahead/built.js': RECORDING },
    external,
    idle: LAZY_PACKAGES,
    out,
  })
  await writeFile(out, code)
  const order = { file: out, methods, overFetch: false, ...(requests === undefined ? {} : { requests }) }
  const [first, second] = [await runRecording(place, order), await runRecording(place, order)]
  const [one, other] = [first.table, second.table]
  const changing = Object.keys(one.entries).filter((key) => other.entries[key] === undefined)
  const dynamic = changing.flatMap((key) => {
    const entry = one.entries[key]
    return entry === undefined ? [] : [{ ...entry, reason: CHANGES }]
  })
  const idle = LAZY_PACKAGES.filter((name) => !first.loaded.includes(name))
  return { table: one, skipped: [...one.skipped, ...dynamic], idle }
}

async function runRecording(
  place: Place,
  order: RunOrder,
): Promise<{ readonly table: Table; readonly loaded: readonly string[] }> {
  const { table, loaded, failure } = await runApp(place, order, 'the app')
  if (failure !== null)
    throw new CommandError(3, `the app does not start from one file, so nothing is written:\n${failure}\n`)
  if (table === null) throw new CommandError(3, 'the app compiles no schema of @cloister/schema\n')
  return { table, loaded }
}
