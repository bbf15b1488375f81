import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { dropPayload } from '../../src/request/unsent-source.ts'
import { OpenRequest } from './open-reply.ts'

/** Drops a payload, and returns the messages of the errors that are logged. */
async function drop(payload: unknown): Promise<unknown[]> {
  const { reply, lines } = new OpenRequest()
  dropPayload(reply, payload)
  await turn()
  await turn()
  return lines.map(({ err }) => Reflect.get(Object(err), 'message'))
}

const failure = new Error('broken')

describe('a payload that is not sent', () => {
  it('is closed, and its failure is logged', async () => {
    const failing = new Readable({ read() {}, destroy: (_error, done) => done(failure) })
    expect(await drop(failing)).toEqual(['broken'])
    expect(failing.destroyed).toBe(true)
    let reason: unknown = 'open'
    const web = new ReadableStream({
      cancel() {
        reason = 'cancelled'
        throw failure
      },
    })
    expect(await drop(web)).toEqual(['broken'])
    expect(reason).toBe('cancelled')
  })

  it('may have failed before', async () => {
    const failed = new Readable({ read() {} }).on('error', () => {})
    failed.destroy(failure)
    failed.removeAllListeners('error')
    expect(await drop(failed)).toEqual(['broken'])
    const web = new ReadableStream({ start: (controller) => controller.error(failure) })
    expect(await drop(new Response(web))).toEqual(['broken'])
  })

  it('is no mistake if it says that it was closed', async () => {
    for (const error of [
      Object.assign(new Error('aborted'), { name: 'AbortError' }),
      Object.assign(new Error('closed'), { code: 'ERR_STREAM_PREMATURE_CLOSE' }),
    ])
      expect(await drop(new Readable({ read() {}, destroy: (_error, done) => done(error) }))).toEqual([])
  })

  it('is the matter of whoever reads it, or listens to its errors', async () => {
    const web = new ReadableStream({ start: (controller) => controller.error(failure) })
    web.getReader().closed.catch(() => {})
    expect(await drop(web)).toEqual([])
    const heard = new Readable({ read() {}, destroy: (_error, done) => done(failure) }).on('error', () => {})
    expect(await drop(heard)).toEqual([])
  })

  it('may be anything', async () => {
    for (const value of ['text', 5, null, undefined, {}]) expect(await drop(value)).toEqual([])
  })

  it('keeps its methods to itself if it is no stream, such as a row of a database that has destroy', async () => {
    const called: string[] = []
    const names = ['return', 'cancel', 'destroy', 'close', 'abort']
    expect(await drop(Object.fromEntries(names.map((name) => [name, () => void called.push(name)])))).toEqual(
      [],
    )
    expect(called).toEqual([])
  })

  it('may fail to be closed, with a promise that rejects', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    const fail = (): never => {
      throw Promise.reject(failure)
    }
    await drop({ pipe: () => {}, on: fail })
    await drop(Object.defineProperty({ pipe: () => {}, on: () => {} }, 'destroy', { get: fail }))
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })
})
