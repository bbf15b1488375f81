import type { ListenOptions } from 'node:net'

import { createError } from '../errors.ts'
import { isFunction, isRecord, typeName } from '../functions.ts'
import { nearestName } from '../nearest-name.ts'

/** Where an app shall listen; what `listen` was called with, checked. */
export interface ListenTarget {
  readonly options: ListenOptions
  readonly signal: AbortSignal | null
  readonly textResolver: (address: string) => string
}

const KNOWN: readonly string[] = [
  'port',
  'host',
  'path',
  'backlog',
  'exclusive',
  'readableAll',
  'writableAll',
  'ipv6Only',
  'reusePort',
  'fd',
  'signal',
  'listenTextResolver',
]

function refuse(problem: string): never {
  throw createError('LISTEN_OPTIONS_INVALID', { problem })
}

/**
 * Checks the options of `listen`. Without host and path the app listens on `localhost`, that is on every loopback
 * address that the name stands for.
 *
 * @throws `CLO_ERR_LISTEN_OPTIONS_INVALID`, with the nearest known name
 */
export function checkListenOptions(given: unknown): ListenTarget {
  if (!isRecord(given)) refuse(`expected an object such as { port: 3000 }, got ${typeName(given)}`)
  for (const name of Object.keys(given)) {
    if (!KNOWN.includes(name)) refuse(`'${name}' is not an option${nearestName(name, KNOWN)}`)
  }
  const { signal = null, listenTextResolver, port, host, path, ...rest } = given
  if (signal !== null && !(signal instanceof AbortSignal)) refuse('options.signal must be an AbortSignal')
  const resolver = isFunction(listenTextResolver)
    ? (address: string) => String(listenTextResolver(address))
    : (address: string) => `Server listening at ${address}`
  return {
    options: { ...rest, ...readAddress(port, host, path) },
    signal,
    textResolver: resolver,
  }
}

function readAddress(port: unknown, host: unknown, path: unknown): ListenOptions {
  if (host != null && typeof host !== 'string') refuse(`host must be a string, got ${typeName(host)}`)
  if (path != null) {
    if (typeof path !== 'string') refuse(`path must be a string, got ${typeName(path)}`)
    return { path }
  }
  const number = port == null ? 0 : Number(port)
  if (!Number.isInteger(number) || number < 0 || number > 65_535 || port === '') {
    refuse(`port must be an integer from 0 to 65535, got ${String(port)}`)
  }
  return { port: number, host: host ?? 'localhost' }
}

/**
 * Reads what `listen` was called with, apart from a callback: options, or `(port, host?, backlog?)`, or a path.
 *
 * @throws `CLO_ERR_LISTEN_OPTIONS_INVALID`
 */
export function readListenTarget(given: readonly unknown[]): ListenTarget {
  const [first, host, backlog] = given
  if (first === undefined && given.length <= 1) return checkListenOptions({})
  if (isRecord(first)) return checkListenOptions(first)
  const isPath = typeof first === 'string' && !/^\d+$/.test(first)
  const address = isPath ? { path: first } : { port: first, ...(host === undefined ? {} : { host }) }
  return checkListenOptions({ ...address, ...(backlog === undefined ? {} : { backlog }) })
}
