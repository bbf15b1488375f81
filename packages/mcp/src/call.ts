import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { PathTemplate } from '@cloister/openapi/schema'
import type { RequestConnection } from 'cloister/inspect'

import { isRecord } from './errors.ts'
import type { ExactContents } from './exact-content.ts'
import { isItems, readItems } from './read-items.ts'
import type { Progress } from './read-items.ts'
import type { Tool } from './tools.ts'

/** A mistake that the model can correct: it gets the message as the result of the tool. */
export class ArgumentError extends Error {}

/**
 * Fields that belong to the message with the call, and not to its sender. All others are those of the caller:
 * credentials, addresses that proxies add, the origin, traces.
 */
const OF_MESSAGE =
  /^(?::.*|accept|connection|content-.*|expect|host|if-.*|keep-alive|last-event-id|mcp-.*|proxy-connection|range|te|trailer|transfer-encoding|upgrade)$/

/** A call of a tool, with what is needed to create its request. */
export interface Call {
  readonly tool: Tool
  readonly args: Readonly<Record<string, unknown>>
  readonly caller: RequestConnection
  readonly signal: AbortSignal
  /** returns the JSON text of a member of the arguments, with its numbers as they were written */
  readonly textOf: (holder: object, key: string | number) => string | undefined
}

/**
 * Creates the request that the caller could send to the route itself.
 *
 * @throws ArgumentError for arguments that lead to no path of the route; ProtocolError for text that no URL contains
 */
export function createRequest({ tool, args, caller, signal, textOf: write }: Call): Request {
  const unknown = Object.keys(args).find((part) => !tool.parts.includes(part))
  if (unknown !== undefined) throw new ArgumentError(`the tool has no argument '${unknown}'`)
  const headers = headersOf(caller, tool.version)
  const { body } = args
  if (body !== undefined && tool.bodyType !== null) headers.set('content-type', tool.bodyType)
  const path = pathOf(tool.templates, args['params'], write)
  const url = new URL(`${originOf(caller)}${path}`)
  // Dot segments would lead to another route.
  if (url.pathname !== path) throw new ArgumentError(`the values in params make the path ${url.pathname}`)
  url.search = queryOf(args['query'], write)
  return new Request(url, {
    method: tool.description.method,
    headers,
    signal,
    redirect: 'manual',
    ...(body === undefined ? {} : { body: write(args, 'body') ?? null }),
  })
}

/** Returns the header fields of a request to a route: those of the caller, without those of the message. */
export function headersOf({ fields }: RequestConnection, version: string | undefined): Headers {
  const headers = new Headers()
  for (const [name, value] of fields) if (!OF_MESSAGE.test(name)) headers.append(name, value)
  headers.set('accept', 'application/json, */*;q=0.5')
  if (version !== undefined) headers.set('accept-version', version)
  return headers
}

/** The origin that a caller has named; it may be no URL, as with the Host `a%2fb`. */
export function originOf({ isEncrypted, host }: RequestConnection): string {
  return `${isEncrypted ? 'https' : 'http'}://${host || 'localhost'}`
}

function pathOf(templates: readonly PathTemplate[], given: unknown, write: Call['textOf']): string {
  const params = isRecord(given) ? given : {}
  const template = templates.find(({ parameters }) =>
    parameters.every(({ name }) => params[name] !== undefined),
  )
  if (template === undefined)
    throw new ArgumentError('params must have a value for each parameter of the path')
  return template.parameters.reduce(
    (path, { name, documentName }) => path.replace(`{${documentName}}`, () => segmentOf(name, params, write)),
    template.text,
  )
}

function segmentOf(name: string, params: object, write: Call['textOf']): string {
  const text = textOf(params, name, `params/${name}`, write)
  if (text === '' && name !== '*') throw new ArgumentError(`params must have a value for '${name}'`)
  return name === '*' ? text.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(text)
}

function queryOf(given: unknown, write: Call['textOf']): string {
  const query = isRecord(given) ? given : {}
  const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] => {
    const place = `query/${name}`
    refuseHalves(name, place)
    if (value === undefined) return []
    if (!Array.isArray(value)) return [[name, textOf(query, name, place, write)]]
    return value.flatMap((item, index): [string, string][] =>
      item === undefined ? [] : [[name, textOf(value, index, `${place}/${index}`, write)]],
    )
  })
  return new URLSearchParams(pairs).toString()
}

function textOf(holder: object, key: string | number, place: string, write: Call['textOf']): string {
  const value: unknown = Reflect.get(holder, key)
  if (typeof value !== 'string') return write(holder, key) ?? ''
  refuseHalves(value, place)
  return value
}

/** @throws ProtocolError for half of a surrogate pair, which UTF-8 does not have; the text of JSON escapes it */
function refuseHalves(text: string, place: string): void {
  if (!/\p{Surrogate}/u.test(text)) return
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `arguments/${JSON.stringify(place).slice(1, -1)} has half of a surrogate pair, which a URL cannot contain`,
  )
}

/** Returns a result that says why a call failed. */
export function failure(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] }
}

/** What reading a response needs beside it. */
export interface Reading {
  /** most bytes of a payload */
  readonly limit: number
  readonly contents: ExactContents
  /** gets each item of a stream as it comes; `null` if the caller does not ask for progress */
  readonly progress: Progress | null
}

/** Converts the response of a route to the result of a call. */
export async function readResult(tool: Tool, response: Response, reading: Reading): Promise<CallToolResult> {
  const { limit, contents, progress } = reading
  const { status, headers } = response
  const type = headers.get('content-type') ?? ''
  const where = `${tool.description.method} ${tool.description.url}`
  if (response.ok && isItems(type)) {
    const items = await readItems(response, where, limit, progress)
    if (typeof items !== 'string') return items
    return tool.outputSchema === undefined
      ? { content: [{ type: 'text', text: items }] }
      : structured(tool, items, where, contents)
  }
  const bytes = await readBytes(response, limit)
  if (bytes === null) return failure(`${where}: the payload is larger than ${limit} bytes`)
  const text = new TextDecoder().decode(bytes)
  if (!response.ok) return failure(`${where}: status ${status}\n${text}`)
  if (tool.outputSchema === undefined) return unstructured(type, text, bytes)
  if (/^application\/(?:[\w.-]+\+)?json\b/.test(type)) return structured(tool, text, where, contents)
  return structured(tool, JSON.stringify(text), where, contents, text)
}

function unstructured(mimeType: string, text: string, bytes: Uint8Array): CallToolResult {
  const media = /^(image|audio)\//.exec(mimeType)?.[1]
  if (media === undefined) return { content: [{ type: 'text', text }] }
  return { content: [{ type: media === 'image' ? 'image' : 'audio', data: base64Of(bytes), mimeType }] }
}

/** @param json - the text of the payload, or of the list of its items */
function structured(
  { isWrapped }: Tool,
  json: string,
  where: string,
  contents: ExactContents,
  text: string = json,
): CallToolResult {
  const payload: unknown = JSON.parse(json)
  const structuredContent = isWrapped ? { result: payload } : payload
  // A client would reject a result that does not match the output schema, and the model would call again.
  if (!isRecord(structuredContent)) {
    return failure(`${where}: done, but without the content that its schemas declare`)
  }
  const written = contents.hold(structuredContent, isWrapped ? `{"result":${json}}` : json)
  return { content: [{ type: 'text', text }], structuredContent: written }
}

/** Returns bytes in base64, without a call per chunk that a large payload would exceed. */
export function base64Of(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** Reads a payload; returns `null` for a larger one than the limit. */
export async function readBytes({ body }: Response, limit: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  const collect = new WritableStream<Uint8Array>({
    write(chunk) {
      size += chunk.byteLength
      if (size > limit) throw new RangeError('the payload is too large')
      chunks.push(chunk)
    },
  })
  try {
    await body?.pipeTo(collect)
  } catch (error) {
    if (size > limit) return null
    throw error
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}
