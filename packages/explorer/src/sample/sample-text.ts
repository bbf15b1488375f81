import { parsePattern } from '@cloister/schema/internal'
import type { Part } from '@cloister/schema/internal'

import type { Schema } from '../schema-rows.ts'
import { numberOr } from './numbers.ts'

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2020-01-02T03:04:05Z',
  'iso-date-time': '2020-01-02T03:04:05Z',
  date: '2020-01-02',
  time: '03:04:05Z',
  'iso-time': '03:04:05Z',
  duration: 'P1D',
  email: 'ada@example.com',
  'idn-email': 'ada@example.com',
  hostname: 'example.com',
  'idn-hostname': 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/a',
  url: 'https://example.com/a',
  iri: 'https://example.com/a',
  'uri-reference': '/a',
  'iri-reference': '/a',
  'uri-template': '/a/{b}',
  uuid: '11111111-1111-4111-8111-111111111111',
  'json-pointer': '/a',
  'relative-json-pointer': '0/a',
  'json-pointer-uri-fragment': '#/a',
  regex: 'a+',
  byte: 'YQ==',
  int64: '1',
}

/** Text without rules, and what a longer one repeats. */
const TEXT = 'string'
/** No text in a form is longer. */
const MAX_LENGTH = 10_000
/** How many more times than necessary a part of an expression is repeated, in this order. */
const MORE = [0, 1, 2, 3, 5, 8, 13]

/** Returns texts that a schema may accept, the plainest first. */
export function textsOf({ format, pattern, minLength, maxLength }: Schema): string[] {
  const least = Math.min(numberOr(minLength, 0), MAX_LENGTH)
  const most = Math.max(numberOr(maxLength, MAX_LENGTH), 0)
  const known = typeof format === 'string' ? FORMATS[format] : undefined
  const plain = [TEXT, 'other', 'a', '1', ''].map((text) =>
    text.padEnd(least, text === '' ? 'a' : text).slice(0, most),
  )
  const all = [...(known === undefined ? [] : [known]), ...plain]
  if (typeof pattern !== 'string') return all
  const expression = new RegExp(pattern, 'u')
  const counts = new Set([...MORE, least, Math.max(least - 1, 0), Math.ceil(least / 2)])
  const found = [...counts].flatMap((more) => textOf(pattern, more) ?? [])
  const padded = found.flatMap((text) => [text, text.padEnd(least, 'a'), text.padStart(least, 'a')])
  return [...all, ...padded].filter(
    (text) => expression.test(text) && text.length >= least && text.length <= most,
  )
}

/**
 * Returns a text that an expression accepts, except for its lookarounds and references; `null` if none is found.
 *
 * @param more - how many more times than necessary its parts are repeated, where that is allowed
 */
function textOf(pattern: string, more: number): string | null {
  try {
    return write(parsePattern(pattern, 'u').part, more)
  } catch {
    return null
  }
}

function write(part: Part, more: number): string {
  switch (part.kind) {
    case 'atom':
      return characterOf(part.atom.source, part.atom.bounds)
    case 'sequence':
      return part.parts.map((one) => write(one, more)).join('')
    case 'choice': {
      const [first] = part.parts
      return first === undefined ? '' : write(first, more)
    }
    case 'capture':
      return write(part.part, more)
    case 'repetition': {
      const count = Math.min(part.max, part.min + more, MAX_LENGTH)
      return write(part.part, Math.min(more, 1)).repeat(Math.max(count, part.min))
    }
    default:
      return ''
  }
}

const CHARACTERS = ['a', 'A', '1', '-', '_', ' ', '.', '/', 'é']

function characterOf(source: string, bounds: readonly number[]): string {
  const set = new RegExp(`^(?:${source})$`, 'u')
  const candidates = [...CHARACTERS, ...bounds.map((point) => String.fromCodePoint(point))]
  const found = candidates.find((one) => set.test(one))
  if (found === undefined) throw new Error(`no character is known for ${source}`)
  return found
}
