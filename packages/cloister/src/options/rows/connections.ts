import {
  callback,
  either,
  flag,
  integer,
  milliseconds,
  oneOf,
  serverOptions,
  text,
  texts,
  timer,
  tls,
  trustedHops,
} from '../kinds.ts'
import { option, type OptionRows } from '../option-row.ts'

export const connectionOptions: OptionRows = {
  http: option(serverOptions, null, {
    doc: "Sets options of Node's `http.createServer`.",
    example: '{ http: { maxHeaderSize: 32_768 } }',
  }),
  https: option(tls, null, {
    doc: "Serves HTTPS with these options of Node's TLS server. With `http2`, `allowHTTP1: true` also accepts HTTP/1.1.",
    example: "{ https: { key: '…', cert: '…' } }",
  }),
  http2: option(flag, false, {
    doc: 'Serves HTTP/2: over TLS if `https` is set, otherwise in clear text (RFC 9113).',
    shown: 'given',
  }),
  http2SessionTimeout: option(milliseconds, 72_000, {
    doc: 'Limits the time that an HTTP/2 session may be without requests before it is closed.',
    fastify4: 'same; in Fastify, pings keep it open',
    shown: 'always',
  }),
  transport: option(oneOf('auto', 'node'), 'auto', {
    doc: "Selects what serves HTTP/1.1: `'auto'` the engine of `@cloister/wire`, or `node:http` if something needs it; `'node'` always `node:http`. `app.transport` has the choice and its reason. The environment variable `CLOISTER_TRANSPORT` (`auto` or `node`) overrides the option.",
    fastify4: 'ours',
    example: "{ transport: 'node' }",
  }),
  connectionTimeout: option(milliseconds, 0, {
    doc: 'Limits the time that a connection may be without traffic while a request is open before it is closed; 0 sets no limit. Between two requests `keepAliveTimeout` is the limit. It has no effect over HTTP/2.',
    shown: 'always',
  }),
  keepAliveTimeout: option(milliseconds, 72_000, {
    doc: 'Limits the time that a connection waits for its next request before it is closed.',
    shown: 'always',
  }),
  headersTimeout: option(milliseconds, 10_000, {
    doc: "Limits the time until the head of a request has arrived; later, the status is 408. The engine checks every 250 ms, `node:http` every 2 seconds. `http.headersTimeout` overrides this option; 0 sets no limit. Over HTTP/2, a session with open streams that has been silent for this time gets a PING, and is closed if it doesn't acknowledge it within this time.",
    fastify4: 'ours: in Fastify 60 seconds, checked every 30',
    shown: 'always',
  }),
  requestTimeout: option(milliseconds, 300_000, {
    doc: 'Limits the time until a request and its body have arrived; later, the status is 408. 0 sets no limit.',
    fastify4: 'differs: 0 in Fastify, so a slow client can hold its connection forever',
    shown: 'always',
  }),
  writeTimeout: option(timer, 30_000, {
    doc: 'Closes the connection of a client that reads nothing of its response for this time; each byte that it reads restarts it. The same limit applies to a body that the application leaves unread after its response, since it holds back the next request. Over HTTP/2 the limit applies to the session, and each stream must take 64 KiB in this time. 0 sets no limit.',
    fastify4: 'ours: in Fastify, such a client can hold its response forever',
    shown: 'always',
  }),
  maxHeadersCount: option(integer({ unit: 'header lines' }), 1000, {
    doc: 'Limits the header lines of a request. A request with more lines gets status 431. 0 sets no limit.',
    fastify4: 'ours: in Fastify, lines after the first 1,000 are dropped',
    shown: 'always',
  }),
  maxRequestsPerSocket: option(integer({ unit: 'requests' }), 0, {
    doc: 'Limits the requests of one connection; 0 sets no limit.',
    shown: 'always',
  }),
  forceCloseConnections: option(either(flag, oneOf('idle')), 'idle', {
    doc: "Sets what `close` does to open connections: `true` closes all, `'idle'` those without a request, `false` none.",
    shown: 'always',
  }),
  closeGraceMs: option(timer, 10_000, {
    doc: 'Limits the time that `close` waits for requests, upgraded connections and hooks. Then it closes the connections, and logs each hook that has not ended. 0 sets no limit.',
    fastify4: 'ours: in Fastify, a stuck client keeps `close` waiting',
  }),
  return503OnClosing: option(flag, true, {
    doc: 'Sends 503 to requests that arrive while the app closes. An app that `@cloister/operate` has drained serves them.',
    shown: 'always',
  }),
  serverFactory: option(callback('(handler: ServerHandler, options: Record<string, unknown>) => Raw'), null, {
    doc: "Creates Node's server from the request listener and all options; options about connections are then up to this function.",
    example: '{ serverFactory: (handler) => http.createServer(handler) }',
  }),
  clientErrorHandler: option(callback('(error: ConnectionError, socket: Socket) => void'), null, {
    doc: 'Handles malformed requests, on the socket itself.',
    example: "{ clientErrorHandler: (error, socket) => socket.end('HTTP/1.1 400 Bad Request\\r\\n\\r\\n') }",
  }),
  trustProxy: option(
    either(flag, text, integer(), texts, trustedHops, callback('(address: string, hop: number) => boolean')),
    false,
    {
      doc: 'Names the proxies trusted to set `X-Forwarded-For`, `X-Forwarded-Host` and `X-Forwarded-Proto`: addresses, ranges and the names `loopback`, `linklocal` and `uniquelocal`, as a list or separated by commas; `{ hops, from }`, at most that many proxies within the addresses `from`; a function of address and hop; `true` for every address. A number alone trusts that many hops, even a client that connects directly. `strict` rejects `true` and a number alone. [More](guide/production.md#behind-a-proxy).',
      fastify4:
        'differs: forwarded host and protocol count only if the connecting address is trusted, and only if they are a valid host and protocol; 5.x trusts no client by a number',
      example: "{ trustProxy: { hops: 2, from: ['10.0.0.0/8', '::1'] } }",
      shown: 'given',
      strictProblem: believesAnyone,
    },
  ),
}

/** Returns why apps with `strict: true` reject a value of `trustProxy`; `null` if the value limits who is trusted. */
function believesAnyone(given: unknown): string | null {
  const wayOut = "name your proxies by address ('10.0.0.0/8'), or as { hops: 1, from: '10.0.0.0/8' }"
  if (given === true) return `must not be true, which trusts every client; ${wayOut}`
  if (typeof given !== 'number') return null
  return `must not be a number alone (${given}), which also trusts a client that reaches the app directly; ${wayOut}`
}
