/**
 * Where draft-7 has sub-schemas. Everything that walks a schema (references, checks, acceptor,
 * serializer) reads this table.
 */
export type SubschemaShape = 'schema' | 'list' | 'map' | 'schema-or-list' | 'map-or-names'

/** Keyword → how its value holds sub-schemas. */
export const SUBSCHEMAS: ReadonlyMap<string, SubschemaShape> = new Map<string, SubschemaShape>([
  ['items', 'schema-or-list'],
  ['additionalItems', 'schema'],
  ['contains', 'schema'],
  ['properties', 'map'],
  ['patternProperties', 'map'],
  ['additionalProperties', 'schema'],
  ['propertyNames', 'schema'],
  ['dependencies', 'map-or-names'],
  ['definitions', 'map'],
  ['$defs', 'map'],
  ['allOf', 'list'],
  ['anyOf', 'list'],
  ['oneOf', 'list'],
  ['not', 'schema'],
  ['if', 'schema'],
  ['then', 'schema'],
  ['else', 'schema'],
])

/** Keywords whose value is data: an `$id` or `$ref` inside is not one. */
export const DATA_KEYWORDS: ReadonlySet<string> = new Set([
  'default',
  'const',
  'enum',
  'examples',
  'example',
  'required',
  'type',
])
