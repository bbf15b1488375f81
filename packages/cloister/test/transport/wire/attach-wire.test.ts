import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../../src/exchange/exchange.ts'
import { createNullLogger } from '../../../src/logging/logger.ts'
import { checkOptions } from '../../../src/options/check-options.ts'
import type { TransportHost } from '../../../src/transport/transport.ts'
import { askedFor, attachWire } from '../../../src/transport/wire/attach-wire.ts'

/** An app with such options, what it logs, and how it responds. */
function createHost(options: object, receive: (exchange: Exchange) => void): [TransportHost, string[]] {
  const lines: string[] = []
  const logger = { ...createNullLogger(), info: (line: unknown) => void lines.push(String(line)) }
  return [Object({ options: checkOptions(options), intake: { receive }, logger }), lines]
}

it('a server is left to Node, with the reason, where the wire cannot serve it', () => {
  const server = createServer()
  const [host] = createHost({ transport: 'node' }, () => {})
  const before = server.listeners('connection')
  const lane = attachWire(server, () => {}, host, askedFor('node', undefined))
  const reason = "the option transport is 'node'"
  expect(lane).toEqual({ name: 'node', asked: 'node', reason, handedOver: {} })
  expect(server.listeners('connection')).toEqual(before)
})

it('a connection of the wire is cut, with a line in the log, when its client reads nothing', async () => {
  const server = createServer()
  const options = { transport: 'auto', writeTimeout: 30, http: { connectionsCheckingInterval: 10 } }
  const [host, lines] = createHost(options, (exchange) => {
    exchange.send(200, {}, Buffer.alloc(32 * 1024 * 1024))
  })
  expect(attachWire(server, () => {}, host, askedFor('auto', undefined))).toMatchObject({ name: 'wire' })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port }: AddressInfo = Object(server.address())
  const opened = once(server, 'connection')
  const client = connect(port, '127.0.0.1')
  client.on('error', () => {})
  client.pause()
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  const [socket] = await opened
  await once(Object(socket), 'close')
  client.destroy()
  server.close()
  expect(lines).toEqual([
    'a client has read nothing of its response for 30 ms (writeTimeout); its connection is cut',
  ])
})

describe('the lane that an app asks for', () => {
  it.each(['auto', 'node'] as const)(
    'is that of its option, %s, if the variable is absent or empty',
    (asked) => {
      for (const variable of [undefined, ''])
        expect(askedFor(asked, variable)).toEqual({ asked, by: 'the option transport' })
    },
  )

  it.each(['auto', 'node'] as const)('is that of the variable, %s, whatever the option says', (asked) => {
    for (const option of ['auto', 'node'] as const)
      expect(askedFor(option, asked)).toEqual({ asked, by: 'CLOISTER_TRANSPORT' })
  })

  it('is no other one, and the error names the variable and its value', () => {
    expect(() => askedFor('auto', 'wire')).toThrow(/CLOISTER_TRANSPORT must be 'auto' or 'node', got 'wire'/)
  })
})
