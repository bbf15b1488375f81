import { describe, expect, it } from 'vitest'
import { FetchResponse } from '../../../src/transport/fetch/fetch-response.ts'
import { FetchSink } from '../../../src/transport/fetch/fetch-sink.ts'

const HEAD = { status: 201, headers: { 'x-own': '1' } }

function open(): { response: FetchResponse; sink: FetchSink } {
  const response = new FetchResponse(new Request('http://a'))
  return { response, sink: new FetchSink(response, HEAD) }
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
}

describe('a stream that becomes the body of a Response', () => {
  it('begins the Response with its first chunk', async () => {
    const { response, sink } = open()
    expect(response.response).toBeNull()
    sink.write('a')
    const begun = response.response
    expect([begun?.status, begun?.headers.get('x-own')]).toEqual([201, '1'])
    sink.end('b')
    expect(await begun?.text()).toBe('ab')
    expect([response.outcome, response.response === begun]).toEqual([null, true])
  })

  it('may be empty', async () => {
    const { response, sink } = open()
    sink.end()
    await turns()
    expect([response.response?.status, await response.response?.text(), response.outcome]).toEqual([
      201,
      '',
      null,
    ])
  })

  it('is taken as fast as it is read', async () => {
    const { response, sink } = open()
    const written: string[] = []
    for (const piece of ['a', 'b', 'c']) sink.write(piece, () => written.push(piece))
    await turns()
    expect(written).toEqual([])
    const reader = response.response?.body?.getReader()
    const read: string[] = []
    for (let piece = 0; piece < 2; piece++) {
      const next = await reader?.read()
      read.push(Buffer.from(next?.value ?? []).toString())
      await turns()
    }
    expect([read, written]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
  })

  it('is taken at once by a reader that waits for it', async () => {
    const { response, sink } = open()
    sink.write('a')
    const reader = response.response?.body?.getReader()
    await reader?.read()
    await turns()
    for (const piece of ['b', 'c']) {
      const next = reader?.read()
      await turns()
      let isTaken = false
      sink.write(piece, () => (isTaken = true))
      await turns()
      expect(isTaken).toBe(true)
      expect(Buffer.from((await next)?.value ?? []).toString()).toBe(piece)
    }
  })

  it('ends when its reader wants no more', async () => {
    const { response, sink } = open()
    sink.write('a')
    await response.response?.body?.cancel()
    await turns()
    expect(response.outcome).toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' })
    expect(sink.destroyed).toBe(true)
  })

  it('fails for its reader when the exchange ends before it', async () => {
    const { response, sink } = open()
    sink.write('a')
    const text = response.response?.text()
    const left = new Error('left')
    response.end(left)
    await expect(text).rejects.toBe(left)
    expect(sink.destroyed).toBe(true)
  })

  it('is destroyed when the exchange ends before it has begun', async () => {
    const { response, sink } = open()
    response.end(new Error('left'))
    await turns()
    expect([sink.destroyed, response.response]).toEqual([true, null])
  })

  it('stays a stream that has ended when it is complete', async () => {
    const { response, sink } = open()
    let hasFailed = false
    sink.on('error', () => (hasFailed = true))
    sink.end('a')
    const text = await response.response?.text()
    await turns()
    expect([text, hasFailed, sink.writableFinished]).toEqual(['a', false, true])
  })
})
