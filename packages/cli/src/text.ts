import path from 'node:path'
import { styleText } from 'node:util'

/** How and where texts are printed. */
export interface Paper {
  /** The folder to which printed paths are relative. */
  readonly folder: string
  /** Columns of the terminal; `Infinity` for files and pipes, where nothing is cut. */
  readonly width: number
  readonly colours: boolean
}

/** A style name of `styleText` of Node.js. */
export type Style = 'bold' | 'cyan' | 'dim' | 'green' | 'red' | 'yellow'

/** Applies a style to a text if colours are on. */
export function styled(text: string, style: Style | undefined, { colours }: Pick<Paper, 'colours'>): string {
  return style === undefined || !colours ? text : styleText(style, text)
}

export interface TableOptions {
  readonly indent?: string
  readonly styles?: readonly (Style | undefined)[]
}

const GAP = '  '
/** The minimum width of a column that is cut. */
const MIN_WIDTH = 8

/** Prints rows in aligned columns, cut to the width of the terminal; the last column is not padded. */
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

function fit(widths: readonly number[], room: number): number[] {
  const fitting = [...widths]
  let over = fitting.reduce((sum, width) => sum + width, 0) - room
  while (over > 0) {
    const widest = Math.max(...fitting)
    if (widest <= MIN_WIDTH) return fitting
    fitting[fitting.lastIndexOf(widest)] = widest - 1
    over -= 1
  }
  return fitting
}

/** Cuts a text; a call site keeps its end, which has the line. */
function cut(text: string, width: number): string {
  if (text.length <= width) return text
  return /:\d+$/.test(text) ? `…${text.slice(text.length - width + 1)}` : `${text.slice(0, width - 1)}…`
}

/** Prints a call site with a path relative to a folder, so that terminals and editors can open it. */
export function printCallSite(callSite: string | null, folder: string): string {
  if (callSite === null) return 'the framework'
  const relative = path.relative(folder, callSite)
  return relative.startsWith('..') ? callSite : relative
}

const MAX_NAME_LENGTH = 40

/**
 * Prints the path of a context, as in `root > users`. A plugin without a name is named after its code, which is cut.
 */
export function printContext(context: string): string {
  return context
    .split(' > ')
    .map((name) => (name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name))
    .join(' > ')
}

export function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
