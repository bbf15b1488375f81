import type { InjectOptions } from 'light-my-request'

/** What a URL says of a request. */
export interface InjectedTarget {
  /** path and query */
  readonly target: string
  /** host and port */
  readonly host: string
}

const BASE = 'http://localhost'
const BASE_HOST = 'localhost:80'

/** Paths and queries that a parser of URLs leaves as they are, but for dot segments. */
const PLAIN = /^\/(?!\/)[\w\-.~!$&()*+,;=:@%/]*(?:\?[\w\-.~!$&()*+,;=:@%/?]+)?$/
const DOT_SEGMENT = /\/(?:\.|%2e)/i

/**
 * Reads path, query and host of the options of `inject`, with the members of `query` added to the URL.
 *
 * @throws `TypeError` for a URL that is none
 */
export function readTarget({ url: given, path, query }: InjectOptions): InjectedTarget {
  const url = given ?? path ?? ''
  if (typeof url === 'string' && query === undefined && PLAIN.test(url) && !DOT_SEGMENT.test(url)) {
    return { target: url, host: BASE_HOST }
  }
  const parsed = typeof url === 'string' ? parse(url) : Object.assign(new URL(BASE), url)
  if (typeof query === 'string') addText(parsed.searchParams, query)
  else addMembers(parsed.searchParams, { ...(typeof url === 'string' ? {} : toObject(url.query)), ...query })
  return { target: parsed.pathname + parsed.search, host: hostOf(parsed) }
}

/** Two slashes begin a path here, and no host. */
function parse(url: string): URL {
  return url.startsWith('//') ? new URL(BASE + url) : new URL(url, BASE)
}

/** The members of a text are its characters. */
function toObject(value: unknown): object {
  return Object.assign({}, value)
}

function addText(params: URLSearchParams, text: string): void {
  const query = new URLSearchParams(text)
  for (const key of query.keys()) {
    params.delete(key)
    for (const value of query.getAll(key)) params.append(key, value)
  }
}

function addMembers(params: URLSearchParams, query: object): void {
  for (const [key, value] of Object.entries(query)) {
    if (Array.isArray(value)) {
      params.delete(key)
      for (const item of value) params.append(key, String(item))
    } else params.set(key, String(value))
  }
}

/** The port is written always, as the examples of the library have it. */
function hostOf({ port, host, hostname, protocol }: URL): string {
  if (port !== '') return host
  return hostname + (protocol === 'https:' ? ':443' : ':80')
}
