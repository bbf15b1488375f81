import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { APP_OPTION } from '../command-line.ts'
import type { Program } from '../command-line.ts'
import { findApp } from '../find-app.ts'
import { report, type Failure } from '../replicas/report.ts'
import { readTraceLine, VARIABLE, type ReplicaSettings, type TraceLine } from '../replicas/settings.ts'
import { CommandError } from '../session.ts'
import type { Session } from '../session.ts'

const require: ResolveOwn = createRequire(import.meta.url)

/** `require.resolve`, with the name of this package's entry. */
interface ResolveOwn {
  resolve(name: '@cloister/cli/replicas'): string
}

/** Adds `cloister replicas`: tests of an app run against several instances of it. */
export function addReplicas(program: Program, session: Session): void {
  program
    .command('replicas')
    .argument('<command...>', 'the command that runs the tests, after --')
    .description('run the tests of an app against several replicas of it, and name those that fail then')
    .option('-n, --count <number>', 'how many replicas', '3')
    .option('--runs <number>', 'how many runs, each with a seed of its own', '5')
    .option('--seed <number>', 'the first seed', '1')
    .option(...APP_OPTION)
    .action(async (command, { app, count, runs, seed }) => {
      const entry = findApp(app, session.folder)
      await runReplicas(
        {
          command,
          entry,
          count: toCount(count, 'count'),
          runs: toCount(runs, 'runs'),
          seed: toCount(seed, 'seed'),
        },
        session,
      )
    })
}

function toCount(text: string, name: string): number {
  const count = Number(text)
  if (Number.isSafeInteger(count) && count > 0) return count
  throw new CommandError(2, `--${name} must be a number from 1 on, got '${text}'\n`)
}

interface Wanted {
  readonly command: readonly string[]
  readonly entry: string
  readonly count: number
  readonly runs: number
  readonly seed: number
}

async function runReplicas({ command, entry, count, runs, seed }: Wanted, session: Session): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'cloister-replicas-'))
  try {
    const runtime = pathToFileURL(require.resolve('@cloister/cli/replicas')).href
    const run = async (replicas: number, one: number): Promise<Run> =>
      runTests(
        command,
        { entry, count: replicas, seed: one, runtime, trace: path.join(folder, `${replicas}-${one}.jsonl`) },
        session,
      )
    const alone = await run(1, seed)
    if (alone.code !== 0) throw new CommandError(1, `the tests fail with one replica too:\n${alone.output}`)
    if (alone.lines.length === 0) throw new CommandError(3, noApp(path.relative(session.folder, entry)))
    const failures: Failure[] = []
    let asked = 0
    for (let one = seed; one < seed + runs; one++) {
      const { code, output, lines } = await run(count, one)
      asked += lines.filter(({ what }) => what !== 'restart').length
      if (code !== 0) failures.push({ seed: one, output, lines })
    }
    if (failures.length === 0) {
      session.out(
        `${count} replicas, ${runs} runs, ${asked} requests: every test that passes with one passes\n`,
      )
      return
    }
    session.out(await report(failures, { count, runs, entry, folder: session.folder }))
    session.exit(1)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const noApp = (entry: string): string =>
  `no test has asked the app of ${entry} for anything. Tests get the app from this file, as an ES module: ` +
  `import { createApp } from '…/${path.basename(entry)}'. With Vitest, add the plugin: plugins: [replicas()], ` +
  `from '@cloister/cli/replicas'\n`

interface Run {
  readonly code: number
  readonly output: string
  readonly lines: readonly TraceLine[]
}

async function runTests(
  command: readonly string[],
  settings: ReplicaSettings,
  session: Session,
): Promise<Run> {
  const [name = '', ...rest] = command
  const preload = `import { register } from 'node:module'; register(${JSON.stringify(settings.runtime)})`
  const options = `--import data:text/javascript,${encodeURIComponent(preload)}`
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    [VARIABLE]: JSON.stringify(settings),
    NODE_OPTIONS: [process.env['NODE_OPTIONS'], options].join(' ').trim(),
  }
  const child = spawn(name, rest, {
    cwd: session.folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', (error) =>
      reject(new CommandError(3, `${name} cannot be run: ${error.message}\n`, error)),
    )
    child.on('close', (status) => resolve(status ?? 1))
  })
  return { code, output, lines: await readTrace(settings.trace) }
}

async function readTrace(file: string): Promise<TraceLine[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => (line === '' ? [] : [readTraceLine(line)]))
}
