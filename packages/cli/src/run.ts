import { CommanderError } from '@commander-js/extra-typings'

import { makeProgram } from './program.ts'
import { CommandError } from './session.ts'
import type { ExitCode, Session } from './session.ts'

/** The result of a command. */
export interface Outcome {
  /** Exit code: 0 done, 1 nothing found or a check failed, 2 wrong usage, 3 no app file, or the app does not start. */
  readonly code: ExitCode
  /** Text for the standard output; empty, or ends with a line feed. */
  readonly output: string
  /** Text for the standard error; empty, or ends with a line feed. */
  readonly errors: string
}

/**
 * Runs the command `cloister`, and closes the app that it has loaded.
 *
 * @param args - the arguments after the name of the command, as in `['explain', 'GET', '/users/1']`
 * @param folder - the folder in which files are found, and to which printed paths are relative
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

/** Runs the command with outputs of the caller. */
export async function runIn(place: Omit<Session, 'exit'>, args: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = 0
  const session: Session = { ...place, exit: (wanted) => (code = wanted) }
  try {
    await makeProgram(session).parseAsync(args.length === 0 ? ['help'] : [...args], { from: 'user' })
    return code
  } catch (error) {
    // The parser has already printed its message or the help text.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (!(error instanceof CommandError)) throw error
    session.err(`cloister: ${error.message}`)
    return error.code
  }
}
