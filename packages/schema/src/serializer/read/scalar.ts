/** The fast path for most properties: one schema with one scalar type and no other keyword that matters. */
import { isSchemaObject } from '../../guards.ts'
import type { Node, Rounding, StringFormat } from '../ir.ts'
import type { ReadOptions } from './source.ts'

/** Keywords that the fast path does not read. */
const OTHERS: readonly string[] = [
  '$ref',
  '$dynamicRef',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'const',
  'nullable',
  'default',
]

/** Creates the nodes of plain scalars, each kind once. */
export class ScalarReader {
  readonly #options: ReadOptions
  readonly #nodes = new Map<string, Node>()

  constructor(options: ReadOptions) {
    this.#options = options
  }

  /** Returns the node of a schema that is a plain scalar; undefined for any other. */
  read(schema: unknown): Node | undefined {
    if (!isSchemaObject(schema)) return undefined
    const { type } = schema
    if (typeof type !== 'string') return undefined
    for (const keyword of OTHERS) if (schema[keyword] !== undefined) return undefined
    const strict = this.#options.mode === 'strict'
    if (strict && schema['enum'] !== undefined) return undefined
    const key = type === 'string' ? stringFormat(schema['format']) : type
    const known = this.#nodes.get(key)
    if (known !== undefined) return known
    const node = scalarNode(type, schema['format'], strict, this.#options.rounding)
    if (node !== undefined) this.#nodes.set(key, node)
    return node
  }
}

function scalarNode(type: string, format: unknown, strict: boolean, rounding: Rounding): Node | undefined {
  switch (type) {
    case 'string':
      return { kind: 'string', strict, format: stringFormat(format) }
    case 'integer':
      return { kind: 'integer', strict, rounding }
    case 'number':
    case 'boolean':
    case 'null':
      return { kind: type, strict }
    default:
      return undefined
  }
}

/** Returns the format of a string, as far as it changes the form of a date. */
export function stringFormat(format: unknown): StringFormat {
  return format === 'date-time' || format === 'date' || format === 'time' ? format : 'plain'
}
