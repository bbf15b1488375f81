import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

import {
  checkDifferences,
  CommandError,
  keptFastify,
  objectOf,
  readSources,
  compareRuns,
} from '@cloister/cli/internal'
import type { Finding, Json, Session } from '@cloister/cli/internal'
import { installedAs } from './installed.ts'
import { checkTypes, observe } from './observe.ts'
import type { Observation, Subject, TypeFault } from './observe.ts'
import type { Project } from './project.ts'
import type { Proof } from './report.ts'
import { runCommand } from './run-command.ts'
import { countPassed, lostTests } from './test-results.ts'

export interface ProofOptions {
  readonly app: string | undefined
  readonly test: string | undefined
  readonly install: string | undefined
  readonly methods: readonly string[]
  readonly native: boolean
}

/** Runs a project on the old framework, moves it, and runs it on the new one. */
export async function prove(
  session: Session,
  project: Project,
  options: ProofOptions,
  move: () => Promise<void>,
): Promise<Proof> {
  const { folder } = session
  const from = fastifyOf(folder, project)
  const subject: Subject = {
    folder,
    test: options.test ?? testCommand(project),
    app: options.app ?? findApp(folder, project.manifest),
    methods: options.methods,
  }
  const log = (text: string): void => session.err(`${text}\n`)
  log(
    `1 of 5  on Fastify ${from}: ${[subject.test ?? 'no tests', subject.app].filter((one) => one !== null).join(', ')}`,
  )
  const first = await observe(subject)
  log('2 of 5  the same again, to see what differs without the change')
  const second = await observe(subject)
  const typesBefore = await checkTypes(folder)
  await move()
  const install = options.install ?? project.install
  log(`3 of 5  ${install}`)
  const to = await installMoved(folder, install, project, options.native)
  log(`4 of 5  on Cloister, ${to}`)
  const now = await observe(subject)
  const lost = lostOf([first, second], now)
  if (lost.length > 0) log(`5 of 5  the same again, because ${lost.length} tests fail now`)
  const once = lost.length > 0 ? lostOf([first, second], await observe(subject)) : []
  const types = compareTypes(typesBefore, await checkTypes(folder))
  return {
    from,
    to,
    tests:
      first.tests.size === 0 ? null : { before: countPassed(first.tests), after: countPassed(now.tests) },
    codes: [first.code, now.code],
    lost: lost.filter((name) => once.includes(name)),
    flaky: [...lostTests(first.tests, second.tests), ...lost.filter((name) => !once.includes(name))],
    types,
    ...compareExchanges(first, second, now),
    failures: newFailures(second, now),
    code: await codeToLookAt(folder, from, options.native),
    unseen: unseenOf(subject, second, now),
  }
}

/** Returns the version of Fastify that the project runs on before the move. */
function fastifyOf(folder: string, { manager, users }: Project): string {
  const all = users.map((user) => installedAs(path.join(folder, user), 'fastify'))
  const found = all.find((one) => one?.name === 'fastify') ?? all.find((one) => one !== null) ?? null
  const what =
    found === null ? 'fastify is not installed' : `node_modules/fastify is ${found.name} ${found.version}`
  if (found?.name === 'fastify') return found.version
  const how = found === null ? manager.install : 'install Fastify'
  throw new CommandError(3, `${what}, so there is nothing to compare with: ${how}; or --no-proof\n`)
}

/** Installs the moved project; returns the name and version of what is installed. */
async function installMoved(
  folder: string,
  install: string,
  project: Project,
  native: boolean,
): Promise<string> {
  const { code, output } = await runCommand(install, folder)
  const back = 'To undo the change: cloister migrate --undo\n'
  if (code !== 0) throw new CommandError(3, `${install} failed:\n${output.slice(-2000)}\n${back}`)
  const name = native ? 'cloister' : 'fastify'
  const all = project.users.map((user) => installedAs(path.join(folder, user), name))
  const kept = all.find((one) => one?.name === 'fastify')
  if (kept) throw new CommandError(3, `${keptFastify(kept.version, project.install)}\n${back}`)
  const found = all.find((one) => one !== null)
  return found ? `${found.name} ${found.version}` : 'unknown'
}

/** Returns the tests that pass in both runs on the old framework, and fail on the new one. */
function lostOf([first, second]: readonly [Observation, Observation], now: Observation): string[] {
  const flaky = new Set(lostTests(first.tests, second.tests))
  return lostTests(first.tests, now.tests).filter((name) => !flaky.has(name))
}

function compareExchanges(
  first: Observation,
  second: Observation,
  now: Observation,
): Pick<Proof, 'recorded' | 'drawn'> {
  const of = (kind: string, { exchanges }: Observation): Observation['exchanges'] =>
    exchanges.filter((exchange) => exchange.kind === kind)
  return {
    recorded: compareRuns(of('recorded', second), of('recorded', first), of('recorded', now)),
    drawn: compareRuns(of('drawn', second), of('drawn', first), of('drawn', now)),
  }
}

function newFailures(before: Observation, now: Observation): Proof['failures'] {
  return before.failures.length > 0 ? [] : now.failures
}

function compareTypes(
  before: readonly TypeFault[] | null,
  after: readonly TypeFault[] | null,
): Proof['types'] {
  if (before === null || after === null) return null
  const known = new Set(before.map(({ callSite, message }) => callSite + message.slice(0, 6)))
  const added = after.filter(({ callSite, message }) => !known.has(callSite + message.slice(0, 6)))
  return { before: before.length, after: after.length, added }
}

async function codeToLookAt(folder: string, from: string, native: boolean): Promise<Finding[]> {
  const found = await checkDifferences(await readSources(folder, ['dist', 'build']), !native, from)
  return found.map((finding) => ({ ...finding, callSite: path.relative(folder, finding.callSite ?? '') }))
}

function unseenOf({ app, test, methods }: Subject, before: Observation, now: Observation): string[] {
  const drawn = before.exchanges.filter(({ kind }) => kind === 'drawn').length
  const [failure] = before.failures
  return [
    test === null ? 'tests: package.json has no script `test`; give one with --test' : null,
    app === null ? 'the app by itself: no file of it is found; give one with --app' : null,
    failure === undefined
      ? null
      : `the app of ${app ?? ''}: it does not start on Fastify either: ${failure.message}`,
    drawn === 0 ? 'drawn requests: no app was closed by the tests, and none was opened' : null,
    `routes with other methods than ${methods.join(', ')} got no drawn requests: they change what the app holds; --methods names more`,
    'requests over sockets, logs, and what the app does besides responding: the tests compare them, or nothing does',
    now.code === null && test !== null ? 'tests that took longer than half an hour' : null,
  ].filter((line) => line !== null)
}

/** Runners that print the names of tests only with a flag. */
const VERBOSE: readonly (readonly [RegExp, string])[] = [
  [/\bjest\b[^&|;]*$/, '--verbose'],
  [/\bvitest\b[^&|;]*$/, '--reporter=verbose'],
  [/\b(?:tap|ava)\b[^&|;]*$/, ''],
]

/** Returns the command that runs the tests of a project, with a flag that prints their names if needed. */
function testCommand({ manager, manifest }: Project): string | null {
  const script = objectOf(manifest['scripts'])['test']
  if (typeof script !== 'string' || script.includes('no test specified')) return null
  const [, flag = ''] = VERBOSE.find(([runner]) => runner.test(script)) ?? []
  return `${manager.name} run test${flag === '' ? '' : manager.testFlag + flag}`
}

const APP_FILES = ['src/app', 'app', 'src/server', 'server', 'src/index', 'index', 'src/main', 'lib/app']
const ENDINGS = ['ts', 'mts', 'js', 'mjs', 'cjs']

function findApp(folder: string, manifest: Json): string | null {
  const { main } = manifest
  const files = [
    ...APP_FILES.flatMap((name) => ENDINGS.map((ending) => `${name}.${ending}`)),
    ...(typeof main === 'string' ? [main] : []),
  ]
  const isApp = (file: string): boolean => {
    const full = path.join(folder, file)
    return existsSync(full) && /['"]fastify['"]/.test(readFileSync(full, 'utf8'))
  }
  return files.find(isApp) ?? null
}
