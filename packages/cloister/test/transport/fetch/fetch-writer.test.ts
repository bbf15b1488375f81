import { describe, expect, it } from 'vitest'
import { prematureClose } from '@cloister/wire/message/internal'
import { FetchExchange } from '../../../src/transport/fetch/fetch-exchange.ts'
import { FetchWriter } from '../../../src/transport/fetch/fetch-response.ts'
import { turns } from '../../fake-writer.ts'

const HEAD = { status: 201, headers: { 'x-own': '1' } }
const bytes = (text: string): Uint8Array => Buffer.from(text)

function open(by: 'chunked' | 'none' = 'chunked'): { response: FetchExchange; writer: FetchWriter } {
  const response = new FetchExchange(new Request('http://a'), {})
  return { response, writer: new FetchWriter(response, HEAD, { by, length: null, contradiction: null }) }
}

describe('a content that becomes the body of a Response', () => {
  it('begins the Response with its first piece', async () => {
    const { response, writer } = open()
    expect(response.response).toBeNull()
    writer.write(bytes('a'))
    const begun = response.response
    expect([begun?.status, begun?.headers.get('x-own')]).toEqual([201, '1'])
    writer.write(bytes('b'))
    writer.end()
    expect(await begun?.text()).toBe('ab')
    expect([response.outcome, response.response === begun]).toEqual([null, true])
  })

  it('may be empty', async () => {
    const { response, writer } = open()
    writer.end()
    expect([response.response?.status, await response.response?.text(), response.outcome]).toEqual([
      201,
      '',
      null,
    ])
  })

  it('is left out where there is none', () => {
    const { response, writer } = open('none')
    writer.write(bytes('a'))
    writer.end()
    expect([response.response?.body, response.outcome]).toEqual([null, null])
  })

  it('is taken as fast as it is read', async () => {
    const { response, writer } = open()
    let isDrained = false
    expect(writer.write(bytes('a'))).toBe(false)
    writer.whenDrained(() => (isDrained = true))
    await turns()
    expect(isDrained).toBe(false)
    const reader = response.response?.body?.getReader()
    await reader?.read()
    await turns()
    expect(isDrained).toBe(false)
    const next = reader?.read()
    await turns()
    expect(isDrained).toBe(true)
    writer.write(bytes('b'))
    expect(Buffer.from((await next)?.value ?? []).toString()).toBe('b')
  })

  it('ends when its reader wants no more', async () => {
    const { response, writer } = open()
    writer.write(bytes('a'))
    await response.response?.body?.cancel()
    expect(response.outcome).toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' })
    expect(writer.write(bytes('b'))).toBe(true)
  })

  it('fails for its reader when the exchange ends before it', async () => {
    const { response, writer } = open()
    writer.write(bytes('a'))
    const text = response.response?.text()
    const left = new Error('left')
    response.end(left)
    await expect(text).rejects.toBe(left)
  })

  it('begins no Response when the exchange has ended before', async () => {
    const { response, writer } = open()
    response.end(prematureClose())
    writer.write(bytes('a'))
    writer.end()
    expect(response.response).toBeNull()
  })

  it('is not written when another content has taken its place', async () => {
    const { response, writer } = open()
    const framing = { by: 'chunked', length: null, contradiction: null } as const
    const other = new FetchWriter(response, { status: 503, headers: {} }, framing)
    writer.write(bytes('a'))
    other.end()
    expect([response.response?.status, await response.response?.text()]).toEqual([503, ''])
  })
})
