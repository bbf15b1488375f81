import type { ListenOptions } from 'node:net'

import { createError } from '../errors.ts'
import { isFunction, isRecord, typeName } from '../guards.ts'
import { nearestName } from '../suggest.ts'

/** The checked arguments of `listen`. */
export interface ListenTarget {
  readonly options: ListenOptions
  readonly signal: CallOff | null
  readonly textResolver: (address: string) => string
}

/** An `AbortSignal` of any implementation. */
export type CallOff = Pick<AbortSignal, 'aborted' | 'addEventListener'>

const KNOWN: readonly string[] = (
  'port host path backlog exclusive readableAll writableAll ipv6Only reusePort fd signal ' +
  'listenTextResolver'
).split(' ')

function refuse(problem: string): never {
  throw createError('LISTEN_OPTIONS_INVALID', { problem })
}

/**
 * Checks the options of `listen`. Without host and path the app listens on `localhost`: on every loopback address that
 * the name resolves to.
 *
 * @throws `CLO_ERR_LISTEN_OPTIONS_INVALID`, with the most similar name
 */
function checkListenOptions(given: unknown): ListenTarget {
  if (!isRecord(given)) refuse(`expected an object such as { port: 3000 }, got ${typeName(given)}`)
  for (const name of Object.keys(given)) {
    if (KNOWN.includes(name)) continue
    refuse(`'${name}' is not an option${nearestName(name === 'hostname' ? 'host' : name, KNOWN)}`)
  }
  const { signal, listenTextResolver, port, host, path, ...rest } = given
  const resolver = isFunction(listenTextResolver)
    ? (address: string) => String(listenTextResolver(address))
    : (address: string) => `Server listening at ${address}`
  return {
    options: { ...rest, ...readAddress(port, host, path) },
    signal: readSignal(signal),
    textResolver: resolver,
  }
}

function readSignal(signal: unknown): CallOff | null {
  if (signal === undefined || signal === null) return null
  if (!isCallOff(signal)) refuse('options.signal must be an AbortSignal')
  return signal
}

function isCallOff(value: unknown): value is CallOff {
  return isRecord(value) && isFunction(value['addEventListener'])
}

/**
 * Checks the signal of `listen` synchronously, before any callback.
 *
 * @throws `CLO_ERR_LISTEN_OPTIONS_INVALID`
 */
export function assertSignal(given: unknown): void {
  if (isRecord(given)) readSignal(given['signal'])
}

function readAddress(port: unknown, host: unknown, path: unknown): ListenOptions {
  if (host != null && typeof host !== 'string') refuse(`host must be a string, got ${typeName(host)}`)
  if (path != null) {
    if (typeof path !== 'string') refuse(`path must be a string, got ${typeName(path)}`)
    if (path.includes('://')) refuse(`the URL ${path} is no address; give its port and host`)
    return { path }
  }
  const number = port == null ? 0 : Number(port)
  if (!Number.isInteger(number) || number < 0 || number > 65_535 || port === '') {
    refuse(`port must be an integer from 0 to 65535, got ${String(port)}`)
  }
  return { port: number, host: host ?? 'localhost' }
}

/**
 * Reads the arguments of `listen` without the callback: options, `(port, host?, backlog?)`, or a path.
 *
 * @throws `CLO_ERR_LISTEN_OPTIONS_INVALID`
 */
export function readListenTarget(given: readonly unknown[]): ListenTarget {
  const [first, host, backlog] = given
  if (first === undefined && given.length <= 1) return checkListenOptions({})
  if (isRecord(first)) return checkListenOptions(first)
  // A numeric string is a port, valid or not: `-1` is not the path of a socket.
  const isPath = typeof first === 'string' && Number.isNaN(Number(first))
  return checkListenOptions(isPath ? { path: first, backlog } : { port: first, host, backlog })
}
