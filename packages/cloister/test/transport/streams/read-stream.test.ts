import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { Deferred } from '../../../src/transport/streams/body-reader.ts'
import { readStream } from '../../../src/transport/streams/body-reader.ts'

interface Setup {
  readonly bodyLength?: number | null
  readonly limit?: number
  readonly as?: 'text' | 'bytes'
}

/** Reads a body `own`, or what a hook has put in its place; gives what has come of it by its end, and in the end. */
async function read(
  which: 'own' | 'given back' | 'replaced',
  { bodyLength = null, limit = 9, as = 'text' }: Setup = {},
): Promise<{ atOnce: unknown[]; inTheEnd: unknown[] }> {
  const bodyStream = new PassThrough()
  const replacement = { own: null, 'given back': bodyStream, replaced: new PassThrough() }[which]
  const calls: unknown[] = []
  const receiver = {
    receive: (content: unknown) => void calls.push(content),
    refuse: (error: unknown) => error,
    consumed: () => new Error('consumed'),
  }
  const reading: Deferred = Object(readStream({ bodyStream, bodyLength }, replacement, limit, as, receiver))
  reading.then(
    () => calls.push('goes on'),
    (error) => calls.push(Object(error).code),
  )
  const stream = replacement ?? bodyStream
  stream.emit('data', Buffer.from('abc'))
  stream.emit('end')
  const atOnce = [...calls]
  await new Promise(setImmediate)
  return { atOnce, inTheEnd: calls }
}

describe('a body that is read as a stream', () => {
  it.each(['own', 'given back'] as const)(
    'is received, and its request goes on later (%s)',
    async (which) => {
      expect(await read(which)).toEqual({ atOnce: ['abc'], inTheEnd: ['abc', 'goes on'] })
    },
  )

  it('is received from the stream of a hook, and its request goes on at once', async () => {
    const both = ['abc', 'goes on']
    expect(await read('replaced')).toEqual({ atOnce: both, inTheEnd: both })
  })

  it.each(['own', 'replaced'] as const)('is received as bytes (%s)', async (which) => {
    const { inTheEnd } = await read(which, { as: 'bytes' })
    expect(inTheEnd).toEqual([Buffer.from('abc'), 'goes on'])
  })

  it('is held to its limit, and to its declared length', async () => {
    expect((await read('own', { limit: 2 })).inTheEnd).toEqual(['CLO_ERR_CTP_BODY_TOO_LARGE'])
    expect((await read('own', { bodyLength: 4 })).inTheEnd).toEqual(['CLO_ERR_CTP_INVALID_CONTENT_LENGTH'])
    expect((await read('own', { bodyLength: 3 })).inTheEnd).toEqual(['abc', 'goes on'])
  })
})
