import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Connection } from '../../../src/transport/node/connection.ts'
import { collectGarbage } from '../collect-garbage.ts'
import { FakeResponse, FakeSocket } from './fakes.ts'

class Client {
  readonly socket = new FakeSocket()
  readonly connection = new Connection(this.socket.asSocket, false)
  /** what has happened, in order */
  readonly log: string[] = []

  /** A request comes: it begins, or waits. */
  send(name: string, isComplete = true): FakeResponse {
    const response = new FakeResponse()
    response.req.complete = isComplete
    const start = (): void => void this.log.push(name)
    if (this.connection.begin(response.asResponse)) start()
    else this.connection.wait(response.asResponse, start)
    return response
  }

  /** Bytes come that are no request. */
  sendGarbage(name = 'refused'): Error {
    const error = new Error(name)
    this.connection.refuse(error, () => void this.log.push(name))
    return error
  }
}

describe('requests on one connection', () => {
  it('are handled one after the other', () => {
    const client = new Client()
    const first = client.send('first')
    const second = client.send('second')
    client.send('third')
    expect(client.log).toEqual(['first'])
    first.finish()
    expect(client.log).toEqual(['first', 'second'])
    second.finish()
    expect(client.log).toEqual(['first', 'second', 'third'])
  })

  it('begin at once when the response before has been read', () => {
    const client = new Client()
    client.send('first').finish()
    client.send('second')
    expect(client.log).toEqual(['first', 'second'])
  })

  it('begin while the response before is still being read, up to 64 KiB of it', () => {
    const client = new Client()
    const first = client.send('first')
    client.socket.writableLength = 65_535
    first.end()
    client.send('second')
    expect(client.log).toEqual(['first', 'second'])
  })

  it('wait for a client that does not read the response before', () => {
    const client = new Client()
    const first = client.send('first')
    client.socket.writableLength = 65_536
    first.end()
    client.send('second')
    expect(client.log).toEqual(['first'])
    first.finish()
    expect(client.log).toEqual(['first', 'second'])
  })

  it('keep their order when one comes as the response before ends', () => {
    const client = new Client()
    const first = client.send('first')
    client.send('second')
    first.writableFinished = true
    client.send('third')
    expect(client.log).toEqual(['first'])
    first.finish()
    expect(client.log).toEqual(['first', 'second'])
  })

  it('go on when the connection was looked at just before', () => {
    const client = new Client()
    const first = client.send('first')
    client.send('second')
    first.end()
    first.writableFinished = true
    client.connection.release()
    first.emit('close')
    expect(client.log).toEqual(['first', 'second'])
  })

  it('are not handled behind a response that closes the connection', () => {
    const client = new Client()
    const first = client.send('first')
    first.shouldKeepAlive = false
    client.send('second')
    client.send('third')
    first.finish()
    client.send('fourth')
    expect([client.log, client.connection.isBusy]).toEqual([['first'], false])
  })

  it('are not handled when the client has gone', () => {
    const client = new Client()
    const first = client.send('first')
    client.send('second')
    client.socket.destroyed = true
    first.finish()
    expect(client.log).toEqual(['first'])
  })

  it('are checked once for each response, however many wait', () => {
    const client = new Client()
    const first = client.send('first')
    for (let count = 0; count < 20; count++) client.send('more')
    expect(first.listenerCount('close')).toBe(1)
  })

  it('are read no further from 16 waiting ones on, until they have been handled', () => {
    const client = new Client()
    const responses = [client.send('first')]
    for (let count = 0; count < 15; count++) responses.push(client.send('more'))
    expect(client.socket.calls).toEqual([])
    responses.push(client.send('the last'), client.send('on its way'))
    expect(client.socket.calls).toEqual(['pause'])
    for (const response of responses.slice(0, -2)) response.finish()
    expect(client.socket.calls).toEqual(['pause'])
    for (const response of responses.slice(-2)) response.finish()
    expect(client.socket.calls).toEqual(['pause', 'resume'])
    expect(client.log).toHaveLength(18)
  })

  it('do not resume a socket that was paused by something else', () => {
    const client = new Client()
    client.send('first').finish()
    const second = client.send('second')
    client.send('third')
    second.finish()
    expect(client.socket.calls).toEqual([])
  })

  it('resume a socket once for each time it was paused', () => {
    const client = new Client()
    const responses = Array.from({ length: 17 }, () => client.send('one'))
    for (const response of responses) response.finish()
    const last = client.send('next')
    client.send('one more')
    last.finish()
    expect(client.socket.calls).toEqual(['pause', 'resume'])
  })
})

describe('bytes that are no request', () => {
  it('are refused at once when no response is due', () => {
    const client = new Client()
    client.sendGarbage()
    expect(client.log).toEqual(['refused'])
  })

  it('are refused after the responses that are due', () => {
    const client = new Client()
    const first = client.send('first')
    const second = client.send('second')
    client.sendGarbage()
    first.finish()
    expect(client.log).toEqual(['first', 'second'])
    second.end()
    expect(client.log).toEqual(['first', 'second'])
    second.finish()
    expect(client.log).toEqual(['first', 'second', 'refused'])
  })

  it('are refused after a response that the client has yet to read', () => {
    const client = new Client()
    const first = client.send('first')
    first.end()
    client.sendGarbage()
    expect(client.log).toEqual(['first'])
    first.finish()
    expect(client.log).toEqual(['first', 'refused'])
  })

  it('are refused once', () => {
    const client = new Client()
    const first = client.send('first')
    client.sendGarbage('refused')
    client.sendGarbage('again')
    first.finish()
    first.emit('close')
    expect(client.log).toEqual(['first', 'refused'])
  })

  it('end the connection without a response behind one that closes it', () => {
    const client = new Client()
    const first = client.send('first')
    first.shouldKeepAlive = false
    client.sendGarbage()
    first.finish()
    expect([client.log, client.socket.calls]).toEqual([['first'], ['end']])
  })

  it('get no response on a socket that cannot be written', () => {
    const client = new Client()
    client.socket.writable = false
    client.sendGarbage()
    expect(client.log).toEqual([])
  })

  it('let no request begin behind them', () => {
    const client = new Client()
    client.sendGarbage()
    client.send('next')
    expect(client.log).toEqual(['refused'])
    const busy = new Client()
    const first = busy.send('first')
    busy.sendGarbage()
    busy.send('second')
    first.finish()
    expect(busy.log).toEqual(['first', 'refused'])
  })

  it('take a waiting request with them whose body they break off', () => {
    const client = new Client()
    const first = client.send('first')
    const second = client.send('second')
    const third = client.send('third')
    client.send('fourth', false)
    client.sendGarbage()
    for (const response of [first, second, third]) response.finish()
    expect(client.log).toEqual(['first', 'second', 'third', 'refused'])
  })
})

describe('a body that breaks off', () => {
  it('is refused at once when its request has no response yet', () => {
    const client = new Client()
    client.send('first', false)
    client.sendGarbage()
    expect(client.log).toEqual(['first', 'refused'])
  })

  it('fails for its reader, and ends the connection after the response that has begun', async () => {
    const client = new Client()
    const first = client.send('first', false)
    const failed = once(first.req, 'error')
    first.headersSent = true
    const cause = client.sendGarbage()
    expect(await failed).toMatchObject([{ code: 'ECONNRESET', cause }])
    expect(client.socket.calls).toEqual([])
    first.finish()
    expect([client.log, client.socket.calls]).toEqual([['first'], ['end']])
  })

  it('ends the connection after the response, also when nothing reads it', () => {
    const client = new Client()
    const first = client.send('first', false)
    first.headersSent = true
    client.sendGarbage()
    first.finish()
    expect([client.log, client.socket.calls]).toEqual([['first'], ['end']])
  })

  it('is refused by its own response while the one before is still being written', async () => {
    const client = new Client()
    client.send('first').end()
    const second = client.send('second', false)
    second.socket = null
    const failed = once(second.req, 'error').then(() => client.log.push('failed'))
    client.sendGarbage()
    await failed
    expect(client.log).toEqual(['first', 'second', 'failed'])
    second.finish()
    expect([client.log, client.socket.calls]).toEqual([['first', 'second', 'failed'], ['end']])
  })

  it('ends the connection when its response was sent long ago', () => {
    const client = new Client()
    client.send('first', false).finish()
    client.connection.release()
    client.sendGarbage()
    expect([client.log, client.socket.calls]).toEqual([['first'], ['end']])
  })
})

describe('a connection that is being closed', () => {
  it('ends with the last of the responses that are due', () => {
    const client = new Client()
    client.connection.endAfterResponses()
    const responses = ['first', 'second', 'third', 'fourth'].map((name) => client.send(name))
    client.connection.endAfterResponses()
    expect(responses.map(({ shouldKeepAlive }) => shouldKeepAlive)).toEqual([true, true, true, false])
  })

  it('ends with the only response, unless its head is out', () => {
    const client = new Client()
    const first = client.send('first')
    client.connection.endAfterResponses()
    expect(first.shouldKeepAlive).toBe(false)
    const late = new Client()
    const begun = late.send('begun')
    begun.headersSent = true
    late.connection.endAfterResponses()
    expect(begun.shouldKeepAlive).toBe(true)
  })

  it('is busy until its last response has been read', () => {
    const client = new Client()
    const states = [client.connection.isBusy]
    const first = client.send('first')
    states.push(client.connection.isBusy)
    first.end()
    states.push(client.connection.isBusy)
    first.finish()
    states.push(client.connection.isBusy)
    expect(states).toEqual([false, true, true, false])
  })

  it('is busy while a request waits, although the response before has been read', () => {
    const client = new Client()
    const first = client.send('first')
    client.send('second')
    first.writableFinished = true
    expect(client.connection.isBusy).toBe(true)
  })

  it('cannot lose its socket while it is shielded', () => {
    const { socket, connection } = new Client()
    const restore = connection.shield()
    expect([socket.asSocket.destroy(), socket.destroyed]).toEqual([socket, false])
    restore()
    connection.destroy()
    expect(socket.destroyed).toBe(true)
  })
})

describe('a connection between requests', () => {
  /** A response is sent, and the connection is looked at. */
  function response(client: Client): WeakRef<FakeResponse> {
    const given = client.send('first')
    given.finish()
    client.connection.release()
    return new WeakRef(given)
  }

  it('keeps nothing of the last one', async () => {
    const client = new Client()
    const given = response(client)
    await collectGarbage()
    expect([given.deref(), client.connection.isBusy]).toEqual([undefined, false])
  })

  it('keeps a response that is under way, or that closes the connection', () => {
    const client = new Client()
    const first = client.send('first')
    client.connection.release()
    client.send('second')
    expect(client.log).toEqual(['first'])
    const closing = new Client()
    const last = closing.send('last')
    last.shouldKeepAlive = false
    last.finish()
    closing.connection.release()
    closing.send('more')
    expect([closing.log, first.writableFinished]).toEqual([['last'], false])
  })
})

describe('the time of a connection', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
  afterEach(() => void vi.useRealTimers())

  it('counts as silent from its opening, until something comes', () => {
    vi.advanceTimersByTime(5000)
    const { socket, connection } = new Client()
    vi.advanceTimersByTime(500)
    expect(connection.isSilent(500)).toBe(false)
    vi.advanceTimersByTime(1)
    expect(connection.isSilent(500)).toBe(true)
    socket.bytesRead = 1
    expect(connection.isSilent(500)).toBe(false)
  })

  it('gives the client a second to close its side after a refusal', () => {
    const client = new Client()
    vi.advanceTimersByTime(5000)
    const states = [client.connection.hasLingered(performance.now())]
    client.sendGarbage()
    const refusedAt = performance.now()
    for (const ms of [0, 1000, 1001]) states.push(client.connection.hasLingered(refusedAt + ms))
    expect(states).toEqual([false, false, false, true])
  })

  it('counts how long a client has read nothing of a response', () => {
    const client = new Client()
    client.socket.writableLength = 10
    const stalledFor = (now: number): number => client.connection.stalledFor(now)
    // Nothing is owed to the client.
    expect([stalledFor(0), stalledFor(1000)]).toEqual([0, 0])
    client.send('first')
    expect([stalledFor(2000), stalledFor(5000)]).toEqual([0, 3000])
    Object.assign(client.socket, { writableLength: 30, bytesWritten: 20 })
    expect(stalledFor(5500)).toBe(3500)
    client.socket.bytesWritten = 25
    expect(stalledFor(6000)).toBe(0)
  })
})
