import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The built command. */
export const bin: string = fileURLToPath(new URL('../dist/main.js', import.meta.url))
/** The folder of the apps of these tests. */
export const fixtures: string = fileURLToPath(new URL('./fixtures', import.meta.url))

interface Result {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs the built command as a user does. */
export function cloister(
  args: readonly string[],
  cwd: string = fixtures,
  extra: NodeJS.ProcessEnv = {},
  program: string = bin,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    // The runner of these tests may have set them.
    const { NO_COLOR: _no, FORCE_COLOR: _force, ...rest } = process.env
    const env = { ...rest, ...extra }
    const child = spawn(process.execPath, [program, ...args], { cwd, env, stdio: 'pipe', timeout: 20_000 })
    const texts = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.err += text))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, ...texts }))
  })
}
