// The driver gives rows as `unknown`. These functions take a column out of a row, or say what is wrong with it.

/** A column that holds text. */
export function text(row: unknown, column: string): string {
  const value = cell(row, column)
  if (typeof value === 'string') return value
  throw new TypeError(`column ${column} holds ${typeof value}, not text`)
}

/** A column that holds a number. */
export function number(row: unknown, column: string): number {
  const value = cell(row, column)
  if (typeof value === 'number') return value
  throw new TypeError(`column ${column} holds ${typeof value}, not a number`)
}

/** A column that holds a number or nothing. */
export function numberOrNull(row: unknown, column: string): number | null {
  return cell(row, column) === null ? null : number(row, column)
}

/** A column that holds a JSON list of texts. */
export function textList(row: unknown, column: string): string[] {
  const list: unknown = JSON.parse(text(row, column))
  if (!Array.isArray(list)) throw new TypeError(`column ${column} holds no list`)
  return list.map(String)
}

function cell(row: unknown, column: string): unknown {
  if (typeof row === 'object' && row !== null && column in row) return Reflect.get(row, column)
  throw new TypeError(`the row has no column ${column}`)
}
