import { describe, expect, it } from 'vitest'
import edge from '../src/edge.ts'
import { handler } from '../src/lambda.ts'
import type { HttpEvent } from '../src/lambda.ts'

const json = { 'content-type': 'application/json' }

describe('the handler of edge functions', () => {
  it('accepts what fits the schemas, and refuses what does not', async () => {
    const found = await edge.fetch(new Request('https://example.com/users/1'))
    expect([found.status, await found.json()]).toEqual([200, { id: 1, name: 'ada' }])
    const body = JSON.stringify({ id: 2 })
    const refused = await edge.fetch(
      new Request('https://example.com/users', { method: 'POST', headers: json, body }),
    )
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { message: "body must have required property 'name'" },
    ])
  })
})

describe('the handler of Lambda', () => {
  const event = (method: string, rawPath: string, body?: object): HttpEvent => ({
    rawPath,
    rawQueryString: '',
    headers: { host: 'example.com', ...json },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    isBase64Encoded: false,
    requestContext: { http: { method, sourceIp: '192.0.2.1' } },
  })
  const textOf = ({ body }: { readonly body: string }): string => Buffer.from(body, 'base64').toString()

  it('accepts what fits the schemas, and refuses what does not', async () => {
    const created = await handler(event('POST', '/users', { id: '2', name: 'grace', secret: 'x' }))
    expect([created.statusCode, textOf(created)]).toEqual([201, '{"id":2,"name":"grace"}'])
    expect((await handler(event('GET', '/users/0'))).statusCode).toBe(400)
    expect((await handler(event('GET', '/users/9'))).statusCode).toBe(404)
  })

  it('knows the address of the client', async () => {
    expect(textOf(await handler(event('GET', '/ip')))).toBe('{"ip":"192.0.2.1"}')
  })
})
