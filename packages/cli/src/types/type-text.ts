/** A type as text: the members of a union, each once. */
export type TypeText = readonly string[]

/** The type without a schema. */
export const UNKNOWN: TypeText = ['unknown']
/** The type without values. */
export const NEVER: TypeText = ['never']

export function print(type: TypeText): string {
  return type.join(' | ')
}

/** Prints a type before text such as `[]` and `&`. */
function printTight(type: TypeText): string {
  const text = print(type)
  return /^[\w$]+(?:\['[^']*'\])?$|^"[^"]*"$/.test(text) ? text : `(${text})`
}

export function listOf(item: TypeText): TypeText {
  return [`${printTight(item)}[]`]
}

/** Returns the union of types. */
export function anyOf(types: readonly TypeText[]): TypeText {
  const members = [...new Set(types.flat())].filter((member) => member !== 'never')
  if (members.includes('unknown')) return UNKNOWN
  return members.length === 0 ? NEVER : members
}

/** Returns the intersection of types. */
export function allOf(types: readonly TypeText[]): TypeText {
  const texts = new Map(types.map((type) => [print(type), type]))
  if (texts.has('never')) return NEVER
  const known = [...texts.values()].filter((type) => print(type) !== 'unknown')
  const [first = UNKNOWN] = known
  return known.length < 2 ? first : [known.map(printTight).join(' & ')]
}

/** Returns the literal type of a value; of an integer as a number or bigint. */
export function literal(value: unknown, integer: 'number' | 'bigint' = 'number'): TypeText {
  if (integer === 'bigint' && Number.isInteger(value)) return [`${String(value)}n`]
  if (Array.isArray(value)) return [`[${value.map((item) => print(literal(item))).join(', ')}]`]
  if (typeof value === 'string') return [quoted(value)]
  if (typeof value !== 'object' || value === null) return [JSON.stringify(value) ?? 'unknown']
  const members = Object.entries(value).map(
    ([name, item]) => `${propertyName(name)}: ${print(literal(item))}`,
  )
  return [members.length === 0 ? 'Record<string, never>' : `{ ${members.join('; ')} }`]
}

/** Prints the name of a property, quoted unless it is an identifier. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)
}

/** Prints a text as a string literal. */
export function quoted(text: string): string {
  return `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`
}

/** Prints the descriptions in a schema as a doc comment; empty if there are none. */
export function docComment(schema: unknown, end: string): string {
  if (typeof schema !== 'object' || schema === null) return ''
  const text = (name: string): string => {
    const value: unknown = Reflect.get(schema, name)
    return typeof value === 'string' ? value.replaceAll(/\s+/g, ' ').replaceAll('*/', '*\\/').trim() : ''
  }
  const deprecated = Reflect.get(schema, 'deprecated') === true ? '@deprecated' : ''
  const words = [text('summary') || text('title'), text('description'), deprecated].filter(
    (word) => word !== '',
  )
  return words.length === 0 ? '' : `/** ${words.join(' ')} */${end}`
}
