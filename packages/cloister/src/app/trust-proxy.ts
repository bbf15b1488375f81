import { createError } from '../errors.ts'
import { isFunction, isLate } from '../functions.ts'
import { dependencies } from '../dependencies.ts'
import type { AppOptions } from '../options/app-options.ts'
import type { RequestServices } from '../request/services.ts'

/** Decides whether an address may set forwarded headers; `null` when none may. */
export function compileTrust(trust: AppOptions['trustProxy']): RequestServices['trustProxy'] {
  if (trust === false) return null
  if (trust === true) return () => true
  if (isFunction(trust)) {
    return (address, hop) => {
      const trusted = trust(address, hop)
      if (isLate(trusted)) throw createError('CALLBACK_NOT_SYNC', { name: 'trustProxy' })
      return trusted === true
    }
  }
  if (typeof trust === 'number') return (_address, hop) => hop < trust
  const list = typeof trust === 'string' ? trust.split(',').map((entry) => entry.trim()) : [...trust]
  return dependencies.proxyAddr.compile(list)
}
