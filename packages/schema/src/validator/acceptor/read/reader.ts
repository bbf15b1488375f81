import type { SchemaLocation, SchemaScope } from '../../../document/location.ts'
import { hasReference, refOf } from '../../../document/references.ts'
import { isObject } from '../../../guards.ts'
import { ANYTHING, type CheckNode, type Definition, type Use } from '../ir.ts'
import type { AcceptorPolicy } from '../policy.ts'
import { readSchema } from './schema.ts'
import { Unsupported } from './unsupported.ts'

/** What the readers of keywords need. */
export interface Reader {
  readonly policy: AcceptorPolicy
  /** Reads a sub-schema. */
  read(location: SchemaLocation, use: Use): CheckNode
  /** What a `$ref` leads to. */
  follow(from: SchemaLocation, use: Use): Definition
}

/** Schemas with more keys than this are not counted to the end. */
const MAX_COUNTED_SIZE = 60
/** Schemas with no more keys than this are never shared. */
const MAX_TINY_SIZE = 6

/** Reads one schema and what it refers to, each definition once for each use. */
class AcceptorReader implements Reader {
  readonly policy: AcceptorPolicy
  readonly #scope: SchemaScope
  readonly #definitions: Map<object, Definition[]> = new Map()

  constructor(scope: SchemaScope, policy: AcceptorPolicy) {
    this.#scope = scope
    this.policy = policy
  }

  read(location: SchemaLocation, use: Use): CheckNode {
    return readSchema(this, location, use)
  }

  follow(from: SchemaLocation, use: Use): Definition {
    const location = this.#scope.resolve(from, refOf(from) ?? '')
    if (location === undefined) throw new Unsupported('$ref')
    return this.define(location, use)
  }

  /** The definition is listed before it is read, so that one that contains itself finds itself. */
  define(location: SchemaLocation, use: Use): Definition {
    const { schema } = location
    if (!isObject(schema)) return { node: this.read(location, use), use, size: 0, isShared: false }
    const known = find(this.policy.shared.get(schema), use) ?? find(this.#definitions.get(schema), use)
    if (known !== undefined) return known
    const size = sizeOf(schema, MAX_COUNTED_SIZE)
    const isShared = size > MAX_TINY_SIZE && location.document.sharedId !== undefined && !hasReference(schema)
    const definition: Definition = { node: ANYTHING, use, size, isShared }
    if (isShared) {
      definition.node = this.read(location, use)
      list(this.policy.shared, schema, definition)
    } else {
      list(this.#definitions, schema, definition)
      definition.node = this.read(location, use)
    }
    return definition
  }
}

function find(definitions: readonly Definition[] | undefined, use: Use): Definition | undefined {
  return definitions?.find((definition) => definition.use === use)
}

function list(
  table: Pick<WeakMap<object, Definition[]>, 'get' | 'set'>,
  schema: object,
  definition: Definition,
): void {
  const known = table.get(schema)
  if (known === undefined) table.set(schema, [definition])
  else known.push(definition)
}

/** Counts the keys in a schema, up to a limit. */
function sizeOf(value: unknown, limit: number): number {
  if (!isObject(value)) return 0
  let count = 0
  for (const entry of Object.values(value)) {
    count += 1 + sizeOf(entry, limit)
    if (count > limit) return count
  }
  return count
}

/** The checks of a schema; undefined when it has something that only Ajv can check. */
export function readAcceptor(
  root: SchemaLocation,
  scope: SchemaScope,
  policy: AcceptorPolicy,
): Definition | undefined {
  try {
    return new AcceptorReader(scope, policy).define(root, 'edit')
  } catch (error) {
    if (error instanceof Unsupported) return undefined
    throw error
  }
}
