import type { Command } from '@commander-js/extra-typings'

import type { Session } from './session.ts'

/** The command `cloister`, to which each of its commands adds itself. */
export type Program = Command

/** Adds a command to the program. */
export type AddCommand = (program: Program, session: Session) => void

/** The option of every command that loads an app. */
export const APP_OPTION = [
  '--app <file>',
  "the file that exports the app: default export, 'app' or 'createApp' (default: app.js, src/app.js or dist/app.js; .mjs, .cjs and .ts too)",
] as const

/** The option of every command that prints for people unless it is asked for JSON. */
export const JSON_OPTION = ['--json', 'print JSON for programs'] as const

/**
 * Writes a command line that users can copy.
 *
 * @param options - by name, as `true` or a text; those that are `undefined` or `false` are left out
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

/** Puts a text in quotes where a shell would split it or read its characters. */
function quoted(text: string): string {
  return /^[\w./\\:@-]+$/.test(text) ? text : `"${text}"`
}
