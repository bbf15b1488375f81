import { createRequire } from 'node:module'
import path from 'node:path'

/**
 * The packages that an app loads at its start if it needs them. What it has not loaded while it was built stays an
 * import: on Node it is in `node_modules`, and its code would only be read at each start. What a request may need first,
 * the parser of forms and `ws`, is none of them: a file that is deployed alone has it.
 */
export const LAZY_PACKAGES: readonly string[] = [
  'ajv',
  'ajv-formats',
  'fast-uri',
  '@fastify/proxy-addr',
  'light-my-request',
  'pino',
  'safe-regex2',
  'semver',
  'set-cookie-parser',
]

/** The command itself sends requests by this one. */
const OWN = new Set(['light-my-request', 'set-cookie-parser'])

/** Returns those that this process has loaded, apart from what sent the requests. */
export function loadedPackages(): string[] {
  const files = Object.keys(createRequire(path.resolve('any.js')).cache).map((file) =>
    file.replaceAll('\\', '/'),
  )
  return LAZY_PACKAGES.filter(
    (name) => !OWN.has(name) && files.some((file) => file.includes(`/node_modules/${name}/`)),
  )
}
