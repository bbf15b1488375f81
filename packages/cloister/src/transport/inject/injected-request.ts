import { METHODS } from 'node:http'
import { joinTexts } from '@cloister/wire/message/internal'
import type { InjectOptions } from 'light-my-request'

import { dependencies } from '../../dependencies.ts'
import { isFunction, isRecord } from '../../guards.ts'

/** A request without a connection, from the options of `inject`. */
export interface InjectedRequest {
  readonly method: string
  /** the method as the application wrote it */
  readonly givenMethod: InjectOptions['method']
  /** path and query */
  readonly target: string
  readonly headers: Record<string, string>
  readonly body: string | Buffer | null
  readonly remoteAddress: string
}

const KNOWN_METHODS: ReadonlySet<unknown> = new Set(METHODS.flatMap((name) => [name, name.toLowerCase()]))

/** Options that change the behavior of Node's objects. */
const OF_NODE = ['simulate', 'payloadAsStream', 'signal', 'Request', 'cookies'] as const

/**
 * Reads the options of `inject` as `light-my-request` does.
 *
 * @returns `null` if only `light-my-request` can send the request, or if it rejects or converts an option
 * @throws `TypeError` for an invalid URL, and the errors of `JSON.stringify`
 */
export function readInjectedRequest(options: InjectOptions): InjectedRequest | null {
  if (!isAsExpected(options)) return null
  // An empty string counts as no payload.
  const payload: unknown = options.payload || options.body || null
  if (isStream(payload)) return null
  const { method, headers: given, authority, remoteAddress } = options
  const { target, host } = readTarget(options)
  const headers: InjectedRequest['headers'] = {}
  if (given !== undefined && !copyHeaders(given, headers)) return null
  if (!('user-agent' in headers)) headers['user-agent'] = 'lightMyRequest'
  headers['host'] = headers['host'] || authority || host
  return {
    method: method === undefined ? 'GET' : method.toUpperCase(),
    givenMethod: method,
    target,
    headers,
    body: readBody(payload, headers),
    remoteAddress: remoteAddress || '127.0.0.1',
  }
}

/** Returns whether no option has to be converted or rejected, or needs Node's objects. */
function isAsExpected(options: InjectOptions): boolean {
  const { url, path, method, headers, query, authority, remoteAddress, validate } = options
  const target = url ?? path
  return (
    typeof target === 'string' &&
    target !== '' &&
    (url === undefined || path === undefined) &&
    (method === undefined || KNOWN_METHODS.has(method)) &&
    (headers === undefined || isRecord(headers)) &&
    (query === undefined || typeof query === 'string' || isRecord(query)) &&
    isTextOrNone(authority) &&
    isTextOrNone(remoteAddress) &&
    (validate === undefined || typeof validate === 'boolean') &&
    OF_NODE.every((name) => options[name] === undefined)
  )
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || typeof value === 'string'
}

/** Returns whether a payload is a stream, a platform form, or a form of a library that imitates it. */
function isStream(payload: unknown): boolean {
  if (typeof payload !== 'object' || payload === null) return false
  const isForm = Object.prototype.toString.call(payload) === '[object FormData]'
  return isForm || ('resume' in payload && isFunction(payload.resume))
}

/** @returns whether every header has a value that is written unchanged */
function copyHeaders(given: object, headers: InjectedRequest['headers']): boolean {
  // Inherited headers of an object are sent too.
  for (const field in given) {
    const value: unknown = Reflect.get(given, field)
    if (!isWritable(value)) return false
    const name = field.toLowerCase()
    headers[name] = isList(value) ? joinList(name, value) : String(value)
  }
  return true
}

/** Whether a value stands for several lines with one name. */
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > 0

/** Joins a list as a server joins the lines that it stands for. */
const joinList = (name: string, values: readonly unknown[]): string =>
  values.map(String).reduce((before, value) => joinTexts(name, before, value))

/** Joins the lists of values among the headers: `light-my-request` before 6.8 writes commas without a space. */
export function withJoinedLists(options: InjectOptions): InjectOptions {
  const { headers } = options
  if (!isRecord(headers) || !Object.values(headers).some(isList)) return options
  const joined: Record<string, unknown> = {}
  for (const field in headers) {
    const value: unknown = headers[field]
    joined[field] = isList(value) ? joinList(field.toLowerCase(), value) : value
  }
  return Object.assign({ ...options }, { headers: joined })
}

/** Objects control their own conversion to text, except arrays. */
function isWritable(value: unknown): boolean {
  if (typeof value === 'object') return value === null || Array.isArray(value)
  return value !== undefined && typeof value !== 'symbol' && typeof value !== 'function'
}

/** Objects are sent as JSON. The length is added unless the application sets it. */
function readBody(payload: unknown, headers: InjectedRequest['headers']): string | Buffer | null {
  if (payload === null) return null
  const isText = typeof payload === 'string'
  if (!isText && !Buffer.isBuffer(payload) && !('content-type' in headers)) {
    headers['content-type'] = 'application/json'
  }
  const body = isText || Buffer.isBuffer(payload) ? payload : toJson(payload)
  if (body !== null && !Object.hasOwn(headers, 'content-length')) {
    headers['content-length'] = String(Buffer.byteLength(body))
  }
  return body
}

/** Returns `null` for a value without a JSON form, such as a function. */
function toJson(value: unknown): string | null {
  const text: unknown = JSON.stringify(value)
  return typeof text === 'string' ? text : null
}

const BASE_HOST = 'localhost:80'

/** Paths and queries that the URL parser doesn't change, except for dot segments. */
const PLAIN = /^\/(?!\/)[\w\-.~!$&()*+,;=:@%/]*(?:\?[\w\-.~!$&()*+,;=:@%/?]+)?$/
const DOT_SEGMENT = /\/(?:\.|%2e)/i

/**
 * Reads path, query and host from the options of `inject`, and adds the members of `query` to the URL.
 *
 * @throws `TypeError` for an invalid URL
 */
export function readTarget({ url: given, path, query }: InjectOptions): { target: string; host: string } {
  const url = given ?? path ?? ''
  if (typeof url === 'string' && query === undefined && PLAIN.test(url) && !DOT_SEGMENT.test(url)) {
    return { target: url, host: BASE_HOST }
  }
  const parsed = dependencies.parseInjectedUrl()(url, query)
  return { target: parsed.pathname + parsed.search, host: hostOf(parsed) }
}

/** The port is always included, as in the examples of light-my-request. */
function hostOf({ port, host, hostname, protocol }: URL): string {
  if (port !== '') return host
  return hostname + (protocol === 'https:' ? ':443' : ':80')
}
