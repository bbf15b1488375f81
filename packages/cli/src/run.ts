import { CommanderError } from '@commander-js/extra-typings'

import { makeProgram } from './program.ts'
import { CommandError } from './session.ts'
import type { ExitCode, Session } from './session.ts'

/** What a command comes to. */
export interface Outcome {
  /** Exit code: 0 done, 1 nothing found or a check failed, 2 wrong usage, 3 no app file, or the app does not start. */
  readonly code: ExitCode
  /** Text for the standard output; ends with a line feed, or is empty. */
  readonly output: string
  /** Text for the standard error; ends with a line feed, or is empty. */
  readonly errors: string
}

/**
 * Runs the command `cloister`, and closes the app that it has loaded.
 *
 * @param args - the arguments behind the name of the command, as in `['explain', 'GET', '/users/1']`
 * @param folder - the folder from which files are found, and to which their paths are printed
 *
 * @example
 * ```ts fragment
 * import { run } from '@cloister/cli'
 *
 * const { code, output } = await run(['routes', '--json', '--app', 'src/app.js'], process.cwd())
 * ```
 */
export async function run(args: readonly string[], folder: string): Promise<Outcome> {
  const texts = { output: '', errors: '' }
  const out = (text: string): void => void (texts.output += text)
  const err = (text: string): void => void (texts.errors += text)
  const code = await runIn({ folder, width: Infinity, colours: false, out, err }, args)
  return { code, ...texts }
}

/** Runs the command with texts that go where the caller wants them. */
export async function runIn(place: Omit<Session, 'exit'>, args: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = 0
  const session: Session = { ...place, exit: (wanted) => (code = wanted) }
  try {
    await makeProgram(session).parseAsync(args.length === 0 ? ['help'] : [...args], { from: 'user' })
    return code
  } catch (error) {
    // The parser has written its message or the help text.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (!(error instanceof CommandError)) throw error
    session.err(`cloister: ${error.message}`)
    return error.code
  }
}
