// One suite over every transport: the same requests in-process and through a real socket, so that no behaviour
// depends on how a request arrives.
import { afterEach, describe, expect, it } from 'vitest'
import type { App } from './app-shape.ts'
import { certificate } from './certificate.ts'
import { shareOf } from './share.ts'
import { factory, isPeer, subjectName } from './subject.ts'
import type { SendRequest, SentResponse } from './send.ts'
import { sendFetch, sendHttp2, sendInject, sendMemory, sendSocket } from './send.ts'

/** The transports of the harness. */
export type TransportName = 'in-process' | 'socket' | 'wire' | 'http2' | 'memory' | 'fetch'

/** What a suite works with. */
export interface Suite {
  /** The value of `request.protocol` without a proxy. */
  readonly protocol: 'http' | 'https'
  readonly transport: TransportName
  readonly it: typeof it
  readonly expect: typeof expect
  /** Returns a test of one of our own decisions, which does not run on Fastify, for the given reason. */
  readonly ours: (reason: string) => Test
  /** Returns a test of behaviour from Fastify 5.x, which does not run on Fastify 4.x. */
  readonly since5: (reason: string) => Test
  /** Returns a test of behaviour from Fastify 4.x, which does not run on Fastify 5.x. */
  readonly line4: (reason: string) => Test
  /**
   * Returns a test of Node's own objects, which does not run over transports without them, for the given reason.
   *
   * @param test - the test function for the other transports; the default is `it`
   */
  readonly overNode: (reason: string, test?: Test) => Test
  /**
   * Returns a test of something that no `Request` or `Response` of the web platform has, which does not run there,
   * for the given reason.
   *
   * @param test - the test function for the other transports; the default is `it`
   */
  readonly unlessFetch: (reason: string, test?: Test) => Test
  /** Creates an app that is closed after the test. */
  createApp(options?: Record<string, unknown>): App
  /** Sends one request and reads the whole response; makes the app listen first if the transport needs it. */
  send(app: App, request: SendRequest): Promise<SentResponse>
}

/** A test function that may skip the test. */
export type Test = ReturnType<typeof it.skipIf>

const SENDERS = {
  'in-process': sendInject,
  socket: sendSocket,
  wire: sendSocket,
  http2: sendHttp2,
  memory: sendMemory,
  fetch: sendFetch,
}

const EVERYWHERE: readonly TransportName[] = ['in-process', 'socket', 'memory', 'fetch']

/** Transports without any object of Node's HTTP. Fastify has none of them. */
const WITHOUT_NODE: ReadonlySet<TransportName> = new Set(['memory', 'fetch'])

/** `CLOISTER_WIRE_TLS=1` runs the suites of our engine over TLS. */
export const isWireEncrypted = process.env['CLOISTER_WIRE_TLS'] === '1'

/** Default options of the apps, by transport. */
const DEFAULTS: Readonly<Record<TransportName, Record<string, unknown>>> = {
  'in-process': {},
  socket: isPeer ? {} : { transport: 'node' },
  wire: { transport: 'auto' },
  http2: { http2: true, forceCloseConnections: false },
  memory: {},
  fetch: {},
}

/** Suites over a socket run over both engines; Fastify only has that of Node. */
function withWire(transports: readonly TransportName[]): readonly TransportName[] {
  if (isPeer) return transports.filter((one) => !WITHOUT_NODE.has(one))
  return transports.flatMap((one): TransportName[] => (one === 'socket' ? ['socket', 'wire'] : [one]))
}

function skippedWhen(condition: boolean): Test {
  return condition ? it.skip : it
}

/** Returns a test of one of our own decisions, which does not run on Fastify, for the given reason. */
export function ours(reason: string): Test {
  if (reason === '') throw new Error('ours() wants the reason why the peers differ')
  return skippedWhen(isPeer)
}

/** Returns a test of behaviour from Fastify 5.x, which does not run on Fastify 4.x. */
export function since5(reason: string): Test {
  if (reason === '') throw new Error('since5() wants the reason why 4.x differs')
  return skippedWhen(subjectName === 'fastify4')
}

/** Returns a test of behaviour from Fastify 4.x, which does not run on Fastify 5.x. */
export function line4(reason: string): Test {
  if (reason === '') throw new Error('line4() wants the reason why 5.x differs')
  return skippedWhen(subjectName === 'fastify5')
}

/** The transports with Node's objects, for a suite about these. */
export function nodeTransports(reason: string): readonly TransportName[] {
  if (reason === '') throw new Error('nodeTransports() wants the reason why the suite needs objects of Node')
  return ['in-process', 'socket']
}

/** `CLOISTER_TRANSPORTS=in-process,memory` runs only these; mutation runs use the quick ones. */
const only = process.env['CLOISTER_TRANSPORTS']?.split(',')

/** Returns the transports that this run covers; a suite without any is skipped over its first transport. */
function wantedOf(transports: readonly TransportName[]): { transport: TransportName; isWanted: boolean }[] {
  const wanted = only === undefined ? transports : transports.filter((one) => only.includes(one))
  const isWanted = wanted.length > 0
  return (isWanted ? wanted : transports.slice(0, 1)).map((transport) => ({ transport, isWanted }))
}

/** Creates apps for tests and closes them after each test. Call it inside a `describe` or at the top of a file. */
export function useApps(defaults: Record<string, unknown> = {}): (options?: Record<string, unknown>) => App {
  const apps = new Set<App>()
  afterEach(async () => {
    const open = [...apps]
    apps.clear()
    // If a boot failed on purpose, close() fails with the same error, which the test has already seen.
    await Promise.allSettled(open.map((app) => app.close()))
  })
  return (options = {}) => {
    const app = factory({ forceCloseConnections: true, ...defaults, ...options })
    apps.add(app)
    return app
  }
}

/** Runs one suite over the given transports; a suite that also covers HTTP/2 must name it. */
export function describeTransports(
  name: string,
  define: (suite: Suite) => void,
  transports: readonly TransportName[] = EVERYWHERE,
): void {
  describeOver(name, define, withWire(transports))
}

/** The transports over which `npm test` runs suites about code that all transports share. */
const QUICK: ReadonlySet<TransportName> = new Set(['in-process', 'wire'])

/**
 * Runs one suite about code that all transports share, such as validation: in-process and over the engine with `npm
 * test`, over the others with `npm run check`. The file is in the list `SPLIT` of `vitest.config.ts`.
 */
export function describeBehind(
  name: string,
  define: (suite: Suite) => void,
  transports: readonly TransportName[] = EVERYWHERE,
): void {
  describeOver(
    name,
    define,
    shareOf(withWire(transports), (one) => QUICK.has(one)),
  )
}

function describeOver(
  name: string,
  define: (suite: Suite) => void,
  transports: readonly TransportName[],
): void {
  for (const { transport, isWanted } of wantedOf(transports)) {
    describe.runIf(isWanted)(`${name} (${transport})`, () => {
      const createPlain = useApps(DEFAULTS[transport])
      // Sets the options of the server where the TLS server reads them.
      const createEncrypted: typeof createPlain = (options = {}) =>
        createPlain({ ...options, https: { ...certificate(), ...Object(options['http']) } })
      const createApp = transport === 'wire' && isWireEncrypted ? createEncrypted : createPlain
      const send = SENDERS[transport]
      const overNode = (reason: string, test: Test = it): Test => {
        if (reason === '') throw new Error('overNode() wants the reason why the test needs objects of Node')
        return WITHOUT_NODE.has(transport) ? it.skip : test
      }
      const unlessFetch = (reason: string, test: Test = it): Test => {
        if (reason === '') throw new Error('unlessFetch() wants the reason why no Request or Response has it')
        return transport === 'fetch' ? it.skip : test
      }
      const protocol = createApp === createEncrypted ? 'https' : 'http'
      define({
        transport,
        protocol,
        it,
        expect,
        ours,
        since5,
        line4,
        overNode,
        unlessFetch,
        createApp,
        send,
      })
    })
  }
}
