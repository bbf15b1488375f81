import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { SENDING } from '../../src/request/state.ts'
import { startReply } from '../../src/request/start-reply.ts'
import { kReplyHeaders, kSerializer, kState } from '../../src/symbols.ts'
import { OpenRequest } from './open-reply.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const TEXT = 'text/plain; charset=utf-8'
const BYTES = 'application/octet-stream'
const FORM = 'application/x-www-form-urlencoded;charset=UTF-8'

interface Setup {
  readonly type?: string
  /** a content type that only the raw response has */
  readonly rawType?: string
  /** what the reply has its own serializer make of a payload */
  readonly serializer?: (payload: unknown) => unknown
  readonly plan?: object
  readonly node?: object | null
}

/** A reply that has started, and the way on which it was sent. */
class Started extends OpenRequest {
  readonly way: string[]

  constructor(payload: unknown, setup: Setup = {}) {
    const way: string[] = []
    super({
      valueStages: [() => void way.push('value')],
      readyStages: [() => void way.push('ready')],
      replySerializer: null,
      serializerCompiler: null,
      serializers: null,
      ...setup.plan,
    })
    this.way = way
    if (setup.type !== undefined) this.reply[kReplyHeaders]['content-type'] = setup.type
    if (setup.rawType !== undefined) this.rawHeaders['content-type'] = setup.rawType
    if (setup.serializer !== undefined) this.reply[kSerializer] = setup.serializer
    if (setup.node !== undefined) this.exchange.node = setup.node
    startReply(this.reply, payload)
  }

  get type(): unknown {
    return this.reply[kReplyHeaders]['content-type']
  }

  /** How the payload is sent, and with which content type. */
  get sentAs(): unknown[] {
    return [this.way[0], this.type]
  }
}

describe('a reply that starts', () => {
  it('ends what ran before, with its payload', () => {
    for (const payload of [{ a: 1 }, 'text']) {
      const { reply } = new Started(payload)
      expect([reply[kState].epoch, reply[kState].phase, reply[kState].payload]).toEqual([1, SENDING, payload])
    }
  })

  it('fails with an error that it is given', () => {
    const error = new Error('given')
    const { failures, way } = new Started(error)
    expect([failures, way]).toEqual([[error], []])
  })

  it('fails with an error on the way', () => {
    const error = new Error('serializer')
    const serializer = (): never => {
      throw error
    }
    const { failures, way } = new Started('text', { type: 'text/own', serializer })
    expect([failures, way]).toEqual([[error], []])
  })
})

class Own {
  readonly a = 1
}

describe('values', () => {
  const values = [
    { a: 1 },
    [1],
    new Own(),
    1,
    true,
    null,
    Object.create(null),
    new Date(0),
    { pipe: 1 },
    { getReader: 1 },
  ]

  it.each(values)('become JSON: %j', (value) => {
    expect(new Started(value).sentAs).toEqual(['value', JSON_TYPE])
    expect(new Started(value, { type: 'application/JSON' }).sentAs).toEqual([
      'value',
      'application/JSON; charset=utf-8',
    ])
  })

  it.each(values)('are sent as they are with another content type: %j', (value) => {
    expect(new Started(value, { type: 'text/own' }).sentAs).toEqual(['ready', 'text/own'])
  })

  it.each(values)('go to the serializer of the reply, whose content type stays: %j', (value) => {
    const setup = { type: 'text/own', serializer: String }
    expect(new Started(value, setup).sentAs).toEqual(['value', 'text/own'])
  })

  it('have the content type that only the raw response has', () => {
    const node = { isTaken: true }
    expect(new Started({ a: 1 }, { rawType: 'text/own', node }).sentAs).toEqual(['ready', undefined])
    expect(new Started({ a: 1 }, { rawType: 'a/json', node }).sentAs).toEqual([
      'value',
      'a/json; charset=utf-8',
    ])
    expect(new Started({ a: 1 }, { node: null }).sentAs).toEqual(['value', JSON_TYPE])
  })

  it.each([
    ['application/json', 'application/json; charset=utf-8'],
    ['application/json;', 'application/json; charset=utf-8'],
    [' application/json ', 'application/json; charset=utf-8'],
    ['application/json; CHARSET=latin1', 'application/json; CHARSET=latin1'],
  ])('state their charset: %s', (type, stated) => {
    expect(new Started({ a: 1 }, { type }).type).toBe(stated)
    expect(new Started('{}', { type }).type).toBe(stated)
  })
})

describe('no payload', () => {
  it('has no content type', () => {
    expect(new Started(undefined).sentAs).toEqual(['ready', undefined])
  })
})

describe('texts', () => {
  it('are sent as they are', () => {
    expect(new Started('text').sentAs).toEqual(['ready', TEXT])
    expect(new Started('text', { type: 'text/own' }).sentAs).toEqual(['ready', 'text/own'])
  })

  it('go to the serializer of the reply where they have a content type', () => {
    const serializer = (payload: unknown): string => `<${String(payload)}>`
    const typed = new Started('text', { type: 'a/json', serializer })
    expect([typed.sentAs, typed.reply[kState].payload]).toEqual([['ready', 'a/json'], '<text>'])
    const untyped = new Started('text', { serializer })
    expect([untyped.sentAs, untyped.reply[kState].payload]).toEqual([['ready', TEXT], 'text'])
  })
})

describe('bytes', () => {
  it('are sent as they are', () => {
    const bytes = new Uint8Array([1, 2])
    const { sentAs, reply } = new Started(bytes)
    expect([sentAs, reply[kState].payload]).toEqual([['ready', BYTES], Buffer.from([1, 2])])
    expect(new Started(bytes, { type: 'a/json' }).sentAs).toEqual(['ready', 'a/json'])
  })
})

describe('streams and responses', () => {
  it.each([
    ['a stream of Node', () => new PassThrough()],
    ['a web stream', () => new ReadableStream()],
    ['a response', () => new Response('text')],
    ['an object with a pipe', () => ({ pipe: () => undefined })],
    ['an object with a reader', () => ({ getReader: () => undefined })],
  ])('have the content type that they are given: %s', (_what, make) => {
    const payload = make()
    const { sentAs, reply } = new Started(payload)
    expect([sentAs, reply[kState].payload === payload]).toEqual([['ready', undefined], true])
    expect(new Started(make(), { type: 'a/json' }).sentAs).toEqual(['ready', 'a/json'])
  })
})

/** Serializers of an application that are its own for each status; the framework's are not. */
const own: [string, Setup][] = [
  ['the reply', { serializer: String }],
  ['the context', { plan: { replySerializer: String } }],
  ['the compiler', { plan: { serializerCompiler: String, serializers: {} } }],
]
/** The serializer of a reply knows the type of what it writes; the others write JSON unless a type is set. */
const typeOf = ({ serializer }: Setup): string | undefined => (serializer == null ? JSON_TYPE : undefined)
const notOwn: [string, Setup][] = [
  ['none', {}],
  ['a compiler without schemas', { plan: { serializerCompiler: String } }],
  ['schemas without a compiler', { plan: { serializers: {} } }],
]

describe('blobs', () => {
  it.each(notOwn)('are sent as streams, with their length and type: %s', async (_what, setup) => {
    const { sentAs, reply } = new Started(new Blob(['abc'], { type: 'a/b' }), setup)
    expect(sentAs).toEqual(['ready', 'a/b'])
    expect(reply[kReplyHeaders]['content-length']).toBe('3')
    const stream = reply[kState].payload
    if (!(stream instanceof ReadableStream)) throw new Error('no stream')
    expect(await new Response(stream).text()).toBe('abc')
  })

  it('have a content type in any case', () => {
    expect(new Started(new Blob(['abc'])).sentAs).toEqual(['ready', BYTES])
    expect(new Started(new Blob(['abc']), { type: 'a/json' }).sentAs).toEqual(['ready', 'a/json'])
  })

  it.each(own)('go to the serializer of %s', (_what, setup) => {
    const blob = new Blob(['abc'])
    const { sentAs, reply } = new Started(blob, setup)
    expect([sentAs, reply[kState].payload === blob]).toEqual([['value', typeOf(setup)], true])
    expect(reply[kReplyHeaders]['content-length']).toBe(undefined)
  })
})

describe('search parameters', () => {
  const params = new URLSearchParams({ a: 'b c' })

  it.each(notOwn)('are sent as a form: %s', (_what, setup) => {
    const { sentAs, reply } = new Started(params, setup)
    expect([sentAs, reply[kState].payload]).toEqual([['ready', FORM], 'a=b+c'])
  })

  it('have the content type that they are given', () => {
    const { sentAs, reply } = new Started(params, { type: 'text/own' })
    expect([sentAs, reply[kState].payload]).toEqual([['ready', 'text/own'], 'a=b+c'])
  })

  it('go to the serializer with a JSON content type', () => {
    const { sentAs, reply } = new Started(params, { type: 'a/JSON' })
    expect([sentAs, reply[kState].payload]).toEqual([['value', 'a/JSON; charset=utf-8'], params])
  })

  it.each(own)('go to the serializer of %s', (_what, setup) => {
    const { sentAs, reply } = new Started(params, setup)
    expect([sentAs, reply[kState].payload === params]).toEqual([['value', typeOf(setup)], true])
  })
})

describe('objects with a tag of their own', () => {
  it('are values', () => {
    expect(new Started({ [Symbol.toStringTag]: 'Own' }).sentAs).toEqual(['value', JSON_TYPE])
    expect(new Started(new Map()).sentAs).toEqual(['value', JSON_TYPE])
  })
})
