import type { Command } from '@commander-js/extra-typings'

import type { Session } from './session.ts'

/** The program `cloister`, to which each command adds itself. */
export type Program = Command

export type AddCommand = (program: Program, session: Session) => void

/** The option of all commands that load an app. */
export const APP_OPTION = [
  '--app <file>',
  "the file that exports the app: default export, 'app' or 'createApp' (default: app.js, src/app.js or dist/app.js; .mjs, .cjs and .ts too)",
] as const

/** The option of commands that can print JSON. */
export const JSON_OPTION = ['--json', 'print JSON for programs'] as const

/**
 * Returns a command line that users can copy.
 *
 * @param options - values by name: `true` or a text; `undefined` and `false` are omitted
 */
export function commandLine(
  command: string,
  options: Readonly<Record<string, string | boolean | undefined>>,
): string {
  const words = Object.entries(options)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([name, value]) => ` --${name}${typeof value === 'string' ? ` ${quoted(value)}` : ''}`)
  return `cloister ${command}${words.join('')}`
}

/** Returns a command with its arguments, as a text that users can copy. */
export function commandText(command: string, args: readonly string[]): string {
  return [command, ...args.map(quoted)].join(' ')
}

function quoted(text: string): string {
  return /^[\w./\\:@-]+$/.test(text) ? text : `"${text}"`
}
