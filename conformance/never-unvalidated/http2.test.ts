// The table of content types over HTTP/2: another reader of the same bytes, the same rule.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../harness/app-shape.ts'
import { sendHttp2 } from '../harness/send.ts'
import { factory } from '../harness/subject.ts'
import { BAD, BODY_SCHEMA, GOOD, MEDIA_TYPES } from './requests.ts'

/** HTTP/2 has one field per name here, and no blanks around values. */
const TYPES = MEDIA_TYPES.filter(({ lines }) => lines.length < 2).map(({ name, lines, json }) => ({
  name,
  value: lines[0]?.replace('Content-Type:', '').trim(),
  json,
}))

let app: App
const seen: unknown[] = []

beforeAll(() => {
  app = factory({ http2: true })
  app.route({
    method: ['POST', 'PUT'],
    path: '/',
    schema: { body: BODY_SCHEMA },
    handler: (request) => {
      seen.push(request.body)
      return 'ran'
    },
  })
})
afterAll(() => app.close())

for (const { name, value, json } of TYPES) {
  it(`runs no handler unvalidated over HTTP/2: ${name}`, async () => {
    const headers: Record<string, string> = value === undefined ? {} : { 'content-type': value }
    for (const method of ['POST', 'PUT']) {
      for (const body of [GOOD, BAD]) {
        seen.length = 0
        const response = await sendHttp2(app, { method, path: '/', headers, body })
        const ran = response.status === 200
        expect(seen).toEqual(ran ? [{ n: 7 }] : [])
        if (!ran) expect([400, 415]).toContain(response.status)
        if (json && body === GOOD) expect([name, ran]).toEqual([name, true])
      }
    }
  })
}
