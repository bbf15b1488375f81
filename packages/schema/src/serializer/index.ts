/** Serializers: a schema in, a function from value to JSON text out. */
export type { Serializer } from './assemble.ts'
export { SerializeError } from '../runtime/errors.ts'
export { SerializerBuildError } from './read/source.ts'
export type { Rounding } from './nodes/scalars.ts'
export type { SerializationMode } from '../options.ts'
export { createSerializer, type CreateSerializerOptions } from './standalone.ts'
