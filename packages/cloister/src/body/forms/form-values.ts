/** The parts of a form by name. It has no prototype, like a parsed query string. */
export type FormValues = Record<string, unknown>

/** A part in its place, which it has before its content is complete. */
export interface FormEntry {
  readonly name: string
  readonly isList: boolean
  value: unknown
}

/** Returns the parts in the order of the form. A repeated name becomes a list, as in a query string. */
export function valuesOf(entries: readonly FormEntry[]): FormValues {
  const values: FormValues = { __proto__: null }
  const lists = new Map<string, unknown[]>()
  for (const { name, value, isList } of entries) {
    // A part of JSON may be a list itself, which is one value.
    const list = lists.get(name) ?? []
    list.push(value)
    lists.set(name, list)
    values[name] = isList || list.length > 1 ? list : value
  }
  return values
}
