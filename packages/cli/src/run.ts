import { addCommands } from './program.ts'
import { collectOutcome, runProgram } from './run-program.ts'
import type { Outcome } from './run-program.ts'
import type { ExitCode, Place } from './session.ts'

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
  return collectOutcome(folder, (place) => runIn(place, args))
}

/** Runs the command with outputs of the caller. */
export async function runIn(place: Place, args: readonly string[]): Promise<ExitCode> {
  return runProgram('cloister', place, args.length === 0 ? ['help'] : args, addCommands)
}
