// Whose trace a request belongs to: W3C Trace Context section 3, and who may choose it.
import { W3CBaggagePropagator } from '@opentelemetry/core'
import { propagation, trace } from '@opentelemetry/api'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { useApps } from '../harness/transports.ts'
import { register, useTelemetry } from './telemetry.ts'
import { createLogSink } from '../harness/log-lines.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'
const VALID = `00-${TRACE}-${SPAN}-01`

describe('the parent of a request span', () => {
  const received = useTelemetry()
  const createApp = useApps()

  async function spanOf(options: object, headers: Record<string, string>, appOptions = {}) {
    const app = createApp(appOptions)
    await register(app, options)
    app.get('/', () => 'ok')
    const before = received.now.length
    const { statusCode } = await app.inject({ url: '/', headers })
    expect(statusCode).toBe(200)
    const span = (await received.spans(before + 1)).at(-1)
    if (span === undefined) throw new Error('no span')
    return span
  }

  it('is that of the caller with continue, with its tracestate and its decision to sample', async () => {
    const headers = { traceparent: VALID, tracestate: 'vendor=1,other=2' }
    const span = await spanOf({ parent: 'continue' }, headers)
    expect(span.spanContext().traceId).toBe(TRACE)
    expect(span.parentSpanContext).toMatchObject({ spanId: SPAN, isRemote: true, traceFlags: 1 })
    expect(span.parentSpanContext?.traceState?.serialize()).toBe('vendor=1,other=2')
    const app = createApp()
    await register(app, { parent: 'continue' })
    app.get('/', () => trace.getActiveSpan()?.isRecording())
    const { payload } = await app.inject({ url: '/', headers: { traceparent: `00-${TRACE}-${SPAN}-00` } })
    expect(payload).toBe('false')
  })

  it('is none with link, the default: the span links to that of the caller', async () => {
    for (const options of [{}, { parent: 'link' }]) {
      const span = await spanOf(options, { traceparent: VALID })
      expect(span.parentSpanContext).toBeUndefined()
      expect(span.spanContext().traceId).not.toBe(TRACE)
      expect(span.links.map(({ context }) => [context.traceId, context.spanId])).toEqual([[TRACE, SPAN]])
    }
  })

  it.each([true, '127.0.0.1', ['10.0.0.0/8'], 1, () => true])(
    'is that of the caller by default with trustProxy %s',
    async (trustProxy) => {
      const span = await spanOf({}, { traceparent: VALID }, { trustProxy })
      expect(span.parentSpanContext?.spanId).toBe(SPAN)
    },
  )

  it('is none with ignore, without a link', async () => {
    const span = await spanOf({ parent: 'ignore' }, { traceparent: VALID }, { trustProxy: true })
    expect(span.parentSpanContext).toBeUndefined()
    expect(span.links).toEqual([])
  })

  it('is decided for each request by a function', async () => {
    const parent = ({ headers }: { headers: Record<string, unknown> }): string =>
      headers['x-internal'] === '1' ? 'continue' : 'ignore'
    const inside = await spanOf({ parent }, { traceparent: VALID, 'x-internal': '1' })
    expect(inside.parentSpanContext?.spanId).toBe(SPAN)
    const outside = await spanOf({ parent }, { traceparent: VALID })
    expect(outside.parentSpanContext).toBeUndefined()
  })

  it('a function that returns something else costs the span, not the request, and is logged', async () => {
    const { stream, line } = createLogSink()
    const app = createApp({ logger: { stream } })
    await register(app, { parent: async () => 'continue' })
    app.get('/', () => 'ok')
    expect((await app.inject('/')).payload).toBe('ok')
    const { err } = await line('the observer of a request failed')
    expect(err).toMatchObject({ message: expect.stringContaining('got a promise') })
    expect(received.now).toEqual([])
  })

  it.each([
    ['upper case', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a span id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['the version ff', `ff-${TRACE}-${SPAN}-01`],
    ['more than 55 characters', `${VALID}-00`],
    ['fewer', VALID.slice(0, -1)],
    ['two values', `${VALID}, ${VALID}`],
    ['no flags', `00-${TRACE}-${SPAN}`],
  ])('is none for a traceparent with %s; the tracestate is dropped', async (_what, traceparent) => {
    const span = await spanOf({ parent: 'continue' }, { traceparent, tracestate: 'vendor=1' })
    expect(span.parentSpanContext).toBeUndefined()
    expect(span.spanContext().traceState).toBeUndefined()
    const linking = await spanOf({ parent: 'link' }, { traceparent })
    expect(linking.links).toEqual([])
  })

  it('is read from a later version, which may be longer', async () => {
    const span = await spanOf({ parent: 'continue' }, { traceparent: `01-${TRACE}-${SPAN}-03-more` })
    expect(span.parentSpanContext).toMatchObject({ spanId: SPAN, traceFlags: 1 })
  })

  it('is never made of another text than the rule allows', async () => {
    const app = createApp()
    await register(app, { parent: 'continue' })
    app.get('/', () => trace.getActiveSpan()?.spanContext().traceId)
    const hex = (length: number) =>
      fc.string({
        unit: fc.constantFrom(...'0123456789abcdefA-'.split('')),
        minLength: length,
        maxLength: length,
      })
    const parts = fc.tuple(hex(2), hex(32), hex(16), hex(2)).map((all) => all.join('-'))
    await fc.assert(
      fc.asyncProperty(fc.oneof(parts, fc.string({ maxLength: 60 })), async (text) => {
        const traceparent = text.replace(/[^\x21-\x7e]/g, '-')
        const { payload } = await app.inject({ url: '/', headers: { traceparent } })
        const isValid =
          /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(traceparent) ||
          /^(?!ff|00)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}-/.test(traceparent)
        expect(payload === traceparent.slice(3, 35)).toBe(isValid)
      }),
      { numRuns: 300, examples: [[VALID]] },
    )
  })

  it('comes with the baggage of the caller with continue, by the global propagator', async () => {
    propagation.setGlobalPropagator(new W3CBaggagePropagator())
    const app = createApp()
    await register(app, { parent: 'continue' })
    app.register(async (child) => {
      await register(child, { parent: 'link' })
      child.get('/linked', () => propagation.getActiveBaggage()?.getEntry('tenant')?.value ?? 'none')
    })
    app.get('/', () => propagation.getActiveBaggage()?.getEntry('tenant')?.value ?? 'none')
    const headers = { baggage: 'tenant=blue' }
    expect((await app.inject({ url: '/', headers })).payload).toBe('blue')
    expect((await app.inject({ url: '/linked', headers })).payload).toBe('none')
  })
})
