import type { Cloister, CloisterRequest, Context } from 'cloister'
import { cookiesOf } from 'cloister/inspect'

import { OpenApiError } from '../errors.ts'
import { isRecord } from '../guards.ts'
import type { SpecifiedParameter } from './route-schema.ts'

/*
 * Decodes before validation what the framework does not read itself: lists in one text, JSON in a parameter, and
 * cookies. A text that cannot be decoded is not changed, and the schema rejects it.
 */

type Hook = (request: CloisterRequest) => Promise<void>

/** The JSON parser of the app: it refuses what the app refuses in bodies, such as the key `__proto__`. */
type ParseJson = ReturnType<Cloister<Context>['getDefaultJsonParser']>

/** The separators of list items in one text (OpenAPI Specification 3.1.1, section 4.8.12.3). */
const SEPARATORS: Readonly<Record<string, string>> = {
  form: ',',
  simple: ',',
  spaceDelimited: ' ',
  pipeDelimited: '|',
}

/**
 * Returns the hook that decodes parameters of an operation; `null` if none needs it.
 *
 * @param isList - whether the schema of a parameter is that of a list
 */
export function decodingHook(
  parameters: readonly SpecifiedParameter[],
  isList: (parameter: SpecifiedParameter) => boolean,
  parseJson: ParseJson,
): Hook | null {
  const decoders = parameters.flatMap((parameter) => {
    const { where, name } = parameter
    const decode =
      where === 'query' || where === 'path' ? decoderOf(parameter, isList(parameter), parseJson) : null
    return decode === null ? [] : [{ part: where === 'query' ? 'query' : 'params', name, decode } as const]
  })
  if (decoders.length === 0) return null
  return async (request) => {
    for (const { part, name, decode } of decoders) {
      const values = request[part]
      if (!isRecord(values)) continue
      const value = values[name]
      if (typeof value === 'string') Reflect.set(values, name, decode(value, request))
    }
  }
}

function decoderOf(
  { fields, where }: SpecifiedParameter,
  isList: boolean,
  parseJson: ParseJson,
): ((text: string, request: CloisterRequest) => unknown) | null {
  if (isRecord(fields['content'])) {
    return (text, request) => {
      let decoded: unknown = text
      parseJson(request, text, (error, value) => {
        if (error === null) decoded = value
      })
      return decoded
    }
  }
  const { style = where === 'query' ? 'form' : 'simple', explode = style === 'form' } = fields
  const separator = typeof style === 'string' ? SEPARATORS[style] : undefined
  if (!isList || separator === undefined || (where === 'query' && explode === true)) return null
  return (text) => text.split(separator)
}

/** Returns the hook that validates cookies. Apps with `cookieSchemas: 'document'` do not read their schema. */
export function cookieHook(schema: object): Hook {
  return async (request) => {
    const validate = request.compileValidationSchema(schema, 'headers')
    if (validate(Object.fromEntries(cookiesOf(request)))) return
    const [found] = validate.errors ?? []
    throw new OpenApiError(
      'CLO_ERR_OPENAPI_COOKIE',
      `cookies${found?.instancePath ?? ''} ${found?.message ?? 'are not valid'}`,
    )
  }
}
