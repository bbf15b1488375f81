import { parseArgs } from 'node:util'

import { CommandError } from './outcome.ts'

/** How the command is used. */
export const USAGE = `Usage: cloister COMMAND [--app FILE]

  cloister routes [--json] [--hooks] [--grep TEXT]
      lists the routes; --hooks with the hooks of each, --grep those with this text
  cloister explain METHOD URL [--json]
      says what requests of one route run and use: cloister explain GET /users/1

  --app FILE   the file that exports the app: default export, 'app' or 'createApp'
               (default: app.js, src/app.js or dist/app.js; .mjs and .cjs too)
  --json       prints JSON for programs
  --help       prints this text

Exit codes: 0 done, 1 nothing found, 2 wrong usage, 3 the app cannot be loaded.
`

/** The arguments of the command, read. */
export type Command =
  | { readonly name: 'help' }
  | ({ readonly name: 'routes'; readonly hooks: boolean; readonly grep: string } & AppOptions)
  | ({ readonly name: 'explain'; readonly method: string; readonly url: string } & AppOptions)

/** What every command on an app takes. */
export interface AppOptions {
  /** path as it was given; `null` looks for the usual ones */
  readonly app: string | null
  readonly json: boolean
}

/**
 * Reads the arguments.
 *
 * @throws CommandError with the code 2 for what the command does not have
 */
export function readArguments(args: readonly string[]): Command {
  const { values, positionals } = parse(args)
  const { app = null, json = false, hooks = false, grep = '', help = false } = values
  const [name, ...rest] = positionals
  if (help || name === undefined || name === 'help') return { name: 'help' }
  if (name === 'routes') {
    if (rest.length > 0) throw wrong(`'routes' takes no ${rest.join(' ')}; to find text use --grep TEXT`)
    return { name, app, json, hooks, grep }
  }
  if (name !== 'explain') throw wrong(`there is no command '${name}'`)
  const [method, url] = rest
  if (method === undefined || url === undefined || rest.length > 2)
    throw wrong("'explain' takes a method and a URL, as in: cloister explain GET /users/1")
  if (hooks || grep !== '') throw wrong("--hooks and --grep belong to 'routes'")
  return { name, app, json, method, url }
}

const OPTIONS = {
  app: { type: 'string' },
  json: { type: 'boolean' },
  hooks: { type: 'boolean' },
  grep: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

function parse(
  args: readonly string[],
): ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>> {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error))
  }
}

function wrong(problem: string): CommandError {
  return new CommandError(2, `${problem}\n\n${USAGE}`)
}
