/** Makes a serializer without an engine, from one schema and optional shared ones. */
import { canCompile } from '../codegen/compile.ts'
import { SchemaScope } from '../document/location.ts'
import { createSharedParts, interpretSerializer, type Serializer } from './assemble.ts'
import { compileSerializer } from './compile.ts'
import { readSerializer, type SerializerInput } from './read/parse.ts'

/** Options of {@link createSerializer}. */
export interface CreateSerializerOptions {
  /** Schemas that a `$ref` can reach by their `$id`, or by their key here. */
  readonly schemas?: Readonly<Record<string, object>>
  /**
   * How values that do not fit are treated.
   * @default 'strict'
   */
  readonly mode?: SerializerInput['mode']
  /** Options of Fastify 4.x that change the output. */
  readonly options?: SerializerInput['options']
  /**
   * Generated code that appends text (`concat`) or copies the value for `JSON.stringify` (`project`), or closures that
   * do so (`text`, `copy`). `auto` is the code, and `closures` the closures, that suit the engine and the schema.
   * @default 'auto', or `'closures'` where the process forbids code made of text
   */
  readonly backEnd?: 'auto' | 'concat' | 'project' | 'closures' | 'text' | 'copy'
}

/** The back end of closures for each kind of result. */
const CLOSURES = { closures: 'auto', text: 'concat', copy: 'project' } as const

/** Makes a function from value to JSON text. */
export function createSerializer(schema: unknown, settings: CreateSerializerOptions = {}): Serializer {
  const {
    schemas = {},
    mode = 'strict',
    options = {},
    backEnd = canCompile() ? 'auto' : 'closures',
  } = settings
  const shared = new Map<string, object>(Object.entries(schemas))
  for (const entry of Object.values(schemas)) {
    if ('$id' in entry && typeof entry.$id === 'string') shared.set(entry.$id, entry)
  }
  const scope = new SchemaScope({ get: (id) => shared.get(id), ids: () => shared.keys() })
  const root = readSerializer({ location: scope.open(schema), scope, mode, options })
  const parts = createSharedParts()
  return backEnd === 'closures' || backEnd === 'text' || backEnd === 'copy'
    ? interpretSerializer(root, parts, { backEnd: CLOSURES[backEnd] })
    : compileSerializer(root, parts, { backEnd })
}
