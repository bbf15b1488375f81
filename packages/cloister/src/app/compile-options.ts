import { dependencies } from '../dependencies.ts'
import { atOnce, createError } from '../errors.ts'
import { isAddress } from '../exchange/host.ts'
import { isFunction } from '../guards.ts'
import type { AppOptions } from '../options/checked-options.generated.ts'
import type { RequestServices } from '../request/services.ts'

const NAMES: readonly string[] = ['loopback', 'linklocal', 'uniquelocal']

/**
 * Compiles the option `trustProxy` into a function that decides whether an address may set forwarded headers. Returns
 * `null` when no address may.
 */
export function compileTrust(trust: AppOptions['trustProxy']): RequestServices['trustProxy'] {
  if (trust === false) return null
  if (trust === true) return () => true
  if (isFunction(trust)) return (address, hop) => atOnce(trust(address, hop), 'trustProxy') === true
  if (typeof trust === 'number') return (_address, hop) => hop < trust
  if (typeof trust === 'string' || !('hops' in trust)) return compileAddresses(trust)
  const { hops } = trust
  const isFrom = compileAddresses(trust.from)
  return (address, hop) => hop < hops && isFrom(address, hop)
}

/** @throws `CLO_ERR_INIT_OPTS_INVALID` */
function compileAddresses(from: string | readonly string[]): (address: string, hop: number) => boolean {
  const entries = typeof from === 'string' ? from.split(',').map((entry) => entry.trim()) : [...from]
  for (const entry of entries) {
    // proxy-addr reads `1` as 0.0.0.1, and numbers with leading zeros as octal.
    if (!NAMES.includes(entry) && !isAddress(entry.split('/', 1)[0] ?? '')) throw refuse(entry)
  }
  try {
    return dependencies.proxyAddr().compile(entries)
  } catch (cause) {
    throw refuse(entries.join(', '), cause)
  }
}

function refuse(entry: string, cause?: unknown): Error {
  const wanted = `IP addresses, ranges ('10.0.0.0/8') or the names ${NAMES.join(', ')}`
  const problem = `'trustProxy' takes ${wanted}, got ${JSON.stringify(entry)}; a number of hops is { hops, from }`
  return createError('INIT_OPTS_INVALID', { problem }, { cause })
}

export function createQueryParser({ querystringParser }: AppOptions): (text: string) => unknown {
  if (querystringParser !== null) return (text) => atOnce(querystringParser(text), 'querystringParser')
  const { parse } = dependencies.fastQuerystring()
  return (text) => parse(text)
}
