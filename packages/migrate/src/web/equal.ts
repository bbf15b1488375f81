import type { SyntaxNode } from '@cloister/cli/internal'
import type { Literal } from './literal.ts'

/** The value of an option, as the source file has it. */
export interface Given {
  readonly node: SyntaxNode
  /** its source text */
  readonly text: string
  /** its value, if it can be read without running the file */
  readonly literal: Literal | null
}

/** What an option of a plugin is in `@cloister/web`. */
export interface Equal {
  /** Options of `web` by their paths, such as `cors.maxAge`, with their source text. */
  readonly options: Readonly<Record<string, string>>
  /** What to know, or why there is no equal; `null` if nothing. */
  readonly note: string | null
}

/** Finds the equal of an option from its value. */
export type Row = (given: Given, others: Readonly<Record<string, Given>>) => Equal

/** The options of a plugin. */
export interface PeerRows {
  readonly rows: Readonly<Record<string, Row>>
  /** What the plugin does without any of these options. */
  readonly defaults: (given: Readonly<Record<string, Given>>) => Equal
}

export const NOTHING: Equal = { options: {}, note: null }

/** An equal without a remark. */
export const equal = (options: Readonly<Record<string, string>>, note: string | null = null): Equal => ({
  options,
  note,
})

/** Says why an option is not needed, or what replaces it. */
export const note = (text: string): Equal => ({ options: {}, note: text })

/** A row whose value does not matter. */
export const noted =
  (text: string): Row =>
  () =>
    note(text)

/** A row whose value stays as it is. */
export const same =
  (option: string): Row =>
  ({ text }) =>
    equal({ [option]: text })

/** Joins what several options become. */
export function joined(...parts: readonly Equal[]): Equal {
  const notes = parts.map((part) => part.note).filter((one) => one !== null)
  return {
    options: Object.fromEntries(parts.flatMap(({ options }) => Object.entries(options))),
    note: notes.length === 0 ? null : notes.join('; '),
  }
}

/** A text in source code. */
export const quoted = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`

/** A list of texts that is given as a list, or as one text with commas; `null` if it can't be read. */
export function listText({ text, literal }: Given): string | null {
  if (literal === null) return null
  if (typeof literal.value !== 'string') return Array.isArray(literal.value) ? text : null
  const names = literal.value.split(',').map((one) => one.trim())
  return `[${names
    .filter((one) => one !== '')
    .map(quoted)
    .join(', ')}]`
}
