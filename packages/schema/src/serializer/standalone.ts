/** Compiles a serializer without an engine, from one schema and optional shared ones. */
import { SchemaScope } from '../document/location.ts'
import { compileSerializer, type Serializer, type SerializerInput } from './compile.ts'

/** Options of {@link createSerializer}. */
export interface CreateSerializerOptions {
  /** Schemas that a `$ref` can reach by their `$id`, or by their key here. */
  readonly schemas?: Readonly<Record<string, object>>
  /** @default 'strict' */
  readonly mode?: SerializerInput['mode']
  readonly options?: SerializerInput['options']
  readonly backEnd?: SerializerInput['backEnd']
}

/** Compiles a schema to a function from value to JSON text. */
export function createSerializer(schema: unknown, settings: CreateSerializerOptions = {}): Serializer {
  const { schemas = {}, mode = 'strict', options, backEnd } = settings
  const shared = new Map<string, object>(Object.entries(schemas))
  for (const entry of Object.values(schemas)) {
    if ('$id' in entry && typeof entry.$id === 'string') shared.set(entry.$id, entry)
  }
  const scope = new SchemaScope({ get: (id) => shared.get(id), ids: () => shared.keys() })
  return compileSerializer({
    location: scope.open(schema),
    scope,
    mode,
    ...(options === undefined ? {} : { options }),
    ...(backEnd === undefined ? {} : { backEnd }),
  })
}
