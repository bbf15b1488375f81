import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { FETCH, HTTP1 } from '../../src/exchange/exchange.ts'
import type { Exchange, Protocol } from '../../src/exchange/exchange.ts'
import { OpenBody } from '../../src/exchange/open-body.ts'

/** A body that goes on, and what its listener gets; the listener refuses its first bytes. */
function refuse(protocol: Protocol): { stream: Readable; broken: unknown[] } {
  const stream = new Readable({ read: () => {} })
  const turn = { isGone: false }
  const exchange: Exchange = Object({ bodyStream: stream, protocol, turn, onFinished: () => {} })
  const broken: unknown[] = []
  const body = new OpenBody(exchange, null, {
    data: () => {
      body.pause()
      throw new Error('refused')
    },
    end: () => broken.push('end'),
    broken: (error) => broken.push(error),
    sent: () => broken.push('sent'),
  })
  body.start()
  stream.push(Buffer.alloc(20_000))
  return { stream, broken }
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
}

describe('a body that its listener refuses', () => {
  it('is read on and discarded on a connection, where other requests follow it', async () => {
    const { stream, broken } = refuse(HTTP1)
    await turns()
    expect([broken, stream.isPaused(), stream.listenerCount('data')]).toEqual([
      [new Error('refused')],
      false,
      0,
    ])
  })

  it('is released over fetch, where nothing follows', async () => {
    const { stream, broken } = refuse(FETCH)
    await turns()
    expect([broken, stream.destroyed]).toEqual([[new Error('refused')], true])
  })
})
