import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { OWN_PARSER, type BodyParser } from '../../../src/body/parser-table.ts'
import type { BodyReceiver, Content } from '../../../src/exchange/exchange.ts'
import { OPEN } from '../../../src/request/state.ts'
import type { RoutePlan } from '../../../src/request/route-plan.ts'
import { parseBody, readBody } from '../../../src/request/stages/read-body.ts'
import type { ReplyState, RequestState } from '../../../src/request/state.ts'
import { kExchange, kPlan, kState } from '../../../src/symbols.ts'

/** What a transport was asked to read. */
interface Asked {
  readonly replacement: unknown
  readonly limit: number
  readonly as: string
  readonly receiver: BodyReceiver
}

interface Setup {
  readonly type?: string
  /** the declared length; `null` for a body in chunks */
  readonly length?: number | null
  readonly hasNone?: boolean
  readonly replacement?: object
  readonly parser?: Partial<BodyParser> | null
  readonly plan?: object
  readonly headers?: Readonly<Record<string, string>>
}

const READING = 'reading'

/** A request on its way through the stages that read its body. */
class Request {
  readonly asked: Asked[] = []
  readonly body = new PassThrough()
  readonly statuses: number[] = []
  readonly failures: unknown[] = []
  endings = 0
  readonly plan: RoutePlan
  readonly request: RequestState
  readonly reply: ReplyState

  constructor(setup: Setup = {}) {
    const { type = 'text/plain', length = 5, hasNone = false, replacement = null, parser = {} } = setup
    const headers: Record<string, string> = { ...(type !== '' && { 'content-type': type }), ...setup.headers }
    const isDefault = parser?.parseAs !== null
    const own = { ...OWN_PARSER, parseAs: 'string', isDefault, ...parser }
    const lookup = { byMediaType: new Map(), patterns: [], catchAll: parser === null ? null : own }
    const methods = { bodyRule: (method: string) => (method === 'GET' ? 'never' : 'typed') }
    const app = { methods, exact: {}, options: { errorCodePrefix: 'CLO_ERR_' } }
    const fail = (_reply: unknown, error: unknown): void => void this.failures.push(error)
    const route = { bodyRule: 'optional', bodyLimit: 100, ownBodyLimit: null, isNotFound: false }
    this.plan = Object({ ...route, validators: null, parsers: lookup, app, fail, ...setup.plan })
    const exchange = {
      method: 'POST',
      header: (name: string) => headers[name],
      bodyLength: hasNone ? null : length,
      framing: hasNone ? 'none' : length === null ? 'chunked' : 'length',
      protocol: { announcesBodies: true },
      bodyStream: this.body,
      endConnection: () => this.endings++,
      readBody: (given: unknown, limit: number, as: string, receiver: BodyReceiver) => {
        this.asked.push({ replacement: given, limit, as, receiver })
        return READING
      },
    }
    this.request = Object({
      [kExchange]: exchange,
      [kState]: { mediaType: null, bodyStream: replacement, bodyBytes: null, parser: null },
      method: 'POST',
    })
    const code = (status: number): void => void this.statuses.push(status)
    const state = { [kExchange]: exchange, [kState]: { phase: OPEN }, [kPlan]: this.plan }
    this.reply = Object({ ...state, code, request: this.request })
  }

  read(): unknown {
    return readBody(this.plan, this.request, this.reply)
  }

  parse(): unknown {
    return parseBody(this.plan, this.request, this.reply)
  }

  /** What the transport is asked for, without the one who gets it. */
  get wanted(): Omit<Asked, 'receiver'> | undefined {
    const [first] = this.asked
    return first && { replacement: first.replacement, limit: first.limit, as: first.as }
  }
}

const error = (name: string, message?: string): unknown =>
  expect.objectContaining({
    code: `CLO_ERR_${name}`,
    ...(message === undefined ? {} : { message: expect.stringContaining(message) }),
  })

/** What a stage throws. */
function thrownBy(stage: () => unknown): unknown {
  try {
    return { returned: stage() }
  } catch (thrown) {
    return thrown
  }
}

/** Whether the body of such a request is read. */
const isRead = (bodyRule: string, setup: Setup): boolean =>
  new Request({ ...setup, plan: { bodyRule } }).read() === READING

const EMPTY = { length: 0, hasNone: false }
const NONE = { hasNone: true }
const CHUNKED = { length: null }
const UNTYPED = { type: '' }

describe('a request has a body to read', () => {
  it.each(['optional', 'typed'])('unless it has neither bytes nor a type (%s)', (rule) => {
    const results = [{}, CHUNKED, EMPTY, NONE].map((setup) => isRead(rule, setup))
    expect(results).toEqual([true, true, true, true])
  })

  it('without a type when it has bytes, or may have them', () => {
    const results = [{}, CHUNKED, EMPTY, NONE].map((setup) => isRead('optional', { ...setup, ...UNTYPED }))
    expect(results).toEqual([true, true, false, false])
  })

  it('where bodies are rare only with a type, and when something announces it', () => {
    const typed = [{}, CHUNKED, EMPTY, NONE].map((setup) => isRead('seldom', setup))
    const untyped = [{}, CHUNKED, EMPTY, NONE].map((setup) => isRead('seldom', { ...setup, ...UNTYPED }))
    expect([typed, untyped]).toEqual([
      [true, true, true, false],
      [false, false, false, false],
    ])
  })

  it('of a named type where the method demands one', () => {
    for (const setup of [{}, NONE]) {
      const { plan, request, reply } = new Request({ ...setup, ...UNTYPED, plan: { bodyRule: 'typed' } })
      const thrown = thrownBy(() => readBody(plan, request, reply))
      expect(thrown).toEqual(error('ROUTE_MISSING_CONTENT_TYPE', 'POST'))
    }
  })
})

describe('the parser of a body', () => {
  it('decides whether it is read as text or as bytes', () => {
    const text = new Request({ parser: { parseAs: 'string' } })
    const bytes = new Request({ parser: { parseAs: 'buffer' } })
    expect([text.read(), bytes.read()]).toEqual([READING, READING])
    expect(text.wanted).toEqual({ replacement: null, limit: 100, as: 'text' })
    expect(bytes.wanted).toEqual({ replacement: null, limit: 100, as: 'bytes' })
  })

  it('that decodes itself gets a short body as text, and a long one as bytes', () => {
    const asked = (length: number | null, takesBytes: boolean): unknown => {
      const request = new Request({ length, parser: { takesBytes }, plan: { bodyLimit: 1e6 } })
      request.read()
      return request.wanted?.as
    }
    const lengths = [1, 2048, 2049, null]
    expect(lengths.map((length) => asked(length, true))).toEqual(['text', 'text', 'bytes', 'bytes'])
    expect(lengths.map((length) => asked(length, false))).toEqual(['text', 'text', 'text', 'text'])
  })

  it('says whether a byte order mark may be missing', () => {
    const marks = [true, false].map((dropsMark) => {
      const request = new Request({ parser: { dropsMark } })
      request.read()
      return request.asked[0]?.receiver.dropsMark
    })
    expect(marks).toEqual([true, false])
  })

  it('need not be there where no route matches, and the body stays unread', () => {
    const request = new Request({ parser: null, plan: { isNotFound: true } })
    expect([request.read(), request.parse(), request.asked]).toEqual([undefined, undefined, []])
    expect(Object.hasOwn(request.request, 'body')).toBe(false)
  })

  it('is asked where no route matches, unless the method has no body', () => {
    const plan = { isNotFound: true }
    const [post, get] = [new Request({ plan }), new Request({ plan })]
    Object.assign(get.request, { method: 'GET' })
    expect([post.read(), get.read(), get.asked]).toEqual([READING, undefined, []])
    const route = new Request()
    Object.assign(route.request, { method: 'GET' })
    expect(route.read()).toBe(READING)
  })

  it('gets no body that its client holds back, where the framework responds with 404', () => {
    const headers = { expect: '100-continue' }
    const isRead = (plan: object, given: Setup): boolean => {
      const request = new Request({ ...given, plan: { isNotFound: true, ...plan } })
      return request.read() === READING && request.request[kState].parser !== null
    }
    expect(isRead({ isDefaultNotFound: true }, { headers })).toBe(false)
    expect(isRead({ isDefaultNotFound: true }, {})).toBe(true)
    expect(isRead({ isDefaultNotFound: false }, { headers })).toBe(true)
  })

  it('reads the stream that a hook has put in place of the body', () => {
    const replacement = new PassThrough()
    const request = new Request({ replacement })
    request.read()
    expect(request.wanted).toMatchObject({ replacement })
  })
})

describe('a parser that reads the stream', () => {
  const STREAM = { parseAs: null }

  it('is held to its limit over the stream of a hook and over the body itself', () => {
    for (const which of ['body', 'replacement'] as const) {
      const replacement = new PassThrough()
      const request = new Request({ parser: { ...STREAM, bodyLimit: 4 }, replacement })
      request.read()
      expect(request.request[kState].bodyStream).toBe(replacement)
      const source = which === 'body' ? request.body : replacement
      source.push('12345')
      expect(request.failures).toEqual([error('CTP_BODY_TOO_LARGE')])
    }
  })
})

describe('a body that cannot be read', () => {
  /** What the request fails with. */
  function refuse(reason: unknown): { refused: unknown; endings: number; statuses: number[] } {
    const request = new Request()
    request.read()
    const refused = request.asked[0]?.receiver.refuse(reason)
    return { refused, endings: request.endings, statuses: request.statuses }
  }

  it('is the mistake of the client, and ends the connection', () => {
    const reason = new Error('bad')
    expect(refuse(reason)).toEqual({ refused: reason, endings: 1, statuses: [] })
    expect(reason).toHaveProperty('statusCode', 400)
  })

  it('keeps the status that its error has', () => {
    for (const own of [{ statusCode: 422 }, { status: 503 }, { statusCode: 'none', status: 422 }]) {
      const reason = Object.assign(new Error('bad'), own)
      expect(refuse(reason)).toEqual({ refused: reason, endings: 1, statuses: [] })
      expect(Object.entries(reason)).toEqual(Object.entries(own))
    }
  })

  it('gets 400 where its error has a text as its status', () => {
    const reason = Object.assign(new Error('bad'), { statusCode: '422' })
    expect(refuse(reason)).toEqual({ refused: reason, endings: 1, statuses: [] })
    expect(reason.statusCode).toBe(400)
  })

  it('names the hooks that ran, where the application has read it', () => {
    const hook = (name: string): object => ({ describe: () => `the hook ${name},` })
    const consumed = (onRequest: object[], preParsing: object[]): unknown => {
      const plan = { label: 'POST /', hooks: { onRequest, preParsing } }
      const request = new Request({ plan })
      request.read()
      return request.asked[0]?.receiver.consumed()
    }
    expect(consumed([], [])).toEqual(error('CTP_BODY_CONSUMED', 'for POST /; no hook has run. '))
    expect(consumed([hook('a')], [hook('b')])).toEqual(
      error('CTP_BODY_CONSUMED', 'for POST /; before it ran the hook a, the hook b. '),
    )
  })

  it.each([[Object.freeze(new Error('frozen'))], [{ message: 'plain' }], ['text'], [undefined]])(
    'gets 400 also when its reason takes no status: %o',
    (reason) => {
      const before = JSON.stringify(reason)
      expect(refuse(reason)).toEqual({ refused: reason, endings: 1, statuses: [400] })
      expect(JSON.stringify(reason)).toBe(before)
    },
  )
})

describe('a body that was read', () => {
  /** What comes of a body, for a parser. */
  function parse(content: Content, parser: Partial<BodyParser>, plan: object = {}): [unknown, RequestState] {
    const request = new Request({ parser, plan })
    request.read()
    request.asked[0]?.receiver.receive(content)
    return [request.parse(), request.request]
  }

  it('is parsed, and not kept beside what it holds', () => {
    const [turn, request] = parse('abc', { parse: (_request, input) => ({ input }) })
    expect([turn, request.body, request[kState].bodyBytes]).toEqual([undefined, { input: 'abc' }, null])
  })

  it('may be parsed later', async () => {
    const [turn, request] = parse('abc', { parse: async (_request, input) => ({ input }), isDefault: false })
    expect(request.body).toBeUndefined()
    await turn
    expect(request.body).toEqual({ input: 'abc' })
  })

  it('may be parsed at once by a parser of the application', () => {
    const [turn, request] = parse('abc', { parse: () => 7, isDefault: false })
    expect([turn, request.body]).toEqual([undefined, 7])
  })

  it('may be read later from a stream, by a parser of the framework too', async () => {
    const parser = { parseAs: null, parse: async () => 'parsed', isDefault: true } as const
    const request = new Request({ parser })
    request.read()
    await request.parse()
    expect(request.request.body).toBe('parsed')
  })

  it('may hold a `then` that is no promise', () => {
    const body = { then: (): void => {} }
    const [turn, request] = parse('{}', { parse: () => body })
    expect([turn, request.body]).toEqual([undefined, body])
  })

  it('lets other requests have a turn before a long one is validated', async () => {
    const long = 'x'.repeat(262_144)
    const validated = { validators: { inOrder: [] } }
    const parser = { parse: (): string => 'parsed' }
    const [turn, request] = parse(long, parser, { ...validated, bodyLimit: 1e6 })
    expect(request.body).toBe('parsed')
    expect(turn).toBeInstanceOf(Promise)
    await turn
    expect(parse(long.slice(1), parser, validated)[0]).toBeUndefined()
    expect(parse(long, parser)[0]).toBeUndefined()
  })

  it('is bytes only for a parser that takes them, and long text for one that decodes them itself', () => {
    const content = Buffer.alloc(300_000, 'x')
    const parser = { parse: (_request: unknown, input: unknown) => input }
    const validated = { validators: { inOrder: [] } }
    const [turn, request] = parse(content, { ...parser, parseAs: 'buffer' }, validated)
    expect([turn, request.body === content]).toEqual([undefined, true])
    const [later, decoding] = parse(content, { ...parser, takesBytes: true }, validated)
    expect([later instanceof Promise, decoding.body === content]).toEqual([true, true])
    expect(parse(content, parser, validated)[1].body).toBe(String(content))
  })
})
