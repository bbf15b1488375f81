import { once } from 'node:events'
import { createServer } from 'node:http'
import * as http2 from 'node:http2'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { createNullLogger } from '../../../src/logging/logger.ts'
import { Connections } from '../../../src/transport/node/connections.ts'

const DEADLINES = { writeTimeout: 0, headersTimeout: 0, requestTimeout: 0, http2SessionTimeout: 0 }

it.each([
  ['HTTP/1.1', () => createServer(), false],
  ['HTTP/2', () => http2.createServer(), true],
] as const)('sockets are forgotten when they close: %s', async (_name, create, isHttp2) => {
  const server = create()
  const logs = { logger: createNullLogger(), logHasThrown: false }
  const connections = new Connections(DEADLINES, logs)
  Reflect.apply(connections.watch, connections, [server, isHttp2])
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address: AddressInfo = Object(server.address())
  const opened = once(server, 'connection')
  const client = connect(address.port, '127.0.0.1')
  const [socket] = await opened
  expect(connections.open.size).toBe(1)
  const closed = once(Object(socket), 'close')
  client.destroy()
  await closed
  expect(connections.open.size).toBe(0)
  server.close()
})
