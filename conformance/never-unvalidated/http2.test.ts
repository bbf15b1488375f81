// The table of content types over HTTP/2: another reader of the same bytes, the same rule.
import { connect } from 'node:http2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../harness/app-shape.ts'
import { sendHttp2 } from '../harness/send.ts'
import { factory, isPeer } from '../harness/subject.ts'
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

/** Sends frames behind the head, which may be empty, without a `Content-Length`. */
async function sendFrames(
  subject: App,
  method: string,
  headers: object,
  body: string,
): Promise<readonly [status: unknown, text: string]> {
  const client = connect(await subject.listen({ port: 0 }))
  const stream = client.request({ ':method': method, ':path': '/', ...headers }, { endStream: false })
  let status: unknown
  stream.on('response', (head) => {
    status = head[':status']
  })
  stream.end(body)
  let text = ''
  for await (const chunk of stream.setEncoding('utf8')) text += chunk
  client.close()
  return [status, text]
}

describe.skipIf(isPeer)('frames of HTTP/2 behind a head without a length', () => {
  const JSON_TYPE = { 'content-type': 'application/json' }
  const run = async (
    method: string,
    headers: object,
    body: string,
    schema: object | undefined,
  ): Promise<readonly [unknown, string, unknown[]]> => {
    const subject = factory({ http2: true })
    const bodies: unknown[] = []
    subject.route({
      method: ['POST', 'DELETE', 'OPTIONS'],
      path: '/',
      ...(schema === undefined ? {} : { schema: { body: schema } }),
      handler: (request) => {
        bodies.push(request.body ?? null)
        return 'ran'
      },
    })
    const [status, text] = await sendFrames(subject, method, headers, body)
    await subject.close()
    return [status, text, bodies]
  }

  it.each(['POST', 'DELETE', 'OPTIONS'])(
    'are a body of %s, which its schema decides about',
    async (method) => {
      expect(await run(method, JSON_TYPE, '{"n":7}', BODY_SCHEMA)).toEqual([200, 'ran', [{ n: 7 }]])
      expect(await run(method, JSON_TYPE, '{"n":"x"}', BODY_SCHEMA)).toEqual([
        400,
        expect.stringContaining('body/n'),
        [],
      ])
      expect(await run(method, {}, '{"n":7}', BODY_SCHEMA)).toEqual([415, expect.any(String), []])
    },
  )

  it('need a content type also without a schema', async () => {
    expect(await run('POST', {}, 'text', undefined)).toEqual([415, expect.any(String), []])
    expect(await run('POST', {}, '', undefined)).toEqual([200, 'ran', [null]])
  })

  it('are a body without JSON if they are empty, unless the method needs no body', async () => {
    const refused = [400, expect.stringContaining('empty'), []]
    expect(await run('POST', JSON_TYPE, '', undefined)).toEqual(refused)
    // This one announces its body.
    expect(await run('DELETE', { ...JSON_TYPE, 'content-length': '0' }, '', undefined)).toEqual(refused)
  })

  it('go without a type to a catch-all parser, in the form that it takes', async () => {
    const seen: unknown[] = []
    for (const body of ['text', '']) {
      const subject = factory({ http2: true })
      subject.addContentTypeParser('*', { parseAs: 'string' }, async (_request, text) => [typeof text, text])
      subject.post('/', (request) => {
        seen.push(request.body ?? null)
        return 'ran'
      })
      expect(await sendFrames(subject, 'POST', {}, body)).toEqual([200, 'ran'])
      await subject.close()
    }
    expect(seen).toEqual([['string', 'text'], null])
  })

  it.each(['DELETE', 'OPTIONS'])('are no body of %s if they are empty', async (method) => {
    for (const headers of [{}, JSON_TYPE])
      expect(await run(method, headers, '', BODY_SCHEMA)).toEqual([200, 'ran', [null]])
  })
})
