import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const tsc = fileURLToPath(new URL('../../../../node_modules/typescript/bin/tsc', import.meta.url))

/** What the compiler says about a project: one line per problem, and everything that it printed. */
export interface Verdict {
  readonly problems: readonly string[]
  readonly output: string
}

/** Runs the compiler on a project, without writing anything. */
export function compile(project: string, ...options: readonly string[]): Promise<Verdict> {
  return new Promise((resolve) => {
    const args = [tsc, '-p', project, '--noEmit', '--pretty', 'false', ...options]
    execFile(process.execPath, args, { cwd: root, maxBuffer: 1 << 26 }, (_error, stdout, stderr) => {
      const output = stdout + stderr
      resolve({ problems: output.split('\n').filter((line) => /error TS\d+/.test(line)), output })
    })
  })
}
