// The column "run time" of the table: what a handler gets and what is sent, in every library, over every transport.
import type { App } from '../harness/app-shape.ts'
import type { SendRequest, SentResponse } from '../harness/send.ts'
import { describeBehind } from '../harness/transports.ts'
import { LIBRARIES, LIBRARY_NAMES, PARTS } from './libraries.ts'
import type { Library, Part } from './libraries.ts'

const FORM = 'application/x-www-form-urlencoded'

/** A request that a part accepts, what its handler sees of it, and one that the part refuses. */
interface RequestRow {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly valid: readonly SendRequest[]
  readonly seen: object
  readonly invalid: SendRequest
  readonly place: RegExp
}

const REQUESTS: Readonly<Record<Exclude<Part, 'response'>, RequestRow>> = {
  params: {
    method: 'GET',
    url: '/:id',
    valid: [{ path: '/7' }],
    seen: { id: 7 },
    invalid: { path: '/seven' },
    place: /^params\/id /,
  },
  querystring: {
    method: 'GET',
    url: '/',
    valid: [{ path: '/?page=5&tags=a&on=false' }],
    seen: { page: 5, tags: ['a'], on: false },
    invalid: { path: '/?page=five&tags=a&on=false' },
    place: /^querystring\/page /,
  },
  headers: {
    method: 'GET',
    url: '/',
    valid: [
      { path: '/', headers: { 'x-count': '3' } },
      { path: '/', headers: { 'X-COUNT': '3' } },
    ],
    seen: { 'x-count': 3 },
    invalid: { path: '/', headers: { 'x-count': 'three' } },
    place: /^headers\/x-count /,
  },
  body: {
    method: 'POST',
    url: '/',
    valid: [
      { method: 'POST', path: '/', body: { name: 'Ada', age: 36 } },
      { method: 'POST', path: '/', headers: { 'content-type': FORM }, body: 'name=Ada&age=36' },
    ],
    seen: { name: 'Ada', age: 36 },
    invalid: { method: 'POST', path: '/', body: { name: 'A', age: 36 } },
    place: /^body\/name /,
  },
}

function addRoute(app: App, library: Library, part: Exclude<Part, 'response'>): void {
  app.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) =>
    Object(done)(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  const { method, url } = REQUESTS[part]
  const handler = (request: object): unknown => {
    const seen: unknown = Reflect.get(request, part === 'querystring' ? 'query' : part)
    return part === 'headers' ? { 'x-count': Object(seen)['x-count'] } : seen
  }
  app.route({ method, url, schema: { [part]: LIBRARIES[library][part] }, handler })
}

for (const library of LIBRARY_NAMES) {
  describeBehind(`${library}, at run time`, ({ createApp, send, expect, ours }) => {
    const it = ours('the peers need a compiler for other libraries')
    const sendAll = (app: App, requests: readonly SendRequest[]): Promise<SentResponse[]> =>
      Promise.all(requests.map((request) => send(app, request)))

    for (const part of PARTS) {
      if (part === 'response') continue
      const { valid, seen, invalid, place } = REQUESTS[part]

      it(`has ${part} with their types, and refuses what does not fit`, async () => {
        const app = createApp()
        addRoute(app, library, part)
        const responses = await sendAll(app, valid)
        expect(responses.map((response) => response.json())).toEqual(valid.map(() => seen))
        const refused = await send(app, invalid)
        expect(refused.status).toBe(400)
        expect(refused.json()).toMatchObject({ message: expect.stringMatching(place) })
      })
    }

    it('writes a response by its schema, and sends nothing that the schema refuses', async () => {
      const app = createApp()
      app.get('/', { schema: { response: LIBRARIES[library].response } }, (request) => ({
        email: 'ada@example.org',
        at: new Date(0),
        n: 1,
        password: 'secret',
        ...(request.query['bad'] === undefined ? {} : { n: 'one' }),
      }))
      const sent = await send(app, { path: '/' })
      expect(sent.json()).toEqual({ email: 'ada@example.org', at: '1970-01-01T00:00:00.000Z', n: 1 })
      const refused = await send(app, { path: '/?bad' })
      expect(refused.status).toBe(500)
      expect(refused.json()).toMatchObject({
        code: library === 'TypeBox' ? 'CLO_ERR_FAILED_SERIALIZATION' : 'CLO_ERR_RESPONSE_INVALID',
      })
    })
  })
}
