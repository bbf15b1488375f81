import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import type { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { AnyServer } from '../../../src/transport/node/create-server.ts'
import { continueWhenRead } from '../../../src/transport/node/create-server.ts'

/** A response that counts its `100 Continue`. */
class Response {
  shouldKeepAlive: boolean
  headersSent = false
  continues = 0

  constructor(shouldKeepAlive: boolean) {
    this.shouldKeepAlive = shouldKeepAlive
  }

  writeContinue(): void {
    this.continues++
  }
}

class Request extends PassThrough {
  readonly sizes: number[] = []

  override _read(size: number): void {
    this.sizes.push(size)
    super._read(size)
  }
}

/** A request comes that waits for `100 Continue`; gives its response, and what the app was handed. */
function expectContinue(shouldKeepAlive = true): { request: Request; response: Response; handed: unknown[] } {
  const handed: unknown[] = []
  const server: AnyServer = Object(new EventEmitter())
  continueWhenRead(server, (...both) => handed.push(...both))
  const request = new Request()
  const response = new Response(shouldKeepAlive)
  server.emit('checkContinue', Object(request), Object(response))
  return { request, response, handed }
}

const readAll = async (stream: Readable): Promise<string> => {
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  return text
}

describe('a client that waits for 100 Continue', () => {
  it('gets none while its body is not read, and the connection ends with the response', () => {
    const { request, response, handed } = expectContinue()
    expect(handed).toEqual([request, response])
    expect([response.continues, response.shouldKeepAlive]).toEqual([0, false])
  })

  it.each([true, false])('gets one when its body is read (keep-alive: %j)', async (shouldKeepAlive) => {
    const { request, response } = expectContinue(shouldKeepAlive)
    const text = readAll(request)
    request.write('one')
    await new Promise(setImmediate)
    expect([response.continues, response.shouldKeepAlive]).toEqual([1, shouldKeepAlive])
    request.end('two')
    expect([await text, response.continues]).toEqual(['onetwo', 1])
    expect(request.sizes.length).toBeGreaterThan(1)
  })

  it('gets none behind the head of a response, and the connection ends', async () => {
    const { request, response } = expectContinue()
    response.headersSent = true
    const text = readAll(request)
    await new Promise(setImmediate)
    request.end('late')
    expect(await text).toBe('late')
    expect([response.continues, response.shouldKeepAlive]).toEqual([0, false])
  })

  it('is left to a listener of the application', () => {
    const handed: unknown[] = []
    const server: AnyServer = Object(new EventEmitter())
    continueWhenRead(server, (request) => handed.push(request))
    server.on('checkContinue', () => {})
    const response = new Response(true)
    server.emit('checkContinue', Object(new Request()), Object(response))
    expect([handed, response.shouldKeepAlive]).toEqual([[], true])
  })
})
