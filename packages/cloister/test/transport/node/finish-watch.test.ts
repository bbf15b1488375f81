import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { FinishWatch } from '../../../src/transport/node/finish-watch.ts'

const createResponse = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()))
const codeOf = (error: Error | null | undefined): unknown =>
  error instanceof Error && 'code' in error ? error.code : error

describe('the end of a response', () => {
  it('is told once to all who asked, without an error when the answer is complete', () => {
    const response = createResponse()
    const watch = new FinishWatch(response, false)
    const told: unknown[] = []
    watch.add((error) => told.push(['first', error]))
    watch.add((error) => told.push(['second', error]))
    response.emit('finish')
    response.emit('close')
    expect(told).toEqual([
      ['first', null],
      ['second', null],
    ])
  })

  it('is a premature close when the connection goes before the answer is complete', () => {
    const response = createResponse()
    const told: unknown[] = []
    new FinishWatch(response, false).add((error) => told.push(codeOf(error)))
    response.emit('close')
    expect(told).toEqual(['ERR_STREAM_PREMATURE_CLOSE'])
  })

  it('is told to who asks after it, in a later turn', async () => {
    const response = createResponse()
    const watch = new FinishWatch(response, false)
    response.emit('finish')
    let told: Error | null | undefined
    watch.add((error) => (told = error))
    expect(told).toBeUndefined()
    await new Promise(setImmediate)
    expect(told).toBeNull()
  })

  it('is told of a response that was closed before anyone asked', async () => {
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
    response.emit('error', failure)
    expect(() => response.emit('error', new Error('write after end'))).not.toThrow()
    expect(told).toEqual([failure])
  })

  it('comes with `close` alone where the listener of a server on `finish` says that it will', () => {
    const response = createResponse()
    response.on('finish', () => undefined)
    const told: unknown[] = []
    new FinishWatch(response, true).add((error) => told.push(codeOf(error)))
    expect(response.listenerCount('finish')).toBe(1)
    response.emit('finish')
    expect(told).toEqual([])
    response.emit('close')
    expect(told).toHaveLength(1)
  })

  it('comes with `finish` for a response that is made by hand on a connection of a server', () => {
    const told: unknown[] = []
    const response = createResponse()
    new FinishWatch(response, true).add((error) => told.push(error))
    response.emit('finish')
    expect(told).toEqual([null])
  })
})
