import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { ListenOptions, AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'

import { dependencies } from '../../dependencies.ts'
import { look } from '../../foreign.ts'
import { hush, isFunction } from '../../guards.ts'
import { nextTurn } from '../../platform.ts'
import type { AnyServer } from './create-server.ts'
import type { ListenTarget } from '../listen-options.ts'

/** Binds the main server and, for `localhost`, another server for each other loopback address. */
export async function bindAll(
  main: AnyServer,
  createServer: () => AnyServer,
  { options }: ListenTarget,
): Promise<{ servers: AnyServer[]; address: string }> {
  await bind(main, options)
  const servers = [main]
  const bound = main.address()
  if (options.host === 'localhost' && typeof bound === 'object' && bound !== null) {
    const { lookup } = dependencies.dns()
    for (const { address } of await lookup('localhost', { all: true }).catch(() => [])) {
      if (address === bound.address) continue
      const secondary = createServer()
      // If an address can't be bound (without IPv6), the main one still works.
      const isBound = await bind(secondary, { ...options, host: address, port: bound.port }).then(
        () => true,
        () => false,
      )
      if (!isBound) continue
      forwardUpgrades(secondary, main)
      main.once('close', () => secondary.close())
      servers.push(secondary)
    }
  }
  return { servers, address: originOf(bound ?? '', 'setSecureContext' in main) }
}

/**
 * Passes requests for another protocol to the listeners of the main server. Without any, the secondary server has none
 * either: Node then handles these requests like others.
 */
function forwardUpgrades(
  secondary: AnyServer,
  main: AnyServer & { shouldUpgradeCallback?(request: IncomingMessage): boolean },
): void {
  const forward = (...args: unknown[]): boolean => main.emit('upgrade', ...args)
  const begin = (name: string | symbol): void => {
    if (name !== 'upgrade') return
    main.off('newListener', begin)
    secondary.on('upgrade', forward)
  }
  main.on('newListener', begin)
  if (main.listenerCount('upgrade') > 0) begin('upgrade')
  // Node has it from 24.9 on.
  if (isFunction(main.shouldUpgradeCallback))
    Object.assign(secondary, {
      shouldUpgradeCallback: (request: IncomingMessage) => main.shouldUpgradeCallback?.(request),
    })
}

/** An app that closes gives its port back some turns later, since it accepts the connections that wait. */
const TURNS_TO_CLOSE = 5

async function bind(server: AnyServer, options: ListenOptions): Promise<void> {
  for (let turn = 0; ; turn++) {
    const bound = hush(once(server, 'listening'))
    server.listen(options)
    try {
      await bound
      return
    } catch (cause) {
      if (look(cause, 'code') !== 'EADDRINUSE' || turn === TURNS_TO_CLOSE) throw explain(cause, options)
    }
    await nextTurn()
  }
}

type Advice = Readonly<Record<string, string>>

/** Adds advice to Node's error. */
function explain(cause: unknown, options: ListenOptions): unknown {
  const { path } = options
  const advice = path === undefined ? adviceForPort(options) : adviceForSocket(path)
  const hint = advice[String(look(cause, 'code'))]
  if (cause instanceof Error && hint !== undefined) cause.message = `${cause.message} (${hint})`
  return cause
}

function adviceForPort({ port, host }: ListenOptions): Advice {
  const where = `${host}:${port}`
  return {
    EADDRINUSE: `${where} is in use by another process; stop it or choose another port (port 0 takes a free one)`,
    EACCES: `this process may not listen on ${where}; ports below 1024 need privileges`,
    ENOTFOUND: `${host} is no known name; write an address of this machine, or host: '0.0.0.0' for all`,
    EADDRNOTAVAIL: `${host} is not an address of this machine`,
  }
}

/** A process that was killed leaves its socket. Node reports a folder that does not exist as `EACCES`. */
function adviceForSocket(path: string): Advice {
  return {
    EADDRINUSE: `${path} exists; stop the process that listens there, or remove the file if none does`,
    EACCES: `the folder of ${path} does not exist, or this process may not write to it`,
  }
}

/** Returns the address of a bound server as text: `http://127.0.0.1:3000`, or the path of a socket. */
export function originOf(address: AddressInfo | string, isSecure: boolean): string {
  if (typeof address === 'string') return address
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `${isSecure ? 'https' : 'http'}://${host}:${address.port}`
}

/** Returns the URLs of a server. An unspecified address means all addresses of the machine. */
export function reachableAt(origin: string): readonly string[] {
  if (!origin.includes('//0.0.0.0:') && !origin.includes('//[::]:')) return [origin]
  const family = origin.includes('0.0.0.0') ? 'IPv4' : ''
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter((one) => family === '' || one.family === family)
    .map((one) =>
      origin.replace(/0\.0\.0\.0|\[::\]/, one.family === 'IPv6' ? `[${one.address}]` : one.address),
    )
}
