// Whether the engine reads a text as the reference does.
import type { Reading } from './read-message.ts'
import type { EngineReading } from './readers.ts'

const isRefused = (given: EngineReading, reason: string): boolean =>
  given.kind === 'refused' && given.reason === reason

/** What the engine refuses although the grammar has it, and why. */
const STRICTER: readonly (readonly [
  reason: string,
  holds: (text: string, given: EngineReading) => boolean,
])[] = [
  [
    'RFC 3986, 3.2.2 has a comma in a reg-name; proxies join two Host lines with one (RFC 9110, 5.3)',
    (text, { kind }) => kind === 'inadmissible' && /^host:[^\r\n]*,/im.test(text),
  ],
  [
    'RFC 9110, 8.6: a recipient must be prepared for large values; 15 digits are exact',
    (text, given) =>
      isRefused(given, 'Invalid character in Content-Length') && /^content-length:[ \t]*\d{16}/im.test(text),
  ],
  [
    'RFC 9112, 7.1: a recipient must anticipate large chunk sizes; 12 digits are exact',
    (text, given) => isRefused(given, 'Chunk size overflow') && /^[\da-f]{13}/im.test(text),
  ],
  [
    'RFC 9110, 6.5.1: fields of framing, routing and authentication are no trailers',
    (_text, given) => isRefused(given, 'Invalid trailer'),
  ],
]

export function agrees(text: string, wanted: Reading, given: EngineReading): boolean {
  if (given.kind === 'message') return JSON.stringify(sorted(wanted)) === JSON.stringify(sorted(given))
  if (given.kind === 'unusual') return true
  if (wanted.kind === 'message') return STRICTER.some(([, holds]) => holds(text, given))
  return given.kind !== 'incomplete' || wanted.kind === 'incomplete'
}

const sorted = (value: object): unknown =>
  Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
