// Streams of events end with the app: whole events, a last `retry`, and no wait for the end of the grace.
import { PassThrough, Readable } from 'node:stream'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { createGate } from '../harness/time.ts'
import { describeTransports } from '../harness/transports.ts'

const EVENTS = 'text/event-stream; charset=utf-8'
const LAST = 'retry: 1000\n\n'

describeTransports(
  'replies: streams of events when the app closes',
  ({ createApp, send, expect, ours }) => {
    const test = ours('the peers end such streams with the grace, if at all')
    // A test fails by its own time where a stream waits for the end of this grace.
    const options = { closeGraceMs: 60_000, forceCloseConnections: false }

    /** Sends a request for a stream, closes the app as soon as it has begun, and returns what has arrived. */
    async function closeWithin(
      begin: (signal: AbortSignal, later: Promise<void>) => unknown,
      { type = EVENTS, headers = {} }: { type?: string; headers?: Record<string, string> } = {},
    ): Promise<{ readonly body: string; readonly wasAborted: boolean }> {
      const app = createApp(options)
      const later = createGate()
      const begun = new Promise<AbortSignal>((resolve) => {
        app.get('/', ({ signal }, reply) => {
          if (!(signal instanceof AbortSignal)) throw new TypeError('no signal')
          resolve(signal)
          return reply.type(type).headers(headers).send(begin(signal, later.promise))
        })
      })
      const sent = send(app, { path: '/' })
      const signal = await begun
      for (let turns = 0; turns < 20; turns++) await turn()
      const closed = app.close()
      // What ends with the app has ended by then.
      await sleep(25)
      later.open()
      const { text: body } = await sent
      await closed
      return { body, wasAborted: signal.aborted }
    }

    test('ends one that waits for its next event', async () => {
      const source = new PassThrough()
      const { body, wasAborted } = await closeWithin(() => {
        source.write('data: 1\n\n')
        return source
      })
      expect([body, wasAborted, source.destroyed]).toEqual([`data: 1\n\n${LAST}`, true, true])
    })

    test('ends one of the web, and cancels it', async () => {
      let isCancelled = false
      const { body } = await closeWithin(
        () =>
          new ReadableStream({
            start: (controller) => controller.enqueue(Buffer.from('data: 1\r\n\r\n')),
            cancel: () => void (isCancelled = true),
          }),
      )
      expect([body, isCancelled]).toEqual([`data: 1\r\n\r\n${LAST}`, true])
    })

    test('sends what the source writes when its signal is aborted', async () => {
      const { body } = await closeWithin((signal) => {
        const source = new PassThrough()
        source.write('data: 1\n\n')
        signal.addEventListener('abort', () => source.end('event: bye\ndata: 2\n\n'))
        return source
      })
      expect(body).toBe(`data: 1\n\nevent: bye\ndata: 2\n\n${LAST}`)
    })

    test('ends one whose source fails because its signal is aborted', async () => {
      async function* events(signal: AbortSignal): AsyncGenerator<string> {
        yield 'data: 1\n\n'
        await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')))
        })
      }
      const { body } = await closeWithin((signal) => Readable.from(events(signal)))
      expect(body).toBe(`data: 1\n\n${LAST}`)
    })

    test('ends one behind the event that is under way, and never within it', async () => {
      const source = new PassThrough()
      const { body } = await closeWithin((signal) => {
        source.write('data: 1\n')
        signal.addEventListener('abort', () => {
          const write = (text: string): void => void (source.writable && source.write(text))
          setTimeout(() => write('data: 2\n'), 20)
          setTimeout(() => write('\n'), 40)
          setTimeout(() => write('data: 3\n\n'), 60)
        })
        return source
      })
      expect(body).toBe(`data: 1\ndata: 2\n\n${LAST}`)
    })

    test('ends one that has sent nothing', async () => {
      const { body } = await closeWithin(() => new PassThrough())
      expect(body).toBe(LAST)
    })

    test('lets other streams finish, whatever they are', async () => {
      const { body, wasAborted } = await closeWithin(
        (_signal, later) => {
          const source = new PassThrough()
          source.write('data: 1\n\n')
          void later.then(() => source.end('rest'))
          return source
        },
        { type: 'text/plain' },
      )
      expect([body, wasAborted]).toEqual(['data: 1\n\nrest', false])
    })

    test('adds nothing to a content with a coding or a length of its own', async () => {
      for (const headers of [{ 'content-length': '13' }, { 'content-encoding': 'x-own' }]) {
        const { body } = await closeWithin(
          (_signal, later) => {
            const source = new PassThrough()
            source.write('data: 1\n\n')
            void later.then(() => source.end('rest'))
            return source
          },
          { headers },
        )
        expect(body).toBe('data: 1\n\nrest')
      }
    })
  },
  ['in-process', 'socket', 'http2', 'memory', 'fetch'],
)
