import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { FinishWatch } from '../../../src/transport/raw/finish-watch.ts'

const createResponse = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()))
const codeOf = (error: Error | null | undefined): unknown =>
  error instanceof Error && 'code' in error ? error.code : error

describe('the end of a response', () => {
  it('is called once for all who asked, without an error when the response is complete', () => {
    const response = createResponse()
    const watch = new FinishWatch(response, false)
    const told: unknown[] = []
    watch.add((error) => told.push(['first', error]))
    watch.add((error) => told.push(['second', error]))
    watch.add((error) => told.push(['third', error]))
    response.emit('finish')
    response.emit('close')
    expect(told).toEqual([
      ['first', null],
      ['second', null],
      ['third', null],
    ])
  })

  it('is a premature close when the connection ends before the response is complete', () => {
    const response = createResponse()
    const told: unknown[] = []
    new FinishWatch(response, false).add((error) => told.push(codeOf(error)))
    response.emit('close')
    expect(told).toEqual(['ERR_STREAM_PREMATURE_CLOSE'])
  })

  it('is not called for a response that is open', async () => {
    const told: unknown[] = []
    new FinishWatch(createResponse(), false).add((error) => told.push(error))
    await new Promise(setImmediate)
    expect(told).toEqual([])
  })

  it('is called in a later turn for who asks after it', async () => {
    const response = createResponse()
    const watch = new FinishWatch(response, false)
    response.emit('finish')
    let told: Error | null | undefined
    watch.add((error) => (told = error))
    expect(told).toBeUndefined()
    await new Promise(setImmediate)
    expect(told).toBeNull()
  })

  it('is called for a response that was closed before anyone asked', async () => {
    const response = createResponse()
    const socket = new Socket()
    response.assignSocket(socket)
    socket.destroy()
    await new Promise(setImmediate)
    expect(response.closed).toBe(true)
    let told: Error | null | undefined
    new FinishWatch(response, false).add((error) => (told = error))
    await new Promise(setImmediate)
    expect(codeOf(told)).toBe('ERR_STREAM_PREMATURE_CLOSE')
  })

  it('takes errors of the response, those after the end too', () => {
    const response = createResponse()
    const watch = new FinishWatch(response, false)
    const told: unknown[] = []
    watch.add((error) => told.push(error))
    const failure = new Error('the socket failed')
    const late = new Error('write after end')
    response.emit('error', failure)
    const failures: unknown[] = []
    watch.onError((error) => failures.push(error))
    expect(() => response.emit('error', late)).not.toThrow()
    expect([told, failures]).toEqual([[failure], [late]])
  })

  it('comes with `close` alone where the listener of a server on `finish` says that it will', () => {
    const response = createResponse()
    response.on('finish', () => undefined)
    const told: unknown[] = []
    new FinishWatch(response, true).add((error) => told.push(codeOf(error)))
    expect(response.listenerCount('finish')).toBe(1)
    response.emit('finish')
    expect(told).toEqual([])
    Object.defineProperty(response, 'writableFinished', { value: true })
    response.emit('close')
    expect(told).toEqual([null])
  })

  it('comes with `finish` for a response that is made by hand on a connection of a server', () => {
    const told: unknown[] = []
    const response = createResponse()
    new FinishWatch(response, true).add((error) => told.push(error))
    response.emit('finish')
    expect(told).toEqual([null])
  })
})
