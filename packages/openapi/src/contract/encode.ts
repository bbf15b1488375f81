import { isRecord } from '../guards.ts'
import type { Parameter } from '../types.ts'

export interface ParameterValue {
  readonly parameter: Parameter
  readonly value: unknown
}

export interface BodyValue {
  readonly mediaType: string
  readonly value: unknown
}

/** A request before serialization. */
export interface RequestValues {
  readonly method: string
  readonly path: string
  readonly parameters: readonly ParameterValue[]
  readonly body: BodyValue | null
}

/** A request for `inject`. */
export interface WrittenRequest {
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly payload?: string
}

/** Serializes the parameters and the body of a request (OpenAPI Specification 3.1.1, section 4.8.12). */
export function writeRequest(
  { method, path, parameters, body }: RequestValues,
  headers: Readonly<Record<string, string>>,
): WrittenRequest {
  const of = (where: Parameter['in']): readonly ParameterValue[] =>
    parameters.filter(({ parameter }) => parameter.in === where)
  const target = of('path').reduce(
    (text, { parameter, value }) => text.replace(`{${parameter.name}}`, () => segment(value, parameter)),
    path,
  )
  const query = of('query').flatMap(({ parameter, value }) => queryPairs(parameter, value))
  const cookies = of('cookie').map(
    ({ parameter, value }) => `${parameter.name}=${encodeURIComponent(text(value))}`,
  )
  const own = of('header').map(({ parameter, value }): [string, string] => [
    parameter.name.toLowerCase(),
    text(value),
  ])
  const written = body === null ? null : writeBody(body)
  return {
    method: method.toUpperCase(),
    url: query.length === 0 ? target : `${target}?${query.join('&')}`,
    headers: {
      ...Object.fromEntries(own),
      ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
      ...(written === null ? {} : { 'content-type': written.type }),
      ...headers,
    },
    ...(written === null ? {} : { payload: written.text }),
  }
}

/** Returns a request as a command line of curl. */
export function toCurl({ method, url, headers, payload }: WrittenRequest): string {
  const parts = [`curl -X ${method} ${quoted(`http://localhost${url}`)}`]
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quoted(`${name}: ${value}`)}`)
  if (payload !== undefined) parts.push(`--data-raw ${quoted(payload)}`)
  return parts.join(' ')
}

/** Whether a value can be sent in the location of its parameter. */
export function canWrite({ parameter, value }: ParameterValue): boolean {
  const written = text(value)
  switch (parameter.in) {
    case 'path':
      return written !== '' && written !== '.' && written !== '..' && isWellFormed(written)
    case 'header':
      return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(written)
    case 'query':
      return isWellFormed(written) && (!Array.isArray(value) || value.length > 0)
    default:
      return isWellFormed(written)
  }
}

/** Half of a surrogate pair cannot be written in a URL. */
function isWellFormed(written: string): boolean {
  return !/\p{Surrogate}/u.test(written)
}

function segment(value: unknown, parameter: Parameter): string {
  const written = text(value)
  if (parameter['x-wildcard'] !== true) return encodeURIComponent(written)
  return written.split('/').map(encodeURIComponent).join('/')
}

function queryPairs({ name, style, explode }: Parameter, value: unknown): string[] {
  const pair = (key: string, one: unknown): string =>
    `${encodeURIComponent(key)}=${encodeURIComponent(text(one))}`
  if (Array.isArray(value)) return value.map((one) => pair(name, one))
  if (!isRecord(value)) return [pair(name, value)]
  if (style === 'deepObject') return Object.entries(value).map(([key, one]) => pair(`${name}[${key}]`, one))
  if (explode !== true) return [pair(name, value)]
  return Object.entries(value).flatMap(([key, one]) =>
    Array.isArray(one) ? one.map((item) => pair(key, item)) : [pair(key, one)],
  )
}

function writeBody({ mediaType, value }: BodyValue): { readonly type: string; readonly text: string } {
  if (mediaType === 'application/x-www-form-urlencoded' && isRecord(value)) {
    const pairs = Object.entries(value).map(([name, one]): [string, string] => [name, text(one)])
    return { type: mediaType, text: new URLSearchParams(pairs).toString() }
  }
  if (mediaType === 'multipart/form-data' && isRecord(value)) return multipart(value)
  return {
    type: mediaType,
    text: isJsonType(mediaType) || isLines(mediaType) ? JSON.stringify(value) : text(value),
  }
}

const BOUNDARY = 'contract-boundary'

function multipart(fields: Readonly<Record<string, unknown>>): {
  readonly type: string
  readonly text: string
} {
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${encodeURIComponent(name)}"\r\n\r\n${text(value)}\r\n`,
  )
  return { type: `multipart/form-data; boundary=${BOUNDARY}`, text: `${parts.join('')}--${BOUNDARY}--\r\n` }
}

/** Whether a media type has one JSON text on each line. */
export function isLines(mediaType: string): boolean {
  return /^application\/(?:x-ndjson|jsonl)\s*(?:;|$)/i.test(mediaType)
}

/** Whether a media type is JSON, or based on it (RFC 6839 section 3.1). */
export function isJsonType(mediaType: string): boolean {
  return /^[^;]*[/+]json\s*(?:;|$)/i.test(mediaType)
}

function text(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  return JSON.stringify(value)
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", String.raw`'\''`)}'`
}
