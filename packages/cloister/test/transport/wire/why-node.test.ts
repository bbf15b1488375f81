import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { checkOptions } from '../../../src/options/check-options.ts'
import type { AnyServer } from '../../../src/transport/node/create-server.ts'
import { whyNode } from '../../../src/transport/wire/attach-wire.ts'

/** Why the requests of an app with such options are left to `node:http`. */
const why = (options: object, server: AnyServer = createServer()): string | null =>
  whyNode(checkOptions({ transport: 'auto', ...options }), server, () => {})

describe('the wire serves an app', () => {
  it('whose server is as Node makes it', () => {
    expect(why({})).toBeNull()
    expect(why({ http: {} })).toBeNull()
    expect(why({ http: { requireHostHeader: true, keepAlive: true, insecureHTTPParser: false } })).toBeNull()
  })

  it.each([
    [{ serverFactory: () => createServer() }, 'the option serverFactory makes the server'],
    [{ http2: true }, 'the option http2 is set'],
    [{ http: { insecureHTTPParser: true } }, 'the option insecureHTTPParser of the server is set'],
    [{ http: { highWaterMark: 1024 } }, 'the option highWaterMark of the server is set'],
    [{ http: { requireHostHeader: false } }, 'the option requireHostHeader of the server is set'],
    [{ https: { joinDuplicateHeaders: true } }, 'the option joinDuplicateHeaders of the server is set'],
    [{ https: { requireHostHeader: false } }, 'the option requireHostHeader of the server is set'],
  ])('unless its options say otherwise: %j', (options, reason) => {
    expect(why(options)).toBe(reason)
  })

  it('unless something has wrapped the listener of its server', () => {
    expect(
      why(
        {},
        createServer(() => {}),
      ),
    ).toBe('the server has a listener of request that is not of the app')
  })

  it('unless its server is another one', () => {
    const other: AnyServer = Object({ listen() {}, close() {}, listeners: () => [] })
    expect(why({}, other)).toBe('the server is not one of node:http')
  })
})
