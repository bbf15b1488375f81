import {
  BodyContent,
  canonicalMediaType,
  isStandardSchema,
  unwrapFluent,
  type NormalizedRouteSchema,
} from '@cloister/schema'

import { isRecord } from '../../guards.ts'
import { storeOf, type CompilersInCharge } from './compilers.ts'
import { routeRefOf, type RouteRecord } from '../route-record.ts'

/**
 * Returns the schema for `request.routeOptions.schema` and for tools: in full form under the original keys, with header
 * names as written, and with the changes of Ajv plugins' keywords. JSON Schema replaces a library's schema that offers
 * it, unless the application has its own compilers, whose tools know the library's schemas.
 *
 * @param given - the schema as the application wrote it
 * @param full - its full form
 */
export function publicSchema(
  record: RouteRecord,
  given: unknown,
  full: NormalizedRouteSchema,
  compilers: CompilersInCharge,
): Record<string, unknown> {
  const { body, response, params, querystring, headers, ...rest } = full
  const original = isRecord(given) ? given : {}
  const show = compilers.validator === null && compilers.serializer === null ? asJsonSchema(record) : asGiven
  const compiled = compilers.validator === null ? afterCompilation(record) : asGiven
  const shown: Record<string, unknown> = rest
  const add = (part: string, schema: unknown): void => {
    if (schema !== undefined) shown[part] = schema
  }
  const showPart = (schema: unknown): unknown =>
    isStandardSchema(schema) ? show(schema, 'input') : compiled(schema, 'input')
  add('params', params === undefined ? undefined : showPart(params))
  add('querystring', querystring === undefined ? undefined : showPart(querystring))
  // The header names of the compiled schema are in lower case.
  add('headers', headers === undefined ? undefined : show(headers, 'input'))
  if (body instanceof BodyContent) add('body', mapContent(original['body'], body.content, showPart))
  else add('body', body === undefined ? undefined : showPart(body))
  add('response', response === undefined ? undefined : mapResponses(original['response'], response, show))
  return shown
}

type Show = (schema: unknown, side: 'input' | 'output') => unknown

const asGiven: Show = (schema) => schema

function asJsonSchema({ context }: RouteRecord): Show {
  const { libraries } = context.app
  return (schema, side) =>
    isStandardSchema(schema) ? (libraries.jsonSchema(schema, side)?.schema ?? schema) : schema
}

/** Keywords of the application may change the schema that contains them. */
function afterCompilation(record: RouteRecord): Show {
  const { context } = record
  const { engine, options } = context.app
  const { plugins } = options.ajv
  if (!Array.isArray(plugins) || plugins.length === 0) return asGiven
  return (schema) =>
    engine.readAfterCompilation({
      schema,
      httpPart: 'input',
      store: storeOf(context),
      route: routeRefOf(record),
    })
}

/** Returns the responses with full schemas; the original map if they already are in full form. */
function mapResponses(
  given: unknown,
  full: NonNullable<NormalizedRouteSchema['response']>,
  show: Show,
): unknown {
  if (!isRecord(given)) return {}
  const showOutput = (schema: unknown): unknown => show(schema, 'output')
  let shown: Record<string, unknown> = given
  for (const status of Object.keys(given)) {
    const { schema, content } = full.get(status.toLowerCase()) ?? {}
    const entry = given[status]
    const shownEntry = content === undefined ? showOutput(schema) : mapContent(entry, content, showOutput)
    if (shownEntry === entry) continue
    if (shown === given) shown = { ...given }
    shown[status] = shownEntry
  }
  return shown
}

/** Returns a `content` map with full schemas. Other members of its media types don't change. */
function mapContent(
  given: unknown,
  schemas: ReadonlyMap<string, unknown>,
  show: (schema: unknown) => unknown,
): unknown {
  const holder = unwrapFluent(given)
  if (!isRecord(holder) || !isRecord(holder['content'])) return given
  const content = Object.entries(holder['content']).map(([mediaType, entry]): [string, unknown] => {
    const schema = schemas.get(canonicalMediaType(mediaType) ?? '')
    return [
      mediaType,
      schema === undefined ? entry : { ...(isRecord(entry) ? entry : {}), schema: show(schema) },
    ]
  })
  return { ...holder, content: Object.fromEntries<unknown>(content) }
}
