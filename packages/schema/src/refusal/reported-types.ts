/** The types of a schema as its errors show them: Ajv adds "null" to a list of types beside `nullable: true`. */
export function reportedTypes({ type, nullable }: Readonly<Record<string, unknown>>): unknown {
  if (nullable !== true || !Array.isArray(type) || type.includes('null')) return type
  const types: readonly unknown[] = type
  return [...types, 'null']
}
