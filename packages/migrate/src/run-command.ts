import { spawn } from 'node:child_process'

/** The result of a command. */
export interface Ran {
  /** Its exit code; `null` if it took too long and was killed. */
  readonly code: number | null
  /** Its standard output and standard error. */
  readonly output: string
}

const MAX_OUTPUT_LENGTH = 8 * 1024 * 1024
const PATIENCE_MS = 30 * 60_000

/** Runs a shell command, and kills it with its children if it takes too long. */
export function runCommand(
  command: string,
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(command, {
      cwd: folder,
      shell: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      env: { ...process.env, FORCE_COLOR: '0', CI: 'true', ...env },
    })
    let output = ''
    const add = (text: string): void => void (output += output.length < MAX_OUTPUT_LENGTH ? text : '')
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', add)
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      if (child.pid !== undefined && process.platform !== 'win32') process.kill(-child.pid, 'SIGKILL')
      else child.kill('SIGKILL')
    }, PATIENCE_MS)
    child.on('error', (error) => add(`${error.message}\n`))
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ code: isLate ? null : (code ?? 1), output })
    })
  })
}
