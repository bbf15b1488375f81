import path from 'node:path'
import { styleText } from 'node:util'

/** What texts are written for. */
export interface Paper {
  /** The folder that printed paths start from. */
  readonly folder: string
  /** Columns of the terminal; `Infinity` where nothing is cut, as for files and pipes. */
  readonly width: number
  /** Whether texts have colours. */
  readonly colours: boolean
}

/** A style of a text, as `styleText` of Node.js has it. */
export type Style = 'bold' | 'cyan' | 'dim' | 'green' | 'red' | 'yellow'

/** Prints a text in a style, where there are colours. */
export function styled(text: string, style: Style | undefined, { colours }: Pick<Paper, 'colours'>): string {
  return style === undefined || !colours ? text : styleText(style, text)
}

/** How a table is printed. */
export interface TableOptions {
  readonly indent?: string
  /** The styles of its columns. */
  readonly styles?: readonly (Style | undefined)[]
}

const GAP = '  '
/** A column is not cut to less. */
const LEAST = 8

/** Prints rows with columns of one width, cut to the width of the terminal; the last column is not filled up. */
export function printTable(
  rows: readonly (readonly string[])[],
  paper: Paper,
  { indent = '', styles = [] }: TableOptions = {},
): string {
  const widths: number[] = []
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length)
  }
  const fitting = fit(widths, paper.width - indent.length - GAP.length * (widths.length - 1))
  const printRow = (row: readonly string[]): string => {
    const last = row.findLastIndex((cell) => cell !== '')
    return row
      .slice(0, last + 1)
      .map((cell, index) => {
        const width = fitting[index] ?? 0
        const text = cut(cell, width)
        return styled(text, styles[index], paper) + ' '.repeat(index === last ? 0 : width - text.length)
      })
      .join(GAP)
  }
  return rows.map((row) => `${indent}${printRow(row)}\n`).join('')
}

/** Takes from the widest columns until all of them fit. */
function fit(widths: readonly number[], room: number): number[] {
  const fitting = [...widths]
  let over = fitting.reduce((sum, width) => sum + width, 0) - room
  while (over > 0) {
    const widest = Math.max(...fitting)
    if (widest <= LEAST) return fitting
    fitting[fitting.lastIndexOf(widest)] = widest - 1
    over -= 1
  }
  return fitting
}

/** Cuts a text; of a call site the end is kept, which has the line. */
function cut(text: string, width: number): string {
  if (text.length <= width) return text
  return /:\d+$/.test(text) ? `…${text.slice(text.length - width + 1)}` : `${text.slice(0, width - 1)}…`
}

/** Prints a call site with its path from a folder, as terminals and editors open it. */
export function printCallSite(callSite: string | null, folder: string): string {
  if (callSite === null) return 'the framework'
  const relative = path.relative(folder, callSite)
  return relative.startsWith('..') ? callSite : relative
}

const LONGEST_NAME = 40

/**
 * Prints the path of a context, as in `root > users`. A plugin that is a function without a name is called after its
 * code, of which the beginning is enough.
 */
export function printContext(context: string): string {
  return context
    .split(' > ')
    .map((name) => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name))
    .join(' > ')
}

/** Prints a value as JSON for programs. */
export function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
