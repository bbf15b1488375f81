import { describe, expect, it } from 'vitest'
import type { AnyFunction } from '../../src/guards.ts'
import { prematureClose } from '@cloister/wire/message/internal'
import { adaptRequestHook } from '../../src/hooks/request-hook.ts'
import { HIJACKED } from '../../src/request/state.ts'
import { markHandedOver, requestSignal, traceRequest, watch } from '../../src/request/watch.ts'
import { requestChannels } from '../../src/tracing.ts'
import { kState } from '../../src/symbols.ts'
import { OpenRequest } from './open-reply.ts'

const ERROR = new Error('failed')

interface Setup {
  readonly onResponse?: AnyFunction
  readonly onRequestAbort?: AnyFunction
  readonly onTimeout?: AnyFunction
  readonly logsRequests?: boolean
  /** what the log controller says of the request, or throws */
  readonly isLogDisabled?: () => boolean
}

/** A watched request, with what its log controller and its logger were asked to write. */
class Watched extends OpenRequest {
  readonly written: unknown[][]

  constructor({ logsRequests = true, isLogDisabled = () => false, ...given }: Setup = {}) {
    const written: unknown[][] = []
    const hooksOf = (fn: AnyFunction | undefined, args: number): unknown[] =>
      fn === undefined ? [] : [adaptRequestHook(fn, args, null, () => 'hook')]
    const logController = {
      isLogDisabled,
      incomingRequest: (...args: unknown[]) => void written.push(['incoming', ...args]),
      requestCompleted: (...args: unknown[]) => void written.push(['completed', ...args]),
    }
    const logger = { error: ({ err }: { err: unknown }) => void written.push(['failure', err]) }
    super({
      app: { logsRequests, logController, logger, logHasThrown: false },
      hooks: {
        onResponse: hooksOf(given.onResponse, 2),
        onRequestAbort: hooksOf(given.onRequestAbort, 1),
        onTimeout: hooksOf(given.onTimeout, 2),
      },
    })
    this.written = written
    watch(this.reply)
  }

  finish(outcome: Error | null): this {
    for (const callback of this.exchange.finished) callback(outcome)
    return this
  }

  /** How many listeners the exchange has for its end, and for a timeout. */
  get listeners(): number[] {
    const { finished, timedOut } = this.exchange
    return [finished.length, timedOut.length]
  }
}

const nothing = (): void => undefined
const thrower = (): never => {
  throw ERROR
}

describe('what is watched of a request', () => {
  it.each<[string, Setup, number[]]>([
    ['nothing without hooks or a log', { logsRequests: false }, [0, 0]],
    ['its end for the log', {}, [1, 0]],
    ['its end for onResponse hooks', { logsRequests: false, onResponse: nothing }, [1, 0]],
    ['a client that leaves', { logsRequests: false, onRequestAbort: nothing }, [1, 0]],
    ['a timeout', { logsRequests: false, onTimeout: nothing }, [0, 1]],
  ])('%s', (_what, setup, listeners) => {
    expect(new Watched(setup).listeners).toEqual(listeners)
  })
})

describe('the lines of a request', () => {
  it('are written when it comes and when it is complete', () => {
    const given = new Watched()
    const incoming = ['incoming', given.request, given.reply]
    expect(given.written).toEqual([incoming])
    given.finish(null)
    expect(given.written).toEqual([incoming, ['completed', null, given.request, given.reply]])
    expect(given.reply[kState].endTime).toBeGreaterThan(0)
  })

  it('wait for the onResponse hooks', () => {
    const dones: AnyFunction[] = []
    const given = new Watched({
      onResponse: (_request, _reply, done) => typeof done === 'function' && dones.push(() => void done()),
    })
    given.finish(ERROR)
    expect(given.written).toHaveLength(1)
    for (const done of dones) done()
    expect(given.written.slice(1)).toEqual([['completed', ERROR, given.request, given.reply]])
  })

  it('are none where the log has none', () => {
    const given = new Watched({ logsRequests: false, onResponse: nothing })
    given.finish(null)
    expect([given.written, given.lines]).toEqual([[], []])
  })
})

describe('a request whose client has left', () => {
  it('runs no onResponse hooks, and writes its line', () => {
    let calls = 0
    const given = new Watched({ onResponse: () => void calls++ })
    const outcome = prematureClose()
    given.finish(outcome)
    expect(calls).toBe(0)
    expect(given.written.slice(1)).toEqual([['completed', outcome, given.request, given.reply]])
  })

  it('writes none where its connection was handed over to another protocol', () => {
    const upgraded = new Watched()
    upgraded.enter(HIJACKED).exchange.upgrade = 'websocket'
    const hijacked = new Watched().enter(HIJACKED)
    const refused = new Watched()
    refused.exchange.upgrade = 'websocket'
    const written = [upgraded, hijacked, refused].map(
      (given) => given.finish(prematureClose()).written.length - 1,
    )
    expect(written).toEqual([0, 1, 1])
  })
})

describe('an onResponse hook that fails', () => {
  const line = { level: 'error', err: ERROR, message: 'onResponse hook failed' }

  it('ends its request with the error', () => {
    const given = new Watched({ onResponse: thrower }).finish(null)
    expect(given.written.slice(1)).toEqual([['completed', ERROR, given.request, given.reply]])
    expect(given.lines).toEqual([])
  })

  it.each<[string, Setup]>([
    ['the app logs no requests', { logsRequests: false }],
    ['the log of the request is disabled', { isLogDisabled: () => true }],
  ])('writes a line of its own where %s', (_where, setup) => {
    const given = new Watched({ ...setup, onResponse: thrower }).finish(null)
    expect(given.lines).toEqual([line])
    expect(given.written.filter(([what]) => what === 'completed')).toEqual([])
  })

  it('is written where the log controller cannot say whether it is wanted', () => {
    const failure = new Error('controller')
    const isLogDisabled = (): never => {
      throw failure
    }
    const given = new Watched({ isLogDisabled, onResponse: thrower }).finish(null)
    expect(given.written.slice(1)).toEqual([
      ['failure', failure],
      ['completed', ERROR, given.request, given.reply],
    ])
  })
})

describe('hooks of clients that disconnect and of timeouts', () => {
  it('get the request, and a timeout the reply too', () => {
    const seen: unknown[][] = []
    const given = new Watched({
      logsRequests: false,
      onRequestAbort: (request) => void seen.push([request]),
      onTimeout: (request, reply) => void seen.push([request, reply]),
    })
    given.finish(prematureClose())
    for (const callback of given.exchange.timedOut) callback()
    expect(seen).toEqual([[given.request], [given.request, given.reply]])
    expect(given.lines).toEqual([])
  })

  it('do not run at a timeout of a reply that the application has taken over', () => {
    const seen: unknown[] = []
    const given = new Watched({ onTimeout: (request) => void seen.push(request) }).enter(HIJACKED)
    for (const callback of given.exchange.timedOut) callback()
    expect(seen).toEqual([])
  })

  it('are named in the log when they fail', () => {
    const given = new Watched({ logsRequests: false, onRequestAbort: thrower, onTimeout: thrower })
    given.finish(prematureClose())
    for (const callback of given.exchange.timedOut) callback()
    expect(given.lines).toEqual([
      { level: 'error', err: ERROR, message: 'onRequestAbort hook failed' },
      { level: 'error', err: ERROR, message: 'onTimeout hook failed' },
    ])
  })
})

describe('the signal of a request', () => {
  it('is aborted at once where its client has gone', () => {
    const { request, exchange } = new OpenRequest()
    exchange.turn = exchange.turn.next.gone
    expect(requestSignal(request).signal.aborted).toBe(true)
    expect(exchange.finished).toEqual([])
  })
})

describe('the tracing channel of requests', () => {
  /** The events of a request whose path runs like this, and that ends so. */
  function trace(run: () => void, outcome: Error | null, upgrade?: string): unknown[][] {
    const events: unknown[][] = []
    const given = new OpenRequest({ routeOptions: () => ({ url: '/', method: 'GET' }) })
    // Who listens on the channels, such as apps of other tests, asks whose request it is.
    Object.defineProperty(given.request, 'server', { value: {} })
    const names = ['start', 'end', 'error', 'asyncStart', 'asyncEnd'] as const
    const notes = names.map((name) => (message: unknown) => {
      const { error, upgraded } = Object(message)
      events.push([name, error, upgraded])
    })
    for (const [index, name] of names.entries()) requestChannels[name].subscribe(notes[index] ?? nothing)
    try {
      traceRequest(given.reply, run)
    } catch (error) {
      events.push(['thrown', error])
    }
    given.enter(HIJACKED).exchange.upgrade = upgrade
    markHandedOver(given.reply)
    for (const callback of given.exchange.finished) callback(outcome)
    for (const [index, name] of names.entries()) requestChannels[name].unsubscribe(notes[index] ?? nothing)
    return events
  }

  const beginning = [
    ['start', undefined, undefined],
    ['end', undefined, undefined],
  ]
  const ending = (error?: Error, upgraded?: true): unknown[][] =>
    ['asyncStart', 'asyncEnd'].map((name) => [name, error, upgraded])

  it('tells of the synchronous part, and of the end', () => {
    expect(trace(nothing, null)).toEqual([...beginning, ...ending()])
  })

  it('tells of the end of a path that throws', () => {
    expect(trace(thrower, null)).toEqual([...beginning, ['thrown', ERROR], ...ending()])
  })

  it('tells of the error that ended the response', () => {
    expect(trace(nothing, ERROR)).toEqual([...beginning, ['error', ERROR, undefined], ...ending(ERROR)])
  })

  it('marks a request whose connection another protocol takes', () => {
    expect(trace(nothing, null, 'websocket')).toEqual([...beginning, ...ending(undefined, true)])
  })

  it('need not be there for a connection that is handed over', () => {
    const given = new Watched().enter(HIJACKED)
    given.exchange.upgrade = 'websocket'
    given.reply[kState].requestTrace = null
    expect(() => markHandedOver(given.reply)).not.toThrow()
  })
})

describe('what a request is owed at its end', () => {
  const failed = new Error('the transport failed')

  it.each<[string, Error | null, readonly string[]]>([
    ['is complete', null, ['onResponse']],
    ['lost its client', prematureClose(), ['onRequestAbort']],
    ['could not be written', failed, ['onResponse', 'onRequestAbort']],
  ])('is known from how it ended: it %s', (_how, outcome, owed) => {
    const ran: string[] = []
    const given = new Watched({
      onResponse: () => void ran.push('onResponse'),
      onRequestAbort: () => void ran.push('onRequestAbort'),
    })
    const { signal } = requestSignal(given.request)
    given.finish(outcome)
    expect(ran).toEqual(owed)
    expect(signal.aborted).toBe(owed.includes('onRequestAbort'))
    expect(given.written.slice(1)).toEqual([['completed', outcome, given.request, given.reply]])
  })
})
