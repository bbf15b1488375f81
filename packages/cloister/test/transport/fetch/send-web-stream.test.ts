import { describe, expect, it } from 'vitest'
import type { WebStream } from '../../../src/exchange/byte-stream.ts'
import { prematureClose } from '../../../src/exchange/outcome.ts'
import { FetchResponse } from '../../../src/transport/fetch/fetch-response.ts'
import { sendWebStream } from '../../../src/transport/fetch/send-web-stream.ts'

const HEAD = { status: 201, headers: {} }

/** A web stream that is sent, with what becomes of it. */
class Sent {
  readonly response = new FetchResponse(new Request('http://a'))
  readonly failures: unknown[] = []

  constructor(source: WebStream) {
    const failed = (error: Error, hadBegun: boolean): void => void this.failures.push([error, hadBegun])
    void sendWebStream({ response: this.response, head: HEAD, source, observer: { failed } })
  }

  get body(): ReadableStream<Uint8Array> | null | undefined {
    return this.response.response?.body
  }
}

/** A source that yields what it is given, and then ends, fails or waits; it notes what is asked of it. */
class Source {
  pulls = 0
  readonly cancels: unknown[] = []
  readonly stream: ReadableStream<unknown>

  constructor(values: readonly unknown[], then: 'end' | 'wait' | Error = 'end') {
    const left = [...values]
    this.stream = new ReadableStream<unknown>(
      {
        pull: (controller) => {
          this.pulls++
          if (left.length > 0) controller.enqueue(left.shift())
          else if (then === 'end') controller.close()
          else if (then instanceof Error) controller.error(then)
          else return new Promise(() => {})
          return undefined
        },
        cancel: (reason) => {
          this.cancels.push(reason)
          throw new Error('it cannot be cancelled')
        },
      },
      { highWaterMark: 0 },
    )
  }
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
}
const CLOSED = expect.objectContaining({ code: 'ERR_STREAM_PREMATURE_CLOSE' })

describe('a web stream that is sent', () => {
  it('arrives as a whole, whatever bytes or text it yields', async () => {
    const source = new Source(['a', Buffer.from('b'), new Uint8Array([0x63]), new Uint8Array([0x64]).buffer])
    const sent = new Sent(source.stream)
    await turns()
    expect(sent.response.response?.status).toBe(201)
    expect(await sent.response.response?.text()).toBe('abcd')
    await turns()
    expect([sent.response.outcome, sent.failures, source.cancels]).toEqual([null, [], []])
  })

  it('may be empty', async () => {
    const sent = new Sent(new Source([]).stream)
    await turns()
    expect([sent.response.response?.status, sent.body, sent.response.outcome]).toEqual([201, null, null])
    expect(sent.failures).toEqual([])
  })

  it('is read as its client asks for it', async () => {
    const source = new Source(['a', 'b', 'c'])
    const sent = new Sent(source.stream)
    await turns()
    expect(source.pulls).toBe(1)
    const reader = sent.body?.getReader()
    await reader?.read()
    await turns()
    expect(source.pulls).toBe(1)
    await reader?.read()
    await turns()
    expect([source.pulls, sent.response.outcome]).toEqual([2, undefined])
  })

  it('becomes an error response when it fails before its first chunk', async () => {
    const error = new Error('broken')
    const sent = new Sent(new Source([], error).stream)
    await turns()
    expect([sent.failures, sent.response.response, sent.response.outcome]).toEqual([
      [[error, false]],
      null,
      undefined,
    ])
  })

  it('becomes an error response when its first chunk is neither text nor bytes', async () => {
    const source = new Source([7])
    const sent = new Sent(source.stream)
    await turns()
    const message = expect.stringContaining('number')
    const error = expect.objectContaining({ code: 'CLO_ERR_REP_INVALID_PAYLOAD_TYPE', message })
    expect([sent.failures, source.cancels, sent.response.response]).toEqual([[[error, false]], [error], null])
  })

  it('fails for its client when it fails later', async () => {
    const error = new Error('broken')
    const sent = new Sent(new Source(['a'], error).stream)
    await turns()
    await expect(sent.response.response?.text()).rejects.toThrow()
    await turns()
    expect([sent.failures, sent.response.outcome]).toEqual([[[error, true]], CLOSED])
  })

  it('is cancelled when its client wants no more', async () => {
    const source = new Source(['a'], 'wait')
    const sent = new Sent(source.stream)
    await turns()
    await sent.body?.cancel()
    await turns()
    expect([sent.response.outcome, sent.failures, source.cancels]).toEqual([
      CLOSED,
      [[CLOSED, true]],
      [CLOSED],
    ])
  })

  it('is cancelled when its client leaves before the first chunk', async () => {
    const source = new Source([], 'wait')
    const sent = new Sent(source.stream)
    const outcome = prematureClose()
    sent.response.end(outcome)
    await turns()
    expect([sent.failures, source.cancels]).toEqual([[[outcome, true]], [outcome]])
    expect(sent.response.response).toBeNull()
  })

  it('begins no response when its first chunk comes after its client has left', async () => {
    let give = (_chunk: string): void => {}
    const stream = new ReadableStream<string>({
      start: (controller) => void (give = (c) => controller.enqueue(c)),
    })
    const locked = { locked: false, cancel: () => Promise.resolve(), getReader: () => slow }
    const reader = stream.getReader()
    const slow = { read: () => reader.read(), cancel: () => Promise.resolve() }
    const sent = new Sent(locked)
    sent.response.end(prematureClose())
    await turns()
    give('late')
    await turns()
    expect(sent.response.response).toBeNull()
  })

  it('is not cancelled when it was read to its end', async () => {
    const chunks = [Buffer.from('a')]
    let cancels = 0
    const cancel = (): Promise<void> => Promise.resolve(void cancels++)
    const read = async (): Promise<object> => ({ value: chunks[0], done: chunks.shift() === undefined })
    const sent = new Sent({ locked: false, cancel, getReader: () => ({ read, cancel }) })
    await turns()
    expect(await sent.response.response?.text()).toBe('a')
    await turns()
    expect([sent.response.outcome, cancels]).toEqual([null, 0])
  })

  it('is reported once when it fails after its client has left', async () => {
    let fail = (_error: Error): void => {}
    const read = (): Promise<never> => new Promise((_resolve, reject) => (fail = reject))
    const source = {
      locked: false,
      cancel: () => Promise.resolve(),
      getReader: () => ({ read, cancel: source.cancel }),
    }
    const sent = new Sent(source)
    const outcome = prematureClose()
    sent.response.end(outcome)
    await turns()
    fail(new Error('late'))
    await turns()
    expect(sent.failures).toEqual([[outcome, true]])
  })

  it('fails for its client when the exchange is aborted', async () => {
    const sent = new Sent(new Source(['a'], 'wait').stream)
    await turns()
    const text = sent.response.response?.text()
    const outcome = prematureClose()
    sent.response.end(outcome)
    await expect(text).rejects.toBe(outcome)
    expect(sent.failures).toEqual([[outcome, true]])
  })

  it('is cancelled without a failure when the exchange is over without it', async () => {
    const source = new Source([], 'wait')
    const sent = new Sent(source.stream)
    sent.response.end(null)
    await turns()
    expect([sent.failures, source.cancels]).toEqual([[], [null]])
  })
})
