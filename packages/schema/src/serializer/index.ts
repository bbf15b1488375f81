/** Serializers: a schema in, a function from value to JSON text out. */
export {
  compileSerializer,
  type Shared,
  type Serializer,
  type SerializerInput,
  type SerializerOptions,
} from './compile.ts'
export { SerializeError } from '../runtime/errors.ts'
export { SerializerBuildError } from './build-error.ts'
export type { Rounding } from './ir.ts'
export type { SerializationMode } from '../options.ts'
export type { RefScope } from './read/source.ts'
export { createSerializer, type CreateSerializerOptions } from './standalone.ts'
