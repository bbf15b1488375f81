import { look } from '../../foreign.ts'
import type { AnyServer } from './create-server.ts'
import type { Dictionary } from '../../guards.ts'

/** Ciphers without certificates. */
const WITHOUT = /NULL|ADH|AECDH|PSK/

/**
 * Names what a TLS server lacks, without which each handshake fails; `null` if nothing is missing for certain. The
 * application may have given the server its certificates by `setSecureContext` or `addContext`.
 */
export function missingForTls(server: AnyServer, https: Dictionary | null): string | null {
  if (https === null || !('setSecureContext' in server)) return null
  const has = (name: string): boolean => [https[name], look(server, name)].some((value) => value != null)
  const contexts = look(server, '_contexts')
  const selects = ['SNICallback', 'pskCallback', 'pfx'].some(has)
  if (selects || (Array.isArray(contexts) && contexts.length > 0)) return null
  if (WITHOUT.test(String(https['ciphers']))) return null
  const missing = [
    ...(has('key') || has('privateKeyIdentifier') ? [] : ["'key'"]),
    ...(has('cert') ? [] : ["'cert'"]),
  ]
  return missing.length === 0 ? null : missing.join(' and ')
}
