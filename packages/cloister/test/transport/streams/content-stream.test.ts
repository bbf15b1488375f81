import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { toContentStream } from '../../../src/transport/streams/content-stream.ts'

async function contentOf(stream: Readable): Promise<unknown[]> {
  const pieces: unknown[] = []
  for await (const piece of stream) pieces.push(piece)
  return pieces
}

describe('the content of a stream', () => {
  it('is read from a stream of bytes as it is', () => {
    const source = Readable.from(['a'], { objectMode: false })
    expect(toContentStream(source)).toBe(source)
  })

  it('is read from a stream of objects that are text or bytes', async () => {
    const bytes = new Uint8Array([1, 2])
    expect(await contentOf(toContentStream(Readable.from(['a', bytes])))).toEqual(['a', bytes])
  })

  it('is read from a stream of the web', async () => {
    const source = new Blob(['a']).stream()
    expect(await contentOf(toContentStream(source))).toEqual([Buffer.from('a')])
  })

  it.each([
    [7, 'number'],
    [{}, 'object'],
  ])('ends with an error at %o, which no response can write', async (value, type) => {
    const content = contentOf(toContentStream(Readable.from(['a', value])))
    await expect(content).rejects.toMatchObject({
      code: 'CLO_ERR_REP_INVALID_PAYLOAD_TYPE',
      message: expect.stringContaining(type),
    })
  })
})
