import type { AnyFunction } from '../../functions.ts'
import { kSerializer } from '../../symbols.ts'
import { serializeValue } from '../stages/serialize-payload.ts'
import type { ReplyState } from '../state.ts'
import { compileInputSerializer, findSerializer, serializeInput } from './ad-hoc-serialization.ts'

/** The members of a reply that serialize, or decide how its payload is serialized. */
export interface SerializationMembers {
  serializer(fn: AnyFunction): this
  serialize(payload: unknown): unknown
  getSerializationFunction(schemaOrStatus: unknown, contentType?: string): unknown
  compileSerializationSchema(schema: object, httpStatus?: string, contentType?: string): unknown
  serializeInput(
    input: unknown,
    schemaOrStatus: unknown,
    statusOrType?: string,
    contentType?: string,
  ): unknown
}

/** Serialize by the schemas of the route, or by one of the handler's own. */
export const serializationMembers: SerializationMembers & ThisType<ReplyState & SerializationMembers> = {
  serializer(fn) {
    this[kSerializer] = fn
    return this
  },

  serialize(payload) {
    return serializeValue(this, payload)
  },

  getSerializationFunction(schemaOrStatus, contentType) {
    return findSerializer(this, schemaOrStatus, contentType)
  },

  compileSerializationSchema(schema, httpStatus, contentType) {
    return compileInputSerializer(this, schema, httpStatus, contentType)
  },

  serializeInput(input, schemaOrStatus, statusOrType, contentType) {
    return serializeInput(this, input, schemaOrStatus, statusOrType, contentType)
  },
}
