import { createRequire } from 'node:module'
import path from 'node:path'

import { equal, note, noted, NOTHING, quoted } from './equal.ts'
import type { Equal, Given, PeerRows, Row } from './equal.ts'

/** Response headers by their names in lower case. */
type Headers = Readonly<Record<string, string>>

/** The headers of `web` with `headers: 'api'`, which an object of headers changes. */
const OF_API = [
  'content-security-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
]

/** Sets the headers of a response; a part of the installed `helmet`. */
type Helmet = (
  options: object,
) => (request: object, response: object, done: (error?: unknown) => void) => void

/**
 * The options of `@fastify/helmet`: the headers are those that the `helmet` of the project sets with the same options.
 *
 * @param folder - of the project
 */
export function helmetRows(folder: string): PeerRows {
  const own: Row = () => NOTHING
  const names = [
    'contentSecurityPolicy',
    'crossOriginEmbedderPolicy',
    'crossOriginOpenerPolicy',
    'crossOriginResourcePolicy',
    'dnsPrefetchControl',
    'xDnsPrefetchControl',
    'expectCt',
    'frameguard',
    'xFrameOptions',
    'hidePoweredBy',
    'xPoweredBy',
    'hsts',
    'strictTransportSecurity',
    'ieNoOpen',
    'xDownloadOptions',
    'noSniff',
    'xContentTypeOptions',
    'originAgentCluster',
    'permittedCrossDomainPolicies',
    'xPermittedCrossDomainPolicies',
    'referrerPolicy',
    'xssFilter',
    'xXssProtection',
  ]
  return {
    rows: {
      ...Object.fromEntries(names.map((name) => [name, own])),
      enableCSPNonces: noted(
        'not needed: reply.cspNonce() returns one nonce for scripts and styles, and adds it to the policy',
      ),
      global: ({ literal }) =>
        literal?.value === false
          ? equal({ headers: 'false' }, "web: { headers: 'helmet' } on the routes that had the option helmet")
          : NOTHING,
    },
    defaults: (given) => headersOf(folder, given),
  }
}

function headersOf(folder: string, given: Readonly<Record<string, Given>>): Equal {
  const { enableCSPNonces: _nonces, global, ...options } = given
  if (global?.literal?.value === false) return NOTHING
  if (Object.keys(options).length === 0) return equal({ headers: "'helmet'" })
  const unread = Object.keys(options).filter((name) => options[name]?.literal === null)
  if (unread.length > 0)
    return note(
      `${unread.join(', ')}: values are not in this file; write the headers by name: headers: { 'header-name': 'value' }`,
    )
  const helmet = loadHelmet(folder)
  if (helmet === null)
    return note('helmet is not installed, so its headers are not known: install, and run this again')
  const values = Object.fromEntries(Object.entries(options).map(([name, one]) => [name, one.literal?.value]))
  const headers = run(helmet, values)
  if (typeof headers === 'string') return note(`helmet refuses these options: ${headers}`)
  const asDefault = JSON.stringify(headers) === JSON.stringify(run(helmet, {}))
  return equal({ headers: asDefault ? "'helmet'" : objectText(headers) })
}

function loadHelmet(folder: string): Helmet | null {
  try {
    const ofProject = createRequire(path.join(folder, 'package.json'))
    const ofPlugin = createRequire(ofProject.resolve('@fastify/helmet'))
    const loaded: unknown = ofPlugin('helmet')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the only form of this package
    return typeof loaded === 'function' ? (loaded as Helmet) : null
  } catch {
    return null
  }
}

/** Returns the headers that helmet sets, or the message of the error that it throws. */
function run(helmet: Helmet, options: object): Headers | string {
  const headers: Record<string, string> = {}
  const response = {
    setHeader: (name: string, value: unknown) => (headers[name.toLowerCase()] = String(value)),
    removeHeader: (name: string) => void delete headers[name.toLowerCase()],
  }
  try {
    helmet(options)({}, response, (error) => {
      if (error !== undefined) throw new Error(String(error))
    })
    return headers
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function objectText(headers: Headers): string {
  const left = OF_API.filter((name) => headers[name] === undefined).map((name) => `'${name}': false`)
  const set = Object.entries(headers).map(([name, value]) => `'${name}': ${quoted(value)}`)
  return `{ ${[...set, ...left].join(', ')} }`
}
