import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { compilerBeside, objectOf } from '@cloister/cli/internal'
import type { Exchange, Failure } from '@cloister/cli/internal'
import { runCommand } from './run-command.ts'
import { readResults } from './test-results.ts'
import type { TestResults } from './test-results.ts'

/** What is run in a project, before and after the move. */
export interface Subject {
  readonly folder: string
  /** The command that runs the tests; `null` if there is none. */
  readonly test: string | null
  /** The file of the app; `null` if none was found. */
  readonly app: string | null
  readonly methods: readonly string[]
}

/** What one run of a project shows. */
export interface Observation {
  /** The exit code of the tests; `null` if they took too long or there are none. */
  readonly code: number | null
  readonly tests: TestResults
  readonly exchanges: readonly Exchange[]
  readonly failures: readonly Failure[]
  readonly end: string
}

const require: FindManifest = createRequire(import.meta.url)

interface FindManifest {
  resolve(name: '@cloister/migrate/package.json'): string
}

/** Returns the file of a module that runs in processes of the project. */
export const moduleOf = (name: 'record' | 'open-app' | 'express-routes'): string =>
  path.join(path.dirname(require.resolve('@cloister/migrate/package.json')), 'dist/recorder', `${name}.js`)
const LAST = 2000

/**
 * Runs the tests of a project and opens its app, both with the recorder. Drawn requests are sent in a second run of
 * the tests, for each app that closes: tests that count calls would count those requests too.
 */
export async function observe(subject: Subject): Promise<Observation> {
  const { folder, test, app, methods } = subject
  const record = await mkdtemp(path.join(tmpdir(), 'cloister-migrate-'))
  const given = process.env['NODE_OPTIONS']
  // Not `--import`: with it Node.js 20 loads every program as an ES module, which skips the hooks of `--require`.
  const preload = `--require=${JSON.stringify(moduleOf('record'))}`
  const env = {
    NODE_OPTIONS: given === undefined ? preload : `${given} ${preload}`,
    CLOISTER_MIGRATE_FOLDER: await realpath(folder),
  }
  const run = async (command: string, draws: boolean): Promise<Run> => {
    const inside = await mkdtemp(path.join(record, 'run-'))
    const draw = draws ? methods.join(',') : ''
    const ended = await runCommand(command, folder, {
      ...env,
      CLOISTER_MIGRATE_RECORD: inside,
      CLOISTER_MIGRATE_DRAW: draw,
    })
    return { ...ended, ...(await readRecord(inside)) }
  }
  try {
    const tests = test === null ? NOTHING : await run(test, false)
    const drawn = test === null ? NOTHING : await run(test, true)
    const loader = /\.[cm]?tsx?$/.test(app ?? '') ? tsLoader(folder) : ''
    const opened =
      app === null
        ? NOTHING
        : await run(`"${process.execPath}" ${loader}"${moduleOf('open-app')}" "${app}"`, true)
    const { code, output } = tests
    const ofDrawn = drawn.exchanges.filter(({ kind }) => kind === 'drawn')
    return {
      code,
      tests: readResults(output),
      end: output.slice(-LAST),
      exchanges: [...tests.exchanges, ...ofDrawn, ...opened.exchanges],
      failures: [tests, opened].flatMap(({ failures }) => failures),
    }
  } finally {
    await rm(record, { recursive: true, force: true })
  }
}

interface Run extends Pick<Observation, 'code' | 'exchanges' | 'failures'> {
  readonly output: string
}

const NOTHING: Run = { code: null, output: '', exchanges: [], failures: [] }

/** Returns the flag that loads `tsx` if the project has it, so that Node.js runs TypeScript. */
export function tsLoader(folder: string): string {
  const compiler = compilerBeside(path.join(folder, 'package.json'))
  return compiler === null ? '' : `--import "${compiler}" `
}

async function readRecord(folder: string): Promise<Pick<Observation, 'exchanges' | 'failures'>> {
  const exchanges: Exchange[] = []
  const failures: Failure[] = []
  for (const name of (await readdir(folder)).toSorted()) {
    for (const text of (await readFile(path.join(folder, name), 'utf8')).split('\n')) {
      const line = lineOf(text)
      if (line?.kind === 'failed') failures.push(line)
      else if (line !== null) exchanges.push(line)
    }
  }
  return { exchanges, failures }
}

/** Parses a line of the record; returns `null` for one that was cut off when its process ended. */
function lineOf(text: string): Exchange | Failure | null {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the recorder has written it, in the form of these types
    return text === '' ? null : (objectOf(JSON.parse(text)) as unknown as Exchange | Failure)
  } catch {
    return null
  }
}

export interface TypeFault {
  readonly callSite: string
  readonly message: string
}

/** Checks the types of a project; returns `null` if it has no TypeScript. */
export async function checkTypes(folder: string): Promise<readonly TypeFault[] | null> {
  const compiler = typeScriptOf(folder)
  if (!existsSync(path.join(folder, 'tsconfig.json')) || compiler === null) return null
  const { output } = await runCommand(`"${process.execPath}" "${compiler}" --noEmit --pretty false`, folder)
  return output.split('\n').flatMap((line) => {
    const [, file, number, message = ''] = /^(\S.*?)\((\d+),\d+\): error (TS.*)$/.exec(line) ?? []
    return file === undefined ? [] : [{ callSite: `${file}:${number}`, message }]
  })
}

/** Returns the file of `tsc`, which a workspace may have in a folder above; `null` if it is not installed. */
function typeScriptOf(folder: string): string | null {
  try {
    const manifest = createRequire(path.join(folder, 'package.json')).resolve('typescript/package.json')
    return path.join(path.dirname(manifest), 'bin/tsc')
  } catch {
    return null
  }
}
