/** A row in the table of a schema: the value itself, or a property or item of it. */
export interface SchemaRow {
  /** Path in the value, as in `author.name` or `tags[]`; empty for the value itself. */
  readonly name: string
  /** The type, as in `integer` or `string (email)`. */
  readonly type: string
  readonly required: boolean
  /** Limits, choices and the description. */
  readonly says: string
}

export type Schema = Readonly<Record<string, unknown>>

/** The maximum number of rows, and the maximum depth, which also ends recursive schemas. */
const MAX_ROWS = 200
const DEEPEST = 6

const LIMITS = [
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'contentMediaType',
  'default',
  'const',
]

/** Creates tables for the schemas of a document. */
export class SchemaRows {
  readonly #document: object

  /** @param document - resolves references */
  constructor(document: object) {
    this.#document = document
  }

  /** Returns the rows of a schema, the value itself first. */
  of(schema: unknown): readonly SchemaRow[] {
    const rows: SchemaRow[] = []
    this.#add(rows, '', schema, false, 0)
    return rows
  }

  resolve(schema: unknown): Schema {
    let found = isRecord(schema) ? schema : {}
    for (let count = 0; count < DEEPEST && typeof found['$ref'] === 'string'; count++) {
      const target = this.#find(found['$ref'])
      if (target === null) return found
      const { $ref: _, ...beside } = found
      found = { ...target, ...beside }
    }
    return found
  }

  #find(reference: string): Schema | null {
    let at: unknown = this.#document
    for (const part of reference.replace(/^#\/?/, '').split('/')) {
      at = isRecord(at) ? at[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')] : undefined
    }
    return isRecord(at) ? at : null
  }

  #add(rows: SchemaRow[], name: string, given: unknown, required: boolean, depth: number): void {
    if (rows.length >= MAX_ROWS) return
    const schema = this.resolve(given)
    const row = { name, type: typeOf(schema, given), required, says: saysOf(schema) }
    // A plain object needs no row: those of its properties show the same.
    if (name !== '' || row.type !== 'object' || row.says !== '') rows.push(row)
    if (depth === DEEPEST) return
    const wanted = Array.isArray(schema['required']) ? schema['required'] : []
    for (const [property, inner] of Object.entries(
      isRecord(schema['properties']) ? schema['properties'] : {},
    )) {
      const inside = name === '' ? property : `${name}.${property}`
      this.#add(rows, inside, inner, wanted.includes(property), depth + 1)
    }
    if (isRecord(schema['items'])) this.#add(rows, `${name}[]`, schema['items'], false, depth + 1)
    for (const word of ['oneOf', 'anyOf', 'allOf']) {
      const branches = schema[word]
      if (!Array.isArray(branches)) continue
      for (const [index, branch] of branches.entries()) {
        this.#add(rows, `${name} (${word} ${index + 1})`.trim(), branch, false, depth + 1)
      }
    }
  }
}

function typeOf(schema: Schema, given: unknown): string {
  const { type, format, title } = schema
  const kind = Array.isArray(type) ? type.join(' or ') : typeof type === 'string' ? type : 'any'
  const reference = isRecord(given) && typeof given['$ref'] === 'string' ? given['$ref'] : ''
  const name = /([^/]+)$/.exec(reference)?.[1] ?? (typeof title === 'string' ? title : '')
  return `${kind}${typeof format === 'string' ? ` (${format})` : ''}${name === '' ? '' : ` ${name}`}`
}

function saysOf(schema: Schema): string {
  const limits = LIMITS.flatMap((word) => (word in schema ? [`${word} ${JSON.stringify(schema[word])}`] : []))
  const choices = Array.isArray(schema['enum'])
    ? [`one of ${schema['enum'].map((one) => JSON.stringify(one)).join(', ')}`]
    : []
  const closed = schema['additionalProperties'] === false ? ['no other properties'] : []
  const description = typeof schema['description'] === 'string' ? [schema['description']] : []
  return [...choices, ...limits, ...closed, ...description].join(' · ')
}

function isRecord(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
