interface Table<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

/** Returns the value of a key in a table; creates it on first use. */
export function remember<Key, Value>(table: Table<Key, Value>, key: Key, make: () => Value): Value {
  const known = table.get(key)
  if (known !== undefined) return known
  const made = make()
  table.set(key, made)
  return made
}
