import { PassThrough } from 'node:stream'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { PresetHeaders } from '../../../src/request/preset-headers.ts'
import { writeResponse } from '../../../src/request/stages/write-response.ts'
import { kPlan, kReplyHeaders, kState } from '../../../src/symbols.ts'
import { FakeWriter } from '../../fake-writer.ts'
import { OpenRequest } from '../open-reply.ts'

/** A reply that is written to an exchange which notes it. */
class Written extends OpenRequest {
  readonly warnings: unknown[] = []
  status: unknown
  headers: Readonly<Record<string, unknown>> = {}
  content: unknown
  presetLines: unknown

  constructor(method = 'GET', exchange: object = {}) {
    super({ app: { contradictions: new Set(), pump: () => () => {} }, isExposedHead: false })
    const { reply } = this
    const state = reply[kState]
    const send = (status: number, headers: object, content: unknown, lines: string): string | null => {
      Object.assign(this, { status, headers: { ...headers }, content, presetLines: lines })
      return null
    }
    const open = (status: number, headers: object): FakeWriter => {
      send(status, headers, 'a stream', '')
      return new FakeWriter()
    }
    const protocol = { hasContentOf205: true }
    Object.assign(this.exchange, { method, node: null, takesLines: false, protocol, send, open, ...exchange })
    Object.assign(state, { status: 200, trailers: null, presets: null })
    Object.defineProperty(reply, 'statusCode', { get: () => state.status })
    Object.assign(reply, {
      code: (status: number) => Object.assign(state, { status }),
      header: (name: string, value: string) => Object.assign(reply[kReplyHeaders], { [name]: value }),
    })
    Object.assign(reply.log, { warn: (line: unknown) => void this.warnings.push(line) })
  }

  write(payload: unknown, headers: object = {}): this {
    Object.assign(this.reply[kReplyHeaders], headers)
    Object.assign(this.reply[kState], { payload })
    writeResponse(this.reply[kPlan], this.request, this.reply)
    return this
  }

  with(state: object): this {
    Object.assign(this.reply[kState], state)
    return this
  }
}

describe('a response with a status that has no content', () => {
  it.each([
    [204, {}],
    [304, { 'content-type': 'text/plain' }],
  ])('is written without it: %i', (status, headers) => {
    for (const payload of ['text', Buffer.from('text'), null]) {
      const written = new Written().with({ status }).write(payload, { 'content-type': 'text/plain' })
      expect([written.status, written.content, written.headers]).toEqual([status, null, headers])
    }
  })
})

describe('a response', () => {
  it('gets the length of an empty text for HEAD alone: the transport counts what GET sends', () => {
    expect(new Written('HEAD').write('').headers).toEqual({ 'content-length': '0' })
    expect(new Written('GET').write('').headers).toEqual({})
    expect(new Written('HEAD').write('', { 'content-length': '7' }).headers).toEqual({
      'content-length': '7',
    })
  })

  it('is logged where its headers contradict the framing', () => {
    const send = (): string => 'content-length is "x"'
    expect(new Written('GET', { send }).write('text').warnings).toEqual([
      expect.stringMatching(/^GET \/: content-length is "x"/),
    ])
    expect(new Written().write('text').warnings).toEqual([])
  })

  it('closes a stream that HEAD does not send', () => {
    const source = new PassThrough()
    expect(new Written('HEAD').write(source).content).toBeNull()
    expect(source.destroyed).toBe(true)
  })
})

describe('headers that were decided at boot', () => {
  const presets = new PresetHeaders({ 'X-Own': 'a', 'X-More': 'b' })
  const written = (takesLines: boolean, headers: object): readonly unknown[] => {
    const response = new Written('GET', { takesLines }).with({ presets }).write('text', headers)
    return [response.presetLines, response.headers]
  }

  it('are lines where the transport takes them, and the reply has none of them itself', () => {
    expect(written(true, { 'x-other': 'c' })).toEqual(['x-own: a\r\nx-more: b\r\n', { 'x-other': 'c' }])
    expect(written(true, { 'x-own': 'c' })).toEqual(['', { 'x-own': 'c', 'x-more': 'b' }])
  })

  it('are headers elsewhere', () => {
    expect(written(false, {})).toEqual(['', { 'x-own': 'a', 'x-more': 'b' }])
  })
})

describe('a Response as payload', () => {
  afterEach(() => void vi.unstubAllGlobals())

  /** The headers that are sent on to a client that asks for them alone. */
  const sentOn = (
    headers: Record<string, string>,
    { url = '', method = 'HEAD', body = 'x' as string | null },
  ) => {
    const response = new Response(body, { headers: { 'content-type': 'text/plain', ...headers } })
    Object.defineProperty(response, 'url', { value: url })
    const { 'content-type': type, ...others } = new Written(method).write(response).headers
    expect(type).toBe('text/plain')
    return others
  }

  it('keeps no field that its connection names, in a list with blanks or without', () => {
    const fields = { 'x-one': '1', 'x-two': '2', 'x-three': '3', 'x-four': '4', 'x-kept': 'k' }
    const connection = 'close,X-One, x-two ,x-three\t,\tx-four'
    expect(sentOn({ connection, ...fields }, {})).toEqual({ 'x-kept': 'k' })
  })

  it('without a body keeps a length for HEAD alone, whose content was not sent', () => {
    const headers = { 'content-length': '7' }
    expect(sentOn(headers, { body: null })).toEqual(headers)
    expect(sentOn(headers, { body: null, method: 'GET' })).toEqual({})
  })

  it('with a body keeps its length, for HEAD and for GET', () => {
    const headers = { 'content-length': '7' }
    expect(sentOn(headers, {})).toEqual(headers)
    expect(sentOn(headers, { method: 'GET' })).toEqual(headers)
  })

  const url = 'http://a.example/'
  const isDecoded = (coding: string, from = url): boolean => {
    const headers = { 'content-encoding': coding, 'content-length': '7' }
    const kept = sentOn(headers, { url: from })
    expect([{}, headers]).toContainEqual(kept)
    return Object.keys(kept).length === 0
  }

  it.each(['gzip', 'GZIP', 'x-gzip', 'br', 'deflate', 'gzip, br', 'gzip ,br'])(
    'that was fetched in %s has neither this coding nor its length',
    (coding) => {
      expect([isDecoded(coding), isDecoded(coding, '')]).toEqual([true, false])
    },
  )

  it.each(['own', 'compress', 'gzip, own', 'own, gzip'])(
    'keeps a coding that no platform reads: %s',
    (coding) => {
      expect(isDecoded(coding)).toBe(false)
    },
  )

  it('that was fetched without a coding keeps its length', () => {
    expect(sentOn({ 'content-length': '7' }, { url })).toEqual({ 'content-length': '7' })
  })

  it.each([
    [{ undici: '6.21.0' }, false],
    [{ undici: '7.10.5' }, false],
    [{ undici: '7.11.0' }, true],
    [{ undici: '7.12.0' }, true],
    [{ undici: '8.0.0' }, true],
    [{ undici: '8.11.0' }, true],
    [{ undici: '6.11.0' }, false],
    [{ bun: '1.3.0' }, true],
    [{}, false],
    [undefined, false],
  ])('was decoded from zstd on some platforms: %j', (versions, expected) => {
    vi.stubGlobal('process', { versions })
    expect([isDecoded('zstd'), isDecoded('own')]).toEqual([expected, false])
  })

  it('keeps zstd on a platform without a process', () => {
    vi.stubGlobal('process', undefined)
    expect(isDecoded('zstd')).toBe(false)
  })
})
