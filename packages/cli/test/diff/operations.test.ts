import { describe, expect, it } from 'vitest'
import { compareDocuments } from '../../src/diff/compare-documents.ts'

const text = { type: 'string' }
const ok = { 200: { description: '' } }
const json = { 'application/json': { schema: text } }

/** A document with one operation, and what the case is about. */
function of(operation: object, more: object = {}): object {
  return { openapi: '3.1.1', paths: { '/a': { post: { responses: ok, ...operation } } }, ...more }
}

const query = (rest: object = {}): object => ({ name: 'q', in: 'query', schema: text, ...rest })
const withQuery = (rest?: object): object => of({ parameters: [query(rest)] })
const body = (rest: object = {}): object => of({ requestBody: { content: json, ...rest } })
const responds = (responses: object): object => of({ responses })
const header = (rest: object): object =>
  responds({ 200: { description: '', headers: { ETag: { schema: text, ...rest } } } })
const secured = (security: unknown, more?: object): object => of({ security }, more)
const scheme = (rest: object): object =>
  of(
    {},
    { components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-key', ...rest } } } },
  )
const path = (url: string, name: string, schema: object = text): object => ({
  openapi: '3.1.1',
  paths: { [url]: { parameters: [{ name, in: 'path', required: true, schema }], get: { responses: ok } } },
})
const hook = (webhooks: object): object => ({ openapi: '3.1.1', paths: {}, webhooks })
const callback = (schema: object): object =>
  of({
    callbacks: {
      done: {
        '{$request.body#/url}': {
          post: { requestBody: { content: { 'application/json': { schema } } }, responses: ok },
        },
      },
    },
  })
const socket = (messages: object): object => of({ 'x-websocket': messages })
const items = (itemSchema: object): object =>
  responds({ 200: { description: '', content: { 'application/jsonl': { itemSchema } } } })

/** What becomes of a document, and the checks that report it; those with `?` are warnings. */
const CASES: readonly (readonly [string, object, object, readonly string[]])[] = [
  ['the same', of({}), of({}), []],
  [
    'an operation that is gone',
    of({}),
    { openapi: '3.1.1', paths: { '/a': { get: { responses: ok } } } },
    ['operation-removed'],
  ],
  ['a path that is gone', of({}), { openapi: '3.1.1', paths: {} }, ['operation-removed']],
  ['a new path', { openapi: '3.1.1', paths: {} }, of({}), []],
  ['another operationId', of({ operationId: 'a' }), of({ operationId: 'b' }), ['operation-id-changed?']],
  ['a path parameter of another name', path('/b/{id}', 'id'), path('/b/{key}', 'key'), []],
  [
    'a path parameter of another type',
    path('/b/{id}', 'id'),
    path('/b/{key}', 'key', { type: 'integer' }),
    ['request-type-narrowed'],
  ],
  ['a parameter that is gone', withQuery(), of({}), ['request-parameter-removed?']],
  ['a new parameter that is optional', of({}), withQuery(), []],
  [
    'a new parameter that is required',
    of({}),
    withQuery({ required: true }),
    ['request-parameter-added-required'],
  ],
  [
    'a parameter that becomes required',
    withQuery(),
    withQuery({ required: true }),
    ['request-parameter-became-required'],
  ],
  ['a parameter that becomes optional', withQuery({ required: true }), withQuery(), []],
  [
    'a parameter with a limit',
    withQuery(),
    withQuery({ schema: { ...text, maxLength: 3 } }),
    ['request-maxLength-narrowed'],
  ],
  ['a parameter of more types', withQuery(), withQuery({ schema: { type: ['string', 'integer'] } }), []],
  [
    'a parameter in content',
    withQuery(),
    withQuery({ schema: undefined, content: { 'a/b': { schema: { type: 'null' } } } }),
    ['request-type-narrowed'],
  ],
  [
    'a parameter of another style',
    withQuery(),
    withQuery({ explode: false }),
    ['request-parameter-style-changed'],
  ],
  [
    'a style that is written out',
    withQuery(),
    withQuery({ style: 'form', explode: true, allowReserved: false }),
    [],
  ],
  [
    'a parameter in another place',
    withQuery(),
    of({ parameters: [query({ in: 'header', required: true })] }),
    ['request-parameter-removed?', 'request-parameter-added-required'],
  ],
  [
    'a header in other letters',
    of({ parameters: [query({ in: 'header', name: 'X-A' })] }),
    of({ parameters: [query({ in: 'header', name: 'x-a' })] }),
    [],
  ],
  [
    'a parameter of the path item',
    { openapi: '3.1.1', paths: { '/a': { parameters: [query()], get: { responses: ok } } } },
    { openapi: '3.1.1', paths: { '/a': { get: { parameters: [query()], responses: ok } } } },
    [],
  ],
  ['a new body', of({}), body(), []],
  ['a new body that is required', of({}), body({ required: true }), ['request-body-added-required']],
  ['a body that becomes required', body(), body({ required: true }), ['request-body-became-required']],
  ['a body that becomes optional', body({ required: true }), body(), []],
  ['a body that is gone', body(), of({}), ['request-body-removed']],
  [
    'a media type that is gone',
    body(),
    body({ content: { 'text/plain': { schema: text } } }),
    ['request-media-type-removed'],
  ],
  ['a media type that is new', body(), body({ content: { ...json, 'text/plain': {} } }), []],
  ['a media type that a range has', body(), body({ content: { 'application/*': { schema: text } } }), []],
  [
    'a media type with a parameter',
    body(),
    body({ content: { 'application/json; charset=utf-8': { schema: text } } }),
    [],
  ],
  ['a schema that is new', body({ content: { 'application/json': {} } }), body(), ['request-type-narrowed']],
  [
    'a status of success that is gone',
    responds({ 200: {}, 201: {} }),
    responds({ 200: {} }),
    ['response-status-removed'],
  ],
  [
    'a status of failure that is gone',
    responds({ 200: {}, 404: {} }),
    responds({ 200: {} }),
    ['response-failure-status-removed?'],
  ],
  [
    'a status of success that is new',
    responds({ 200: {} }),
    responds({ 200: {}, 202: {} }),
    ['response-status-added?'],
  ],
  ['a status of failure that is new', responds({ 200: {} }), responds({ 200: {}, 409: {} }), []],
  ['a status that a class has', responds({ 200: {} }), responds({ '2XX': {} }), []],
  ['a status that the default has', responds({ 404: {} }), responds({ default: {} }), []],
  [
    'a payload of a class',
    responds({ 200: { content: json } }),
    responds({ '2XX': { content: { 'application/json': { schema: { type: 'null' } } } } }),
    ['response-type-widened'],
  ],
  [
    'a media type of a response that is gone',
    responds({ 200: { content: json } }),
    responds({ 200: {} }),
    ['response-media-type-removed'],
  ],
  ['a header that is gone', header({}), responds({ 200: { description: '' } }), ['response-header-removed?']],
  [
    'a required header that is gone',
    header({ required: true }),
    responds({ 200: { description: '' } }),
    ['response-header-removed'],
  ],
  [
    'a header that becomes optional',
    header({ required: true }),
    header({}),
    ['response-header-became-optional'],
  ],
  [
    'a header of another type',
    header({}),
    header({ schema: { type: 'integer' } }),
    ['response-type-widened'],
  ],
  ['security where there was none', of({}), secured([{ key: [] }]), ['security-added']],
  ['security of the whole API', of({}), of({}, { security: [{ key: [] }] }), ['security-added']],
  ['security that is gone', secured([{ key: [] }]), of({}), ['security-loosened']],
  [
    'security that became optional',
    secured([{ key: [] }]),
    secured([{ key: [] }, {}]),
    ['security-loosened'],
  ],
  ['security that is optional', of({}), secured([{ key: [] }, {}]), []],
  ['security by another scheme', secured([{ key: [] }]), secured([{ token: [] }]), ['security-removed']],
  ['security by one scheme more', secured([{ key: [] }]), secured([{ key: [] }, { token: [] }]), []],
  [
    'security by both schemes',
    secured([{ key: [] }]),
    secured([{ key: [], token: [] }]),
    ['security-removed'],
  ],
  ['a scope more', secured([{ o: ['read'] }]), secured([{ o: ['read', 'write'] }]), ['security-scope-added']],
  ['a scope less', secured([{ o: ['read', 'write'] }]), secured([{ o: ['read'] }]), ['security-loosened']],
  ['one of two schemes', secured([{ key: [], token: [] }]), secured([{ key: [] }]), ['security-loosened']],
  ['security that was optional already', secured([{ key: [] }, {}]), of({}), []],
  ['a scheme in another place', scheme({}), scheme({ in: 'query' }), ['security-scheme-changed']],
  ['a scheme of another name', scheme({}), scheme({ name: 'x-other' }), ['security-scheme-changed']],
  [
    'flows of another URL',
    scheme({ flows: { implicit: { authorizationUrl: 'a' } } }),
    scheme({ flows: { implicit: { authorizationUrl: 'b' } } }),
    ['security-scheme-changed?'],
  ],
  [
    'a server that is gone',
    of({}, { servers: [{ url: '/v1' }] }),
    of({}, { servers: [{ url: '/v2' }] }),
    ['server-removed?'],
  ],
  ['a webhook that is gone', hook({ paid: { post: { responses: ok } } }), hook({}), ['webhook-removed']],
  [
    'a webhook with more values',
    hook({ paid: { post: { requestBody: { content: json }, responses: ok } } }),
    hook({ paid: { post: { requestBody: { content: { 'application/json': {} } }, responses: ok } } }),
    ['response-type-widened'],
  ],
  ['a socket with the same messages', socket({ incoming: text }), socket({ incoming: text }), []],
  ['a socket that is gone', socket({}), of({}), ['websocket-removed']],
  ['a new socket', of({}), socket({ incoming: text }), []],
  ['a socket that takes fewer messages', socket({}), socket({ incoming: text }), ['request-type-narrowed']],
  ['a socket that takes more messages', socket({ incoming: text }), socket({}), []],
  [
    'a socket that takes no messages any more',
    socket({ incoming: text }),
    socket({ incoming: { not: {} } }),
    ['request-schema-narrowed'],
  ],
  ['a socket that sends other messages', socket({ outgoing: text }), socket({}), ['response-type-widened']],
  ['a socket that sends fewer messages', socket({}), socket({ outgoing: text }), []],
  [
    'items of another type in version 3.2',
    items(text),
    items({ type: 'integer' }),
    ['response-type-widened'],
  ],
  ['a callback that is gone', callback(text), of({}), ['callback-removed']],
  ['a callback of another body', callback(text), callback({ type: 'integer' }), ['response-type-widened']],
  ['a callback with fewer values', callback({ type: ['string', 'integer'] }), callback(text), []],
]

describe('an operation', () => {
  it.each(CASES)('%s', (_name, before, after, expected) => {
    const source = (document: object): Parameters<typeof compareDocuments>[0] => ({
      document: { ...document },
      callSites: new Map(),
    })
    const found = compareDocuments(source(before), source(after))
    expect(found.map(({ check, level }) => (level === 'error' ? check : `${check}?`))).toEqual(expected)
  })
})
