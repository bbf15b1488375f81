// The rows of docs/guide/refused.md as requests.
import type { SendRequest } from '../harness/send.ts'
import { FORM, JSON_TYPE } from './routes.ts'

export const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
export const post = (body: string | Buffer, type: string = JSON_TYPE, headers = {}): SendRequest => ({
  method: 'POST',
  path: '/',
  body: Buffer.from(body),
  headers: { 'content-type': type, ...headers },
})

/** What was sent, the status, and words of the message. */
export type Row = readonly [what: string, request: SendRequest, status: number, words: RegExp]

export const ROWS: readonly Row[] = [
  ['an integer that no number represents', post('{"id":9007199254740993}'), 400, /body\/id .*exactly repr/],
  ['another one', post('{"id":12345678901234567890}'), 400, /body\/id .*exactly representable/],
  ['one that a number represents, as others', post('{"id":9007199254740992}'), 400, /body\/id .*exactly/],
  ['-0', post('{"id":-0}'), 400, /body\/id .*exactly representable/],
  ['-0.0', post('{"id":-0.0}'), 400, /body\/id .*exactly representable/],
  ['a number that is too large', post('{"inner":{"a":[1e400]}}'), 400, /body\/inner\/a\/0 .*exactly/],
  ['a number that is too small', post('{"id":1e-400}'), 400, /body\/id .*exactly representable/],
  ['a decimal that is read as an integer', post('{"id":0.99999999999999999999}'), 400, /body\/id .*exactly/],
  ['an integer in a query', { path: '/query?id=9007199254740993' }, 400, /querystring\/id .*exactly repr/],
  [
    'a decimal in a query',
    { path: '/query?id=0.99999999999999999999' },
    400,
    /querystring\/id .*exactly repr/,
  ],
  ['an integer in a path', { path: '/path/9007199254740993' }, 400, /params\/id .*exactly representable/],
  [
    'an integer in a header',
    { path: '/header', headers: { id: '9007199254740993' } },
    400,
    /headers\/id .*exactly repr/,
  ],
  ['an integer in a form', post('id=9007199254740993', FORM), 400, /body\/id .*exactly representable/],
  ['bytes that are no UTF-8 in JSON', post(latin1('{"name":"é"}')), 400, /body is not valid UTF-8/],
  ['a cut character in JSON', post(latin1('{"name":"\xe2\x82"}')), 400, /body is not valid UTF-8/],
  ['an encoded surrogate in JSON', post(latin1('{"name":"\xed\xa0\x80"}')), 400, /body is not valid UTF-8/],
  ['bytes that are no UTF-8 in text', post(latin1('é'), 'text/plain'), 400, /body is not valid UTF-8/],
  ['escapes that are no UTF-8 in a form', post('name=%E9', FORM), 400, /body has percent-escapes/],
  ['bytes that are no UTF-8 in a form', post(latin1('name=é'), FORM), 400, /body is not valid UTF-8/],
  [
    'escapes that are no UTF-8 in a query',
    { path: '/query?name=%E9' },
    400,
    /querystring has percent-escapes/,
  ],
  ['escapes that are no escapes in a query', { path: '/query?name=100%25%' }, 400, /querystring has percent/],
  ['escapes that are no UTF-8 in a path', { path: '/name/%E9' }, 400, /'\/name\/%E9' is not a valid url/],
  ['a name twice', post('{"id":1,"id":2}'), 400, /body\/id is given twice/],
  [
    'a nested name twice',
    post('{"inner":{"a":[{},{"b":1,"b":1}]}}'),
    400,
    /body\/inner\/a\/1\/b is given twice/,
  ],
  ['a name twice, escaped', post(String.raw`{"id":1,"\u0069d":2}`), 400, /body\/id is given twice/],
  ['an undeclared name twice', post('{"a/b":1,"a/b":1}'), 400, /body\/a~1b is given twice/],
  ['a name twice in a query', { path: '/query?id=1&id=2' }, 400, /querystring\/id must be/],
  ['a name twice in a form', post('id=1&id=2', FORM), 400, /body\/id must be/],
  [
    'a lone surrogate in a value',
    post(String.raw`{"name":"a\ud800b"}`),
    400,
    /body\/name contains a lone surr/,
  ],
  ['a lone surrogate in a name', post(String.raw`{"\uDC00":1}`), 400, /body\/. contains a lone surrogate/],
  ['the charset ISO 8859-1', post('{}', 'application/json; charset=iso-8859-1'), 415, /charset.*iso-8859-1/],
  [
    'a charset beside UTF-8',
    post('{}', 'application/json; charset=iso-8859-1; charset=utf-8'),
    415,
    /charset.*several/,
  ],
  ['the charset UTF-16 of text', post('a', 'text/plain; charset="UTF-16"'), 415, /charset.*UTF-16/],
  [
    'a content coding that is none',
    post('{"id":1}', JSON_TYPE, { 'content-encoding': 'bogus' }),
    415,
    /bogus/,
  ],
  ['the content coding gzip', post('{"id":1}', JSON_TYPE, { 'content-encoding': 'gzip' }), 415, /gzip/],
]

/** What looks like a row above, and is none. */
export const ACCEPTED: readonly (readonly [what: string, request: SendRequest, seen: object])[] = [
  ['the largest exact integer', post('{"id":9007199254740991}'), { body: { id: 9007199254740991 } }],
  ['an integer with an exponent', post('{"id":1e3}'), { body: { id: 1000 } }],
  ['a long decimal that is an integer', post('{"id":7.00000000000000000000}'), { body: { id: 7 } }],
  [
    'a long text of digits',
    post('{"name":"12345678901234567890"}'),
    { body: { name: '12345678901234567890' } },
  ],
  ['a name in two objects', post('{"id":1,"inner":{"id":2}}'), { body: { id: 1, inner: { id: 2 } } }],
  ['a value with the text of a name', post('{"name":"id","id":1}'), { body: { name: 'id', id: 1 } }],
  ['a pair of surrogates', post(String.raw`{"name":"\ud83d\ude00"}`), { body: { name: '😀' } }],
  ['an escaped backslash before u', post(String.raw`{"name":"\\ud800"}`), { body: { name: '\\ud800' } }],
  ['UTF-8', post('{"name":"é€😀"}', 'application/json; charset=UTF-8'), { body: { name: 'é€😀' } }],
  ['escapes of UTF-8', { path: '/query?name=%C3%A9%25' }, { query: { name: 'é%' } }],
  [
    'the coding identity',
    post('{"id":1}', JSON_TYPE, { 'content-encoding': 'Identity' }),
    { body: { id: 1 } },
  ],
]
