import { spawn } from 'node:child_process'

/** A server in a process of its own. */
export interface Running {
  /** Where it listens, as its first line of output says. */
  readonly address: string
  stop(): Promise<void>
}

/** Starts a program that prints the address where it listens; throws its output when it ends before. */
export function start(
  command: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<Running> {
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const stop = async (): Promise<void> => {
    child.kill()
    await ended
  }
  return new Promise((resolve, reject) => {
    let output = ''
    const read = (text: string): void => {
      output += text
      const [address] = /http:\/\/[\d.]+:\d+/.exec(output) ?? []
      if (address !== undefined) resolve({ address, stop })
    }
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', read)
    child.once('error', reject)
    void ended.then(() => reject(new Error(`${command.join(' ')} ended before it listened:\n${output}`)))
  })
}
