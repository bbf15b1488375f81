import type { Program } from './command-line.ts'
import { CommandError } from './session.ts'
import type { ExitCode, Place, Session } from './session.ts'

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
 * Parses arguments with a program, and runs the command that they name.
 *
 * @param name - of the program, in the help text
 * @param add - adds options and commands to the program
 */
export async function runProgram(
  name: string,
  place: Place,
  args: readonly string[],
  add: (program: Program, session: Session) => void,
): Promise<ExitCode> {
  const { Command, CommanderError } = await import('@commander-js/extra-typings')
  let code: ExitCode = 0
  const session: Session = { ...place, exit: (wanted) => (code = wanted) }
  const program: Program = new Command(name)
    .showHelpAfterError()
    .configureOutput({
      writeOut: (text) => place.out(text),
      writeErr: (text) => place.err(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'cloister: ')),
    })
    .exitOverride()
  add(program, session)
  try {
    await program.parseAsync([...args], { from: 'user' })
    return code
  } catch (error) {
    // The parser has already printed its message or the help text.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (!(error instanceof CommandError)) throw error
    place.err(`cloister: ${error.message}`)
    return error.code
  }
}

/** Runs a command, and returns what it printed, without colours and uncut. */
export async function collectOutcome(
  folder: string,
  use: (place: Place) => Promise<ExitCode>,
): Promise<Outcome> {
  const texts = { output: '', errors: '' }
  const out = (text: string): void => void (texts.output += text)
  const err = (text: string): void => void (texts.errors += text)
  const code = await use({ folder, width: Infinity, colours: false, out, err })
  return { code, ...texts }
}

/** Runs a command in the process that was started for it: prints to its outputs, and ends it. */
export async function runMain(
  use: (place: Place, args: readonly string[]) => Promise<ExitCode>,
): Promise<void> {
  const out = (text: string): void => void process.stdout.write(text)
  const err = (text: string): void => void process.stderr.write(text)
  const { stdout, env } = process
  for (const output of [stdout, process.stderr]) output.on('error', throwUnlessUnread)
  // Lines are not cut in files and pipes, which have colours only if the user asks for them.
  const width = stdout.isTTY ? stdout.columns : Infinity
  const colours = stdout.isTTY
    ? stdout.hasColors()
    : (env['FORCE_COLOR'] ?? '0') !== '0' && (env['NO_COLOR'] ?? '') === ''
  const place = { folder: process.cwd(), width, colours, out, err }
  process.exitCode = await use(place, process.argv.slice(2))
  // An app may have timers and connections that never end; so the process exits when the output is written.
  // oxlint-disable-next-line unicorn/no-process-exit -- only programs call this, as their last line
  process.stderr.write('', () => process.stdout.write('', () => process.exit()))
}

/** A reader such as `head` may end before all is written. */
function throwUnlessUnread(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
