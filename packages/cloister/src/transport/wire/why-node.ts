import { whyNot } from '@cloister/wire'

import type { AppOptions } from '../../options/app-options.ts'
import type { AnyServer } from '../node/create-server.ts'

/** Options of `http.createServer` that change how requests are parsed or what they are made of. */
const CHANGES_REQUESTS: readonly string[] = [
  'IncomingMessage',
  'ServerResponse',
  'highWaterMark',
  'insecureHTTPParser',
  'joinDuplicateHeaders',
  'optimizeEmptyRequests',
  'rejectNonStandardBodyWrites',
  'shouldUpgradeCallback',
  'uniqueHeaders',
]

/**
 * Returns why the requests of an app are left to `node:http`, in words for a log line; `null` when the wire serves them.
 * It is safe where everything that an application can see of the server is as it is with `node:http`.
 */
export function whyNode(options: AppOptions, server: AnyServer): string | null {
  if (options.transport === 'node') return "the option transport is 'node'"
  if (options.serverFactory !== null) return 'the option serverFactory makes the server'
  if (options.http2) return 'the option http2 is set'
  for (const given of [options.http, options.https]) {
    const changed = given === null ? undefined : findChange(given)
    if (changed !== undefined) return `the option ${changed} of the server is set`
  }
  return whyNot(server)
}

function findChange(given: object): string | undefined {
  if (Reflect.get(given, 'requireHostHeader') === false) return 'requireHostHeader'
  return CHANGES_REQUESTS.find((name) => {
    const value: unknown = Reflect.get(given, name)
    return value !== undefined && value !== false
  })
}
