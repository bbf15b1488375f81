import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'

import { compilerFor } from '../compiler.ts'
import { CommandError } from '../session.ts'
import type { RunOrder, RunReport } from './exchange-file.ts'

const require: FindManifest = createRequire(import.meta.url)

interface FindManifest {
  resolve(name: '@cloister/cli/package.json'): string
}

/** The module that runs in the process. */
const CHILD = path.join(path.dirname(require.resolve('@cloister/cli/package.json')), 'dist/build/run-app.js')
const MAX_OUTPUT_LENGTH = 2000

/** Where processes run, and where their files are. */
export interface Place {
  /** The folder of the project. */
  readonly folder: string
  /** A folder for files that are removed at the end. */
  readonly scratch: string
}

/**
 * Runs an app in a process of its own.
 *
 * @param what - what is run, for messages
 * @throws CommandError with the code 3 when the process ends without a report
 */
export async function runApp({ folder, scratch }: Place, order: RunOrder, what: string): Promise<RunReport> {
  const name = path.join(scratch, `run-${process.hrtime.bigint()}`)
  const [orderFile, reportFile] = [`${name}-order.json`, `${name}-report.json`]
  await writeFile(orderFile, JSON.stringify(order))
  const compiler = compilerFor(order.file, [])
  const flags = compiler === null ? [] : ['--import', compiler]
  const output = await endOf([...flags, CHILD, orderFile, reportFile], folder)
  const text = await readFile(reportFile, 'utf8').catch(() => null)
  if (text === null) {
    const last = output === '' ? ', and printed nothing' : `:\n${output.slice(-MAX_OUTPUT_LENGTH)}`
    throw new CommandError(3, `${what} ended its process${last}\n`)
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- run-app.ts has written it, in the form of this type
  return JSON.parse(text) as RunReport
}

function endOf(args: readonly string[], folder: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, CLOISTER_MIGRATE_FOLDER: folder }
    const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.once('error', reject)
    child.once('close', () => resolve(output))
  })
}
