import { createSchemaEngine, isStandardSchema, type StandardSchema } from '@cloister/schema'

import { isRecord } from '../options.ts'
import { TopicError } from './errors.ts'

/** Returns the JSON of a payload: validated, without coercion, and only what the schema declares. */
export type WritePayload = (payload: unknown) => string | Promise<string>

/** Throws the error of a payload. */
type Refuse = (reason: string, cause?: unknown) => never

/**
 * Compiles the schema of a topic.
 *
 * @param shared - schemas that it may refer to
 * @param topic - for messages
 * @param callSite - `file:line` of the declaration, for errors of the schema
 * @throws SchemaError for a schema that can't be used
 */
export function compilePayload(
  schema: unknown,
  shared: readonly unknown[],
  topic: string,
  callSite?: string,
): WritePayload {
  const refuse: Refuse = (reason, cause) => {
    const problem = `the payload of the topic '${topic}' does not match its schema: ${reason}`
    throw new TopicError('CLO_ERR_TOPIC_PAYLOAD', problem, { cause })
  }
  if (isStandardSchema(schema)) return withLibrary(schema['~standard'], refuse)
  const customOptions = { coerceTypes: false, removeAdditional: false, useDefaults: false } as const
  const engine = createSchemaEngine({ ajv: { customOptions }, serialization: 'strict', integers: 'exact' })
  const store = engine.createStore()
  for (const one of shared) store.add(one)
  const route = { method: 'TOPIC', url: topic, callSite }
  const validate = engine.compileValidator({ schema, httpPart: 'payload', store, route })
  const serialize = engine.compileSerializer({ schema, store, route })
  return (payload) => {
    let text: unknown
    try {
      text = serialize(payload)
    } catch (error) {
      return refuse(error instanceof Error ? error.message : String(error), error)
    }
    if (typeof text !== 'string') return refuse('it has no JSON')
    if (validate(JSON.parse(text)) === true) return text
    const [first] = validate.errors ?? []
    return refuse(`${first?.instancePath ?? ''} ${first?.message ?? 'is not valid'}`.trim())
  }
}

function withLibrary(library: StandardSchema['~standard'], refuse: Refuse): WritePayload {
  return async (payload) => {
    const result = await library.validate(payload)
    const { issues, value } = isRecord(result) ? result : { issues: [] }
    if (Array.isArray(issues)) {
      const first: unknown = issues[0]
      return refuse(isRecord(first) ? String(first['message']) : 'it is not valid')
    }
    let text: string | undefined
    try {
      text = JSON.stringify(value)
    } catch (error) {
      return refuse(error instanceof Error ? error.message : String(error), error)
    }
    return text ?? refuse('it has no JSON')
  }
}
