import path from 'node:path'

/** Prints rows with columns of one width; the last column is not filled up. */
export function printTable(rows: readonly (readonly string[])[], indent: string = ''): string {
  const widths: number[] = []
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length)
  }
  return rows.map((row) => `${indent}${printRow(row, widths)}\n`).join('')
}

function printRow(row: readonly string[], widths: readonly number[]): string {
  return row
    .map((cell, index) => cell.padEnd(widths[index] ?? 0))
    .join('  ')
    .trimEnd()
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
