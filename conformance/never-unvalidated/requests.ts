/**
 * The table of requests: what may stand in the content type, how a body may be framed, what it may hold. Every line
 * is written to the socket as it stands here.
 */

/** Header lines that name the content type of a body, or try to. */
export interface MediaTypeCase {
  readonly name: string
  readonly lines: readonly string[]
  /** True when the lines name `application/json` by the rules of HTTP, so that a good body must get through. */
  readonly json: boolean
}

const value = (text: string, json = false): MediaTypeCase => ({
  name: JSON.stringify(text),
  lines: [`Content-Type:${text}`],
  json,
})

/** Each way to name the content type. */
export const MEDIA_TYPES: readonly MediaTypeCase[] = [
  value(' application/json', true),
  value('application/json', true),
  value('   application/json', true),
  value('\tapplication/json', true),
  value(' application/json   ', true),
  value(' application/json\t', true),
  value(' APPLICATION/JSON', true),
  value(' Application/Json', true),
  value(' application/json; charset=utf-8', true),
  value(' application/json;charset=utf-8', true),
  value(' application/json ;charset=utf-8', true),
  value(' application/json\t;charset=utf-8', true),
  value(' application/json ; charset="utf-8"', true),
  value(' APPLICATION/JSON; CHARSET=UTF-8', true),
  value(' application/json;'),
  value(' application/json;;'),
  value(' application/json; a'),
  value(' application/json; charset="utf-8'),
  value(' application/json; =x'),
  value(' application/json garbage'),
  value(' application/json\tgarbage'),
  value(' application/json\ta=b'),
  value(' application/json,text/plain'),
  value(' application/json, application/json'),
  value(' application/jsonx'),
  value(' application/json+x'),
  value(' application/json/x'),
  value(' xapplication/json'),
  value(' application /json'),
  value(' application/ json'),
  value(' application\\json'),
  value(' "application/json"'),
  value(' application/vnd.api+json'),
  value(' application/problem+json; charset=utf-8'),
  value(' application/ld+JSON'),
  value(' text/json'),
  value(' text/plain'),
  value(' TEXT/PLAIN; charset=utf-8'),
  value(' text/plain;application/json'),
  value(' text/plain; x=application/json'),
  value(' text/html'),
  value(' application/x-www-form-urlencoded'),
  value(' multipart/form-data; boundary=x'),
  value(' application/octet-stream'),
  value(' application/xml'),
  value(' */*'),
  value(' application/*'),
  value(' application/'),
  value(' /json'),
  value(' json'),
  value(' /'),
  value(' ;'),
  value(''),
  value(' '),
  value(' constructor'),
  value(' __proto__'),
  value(' toString'),
  value(' constructor/prototype'),
  value(' application/js\u00f6n'),
  { name: 'no content type', lines: [], json: false },
  {
    name: 'two content types, JSON first',
    lines: ['Content-Type: application/json', 'Content-Type: text/plain'],
    json: false,
  },
  {
    name: 'two content types, JSON last',
    lines: ['Content-Type: text/plain', 'Content-Type: application/json'],
    json: false,
  },
]

/** A way to delimit a body. */
export interface FramingCase {
  readonly name: string
  /** True when HTTP reads the body as it was given. */
  readonly sound: boolean
  readonly write: (body: string) => { lines: readonly string[]; payload: string }
}

const length = (body: string): string => `Content-Length: ${Buffer.byteLength(body)}`
const chunk = (text: string): string =>
  text === '' ? '' : `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const inChunks = (body: string): string => `${chunk(body)}0\r\n\r\n`
const inBytes = (body: string): string =>
  `${Array.from(body, (character) => chunk(character)).join('')}0\r\n\r\n`

/** The name of the framing with a transfer coding that no server here knows. */
export const UNKNOWN_CODING = 'a coding that is unknown'

/** Each way to delimit it. */
export const FRAMINGS: readonly FramingCase[] = [
  { name: 'a length', sound: true, write: (body) => ({ lines: [length(body)], payload: body }) },
  {
    name: 'one chunk',
    sound: true,
    write: (body) => ({ lines: ['Transfer-Encoding: chunked'], payload: inChunks(body) }),
  },
  {
    name: 'a chunk for each byte',
    sound: true,
    write: (body) => ({ lines: ['transfer-encoding: Chunked'], payload: inBytes(body) }),
  },
  {
    name: 'chunks and a length',
    sound: false,
    write: (body) => ({ lines: ['Transfer-Encoding: chunked', length(body)], payload: inChunks(body) }),
  },
  {
    name: UNKNOWN_CODING,
    sound: false,
    write: (body) => ({ lines: ['Transfer-Encoding: gzip, chunked'], payload: inChunks(body) }),
  },
  {
    name: 'a content coding',
    sound: false,
    write: (body) => ({ lines: ['Content-Encoding: gzip', length(body)], payload: body }),
  },
  { name: 'a length of nought', sound: false, write: () => ({ lines: ['Content-Length: 0'], payload: '' }) },
  { name: 'nothing', sound: false, write: () => ({ lines: [], payload: '' }) },
  {
    name: 'no chunk at all',
    sound: false,
    write: () => ({ lines: ['Transfer-Encoding: chunked'], payload: '0\r\n\r\n' }),
  },
]

/** What a body holds. `good` becomes `{ n: 7 }` when the schema is applied; `bad` fails it. */
export const GOOD = '{"n":"7","extra":true}'
/** A body that fails the schema. */
export const BAD = '{"n":"word"}'
/** Bodies that fail the schema in other ways, or are no JSON. */
export const ODD_BODIES: readonly string[] = [
  '{}',
  '[]',
  'null',
  'true',
  '"7"',
  '7',
  ' ',
  '{"n":7',
  '{"n":7}}',
  '\ufeff{"n":"x"}',
  'n=7',
  '--x\r\ncontent-disposition: form-data; name="n"\r\n\r\n7\r\n--x--',
]

/** The methods of the table. */
export const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** The schema of every route of the table: it coerces, and it removes. */
export const BODY_SCHEMA: object = {
  type: 'object',
  additionalProperties: false,
  required: ['n'],
  properties: { n: { type: 'integer' } },
}
