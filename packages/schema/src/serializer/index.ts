/** Serializers: a schema in, a function from value to JSON text out. */
export {
  compileSerializer,
  type Serializer,
  type SerializerInput,
  type SerializerOptions,
} from './compile.ts'
export { SerializeError, SerializerBuildError } from './errors.ts'
export type { Rounding, SharedDefinitions } from './ir.ts'
export type { SerializerMode } from './read/reader.ts'
export type { RefScope } from './read/source.ts'
export { createSerializer, type CreateSerializerOptions } from './standalone.ts'
