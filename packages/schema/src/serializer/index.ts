/** Serializers: a schema in, a function from value to JSON text out. */
export {
  compileSerializer,
  createSharedParts,
  interpretSerializer,
  type Serializer,
  type SharedParts,
} from './compile.ts'
export { readSerializer, type SerializerInput, type SerializerOptions } from './serializer-input.ts'
export { SerializeError } from '../runtime/errors.ts'
export { SerializerBuildError } from './build-error.ts'
export type { Node as SerializerNode, Rounding, SharedDefinitions } from './ir.ts'
export type { SerializationMode } from '../options.ts'
export type { RefScope } from './read/source.ts'
export { createSerializer, type CreateSerializerOptions } from './standalone.ts'
