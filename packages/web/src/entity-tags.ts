import * as crypto from 'node:crypto'

import { headerOf } from 'cloister/inspect'

import { acceptedCodings, CODING_NAMES } from './codings.ts'
import { WebRefusal } from './errors.ts'

const TAG = /(W\/)?"([\u0021\u0023-\u007e\u0080-\u00ff]*)"/g

/** Returns the entity tag of a content: 128 bits of its hash. */
export function tagOf(content: string | Uint8Array, isWeak: boolean): string {
  return `${isWeak ? 'W/' : ''}"${digest(content).slice(0, LENGTH)}"`
}

const LENGTH = Math.ceil(128 / 6)

/** `hash` costs less than half, and is missing in Node before 20.12 and on some other run times. */
const digest: (content: string | Uint8Array) => string =
  'hash' in crypto && typeof crypto.hash === 'function'
    ? (content) => crypto.hash('sha1', content, 'base64url')
    : (content) => crypto.createHash('sha1').update(content).digest('base64url')

/**
 * Returns the entity tag of a version.
 *
 * @throws TypeError if the version has characters that no tag has (RFC 9110 section 8.8.3)
 */
export function tagOfVersion(version: string): string {
  const tag = /^(?:W\/)?".*"$/.test(version) ? version : `"${version}"`
  if (!/^(?:W\/)?"[\u0021\u0023-\u007e\u0080-\u00ff]*"$/.test(tag))
    throw new TypeError(`the version '${version}' has a quote, a space or a control character`)
  return tag
}

/** Returns the tag of the same content in a coding, whose bytes are others (RFC 9110 section 8.8.3.3). */
export function withCoding(tag: string, coding: string): string {
  return `${tag.slice(0, -1)}-${coding}"`
}

const opaque = (tag: string): string => tag.replace(/^W\//, '')

/**
 * Returns the tag of a list that names this content, by the weak comparison (RFC 9110 section 13.1.2); `null` for none.
 *
 * @param codings - in which the client may have the content: a 304 says with the tag which one it keeps
 */
export function knownTag(list: string, tag: string, codings: readonly string[]): string | null {
  if (list.trim() === '*') return tag
  const listed = tagsIn(list).map(opaque)
  const named = [...codings.map((coding) => withCoding(tag, coding)), tag]
  return named.find((one) => listed.includes(opaque(one))) ?? null
}

/** Whether a list of tags has this one, in any coding, by the strong comparison (RFC 9110 section 13.1.1). */
function hasStrongTag(list: string, tag: string): boolean {
  if (tag.startsWith('W/')) return false
  const strong = tagsIn(list).filter((one) => !one.startsWith('W/'))
  return knownTag(strong.join(), tag, CODING_NAMES) !== null
}

function tagsIn(list: string): string[] {
  return [...list.matchAll(TAG)].map(([whole]) => whole)
}

/** Whether a method only reads. */
export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD' || method === 'QUERY'

/**
 * Evaluates the preconditions of a request before its handler runs, in the order of RFC 9110 section 13.2.2.
 *
 * @param tag - of the current version; `null` if there is none
 * @param isRequired - whether a request that changes something must have one (RFC 6585 section 3)
 * @returns the tag under which the client has this version already, so that a 304 is enough; otherwise `null`
 * @throws WebRefusal with the status 412 or 428
 */
export function evaluate(
  { method, headers }: { readonly method: string; readonly headers: Readonly<Record<string, unknown>> },
  tag: string | null,
  isRequired: boolean,
): string | null {
  const ifMatch = textOf(headers['if-match'])
  const ifNoneMatch = textOf(headers['if-none-match'])
  if (ifMatch !== null) {
    const holds = tag !== null && (ifMatch.trim() === '*' || hasStrongTag(ifMatch, tag))
    if (!holds) throw failed('If-Match', tag)
  } else if (isRequired && !isRead(method) && ifNoneMatch === null)
    throw new WebRefusal(
      'CLO_ERR_WEB_PRECONDITION_REQUIRED',
      `${method} requests must have If-Match with the version that they change, or If-None-Match: *`,
    )
  if (ifNoneMatch === null || tag === null) return null
  const codings = isRead(method) ? acceptedCodings(headers['accept-encoding']) : CODING_NAMES
  const known = knownTag(ifNoneMatch, tag, codings)
  if (known === null || isRead(method)) return known
  throw failed('If-None-Match', tag)
}

function failed(field: string, tag: string | null): WebRefusal {
  const now = tag === null ? 'there is no version' : `the version is ${tag}`
  return new WebRefusal('CLO_ERR_WEB_PRECONDITION_FAILED', `The precondition ${field} does not hold: ${now}`)
}

function textOf(field: unknown): string | null {
  return typeof field === 'string' ? field : null
}

/** The tag under which the client has a complete response already (RFC 9110 sections 13.1.2 and 13.1.3), or `null`. */
export function knownAs(
  request: object,
  tag: string,
  coding: string | null,
  lastModified: unknown,
): string | null {
  const ifNoneMatch = headerOf(request, 'if-none-match')
  const sent = coding === null ? tag : withCoding(tag, coding)
  if (ifNoneMatch?.trim() === '*') return sent
  if (ifNoneMatch !== undefined)
    return knownTag(ifNoneMatch, tag, acceptedCodings(headerOf(request, 'accept-encoding')))
  if (typeof lastModified !== 'string') return null
  const since = Date.parse(headerOf(request, 'if-modified-since') ?? '')
  return Date.parse(lastModified) <= since ? sent : null
}
