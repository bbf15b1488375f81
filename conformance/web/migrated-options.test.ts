// The options that `cloister migrate` writes for `@cloister/web` do what the plugin did with its own: both run, and the
// responses to browsers are compared.
import { mkdtempSync, rmSync, symlinkSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '@cloister/cli'
import { web } from '@cloister/web'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { App, InjectedResponse } from '../harness/app-shape.ts'
import { registerPlugin } from '../harness/register-plugin.ts'
import { useApps } from '../harness/transports.ts'

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))
let folder: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cloister-migrated-'))
  mkdirSync(path.join(folder, 'node_modules'))
  symlinkSync(path.join(modules, '@fastify'), path.join(folder, 'node_modules/@fastify'))
  writeFileSync(path.join(folder, 'package.json'), '{"dependencies":{"fastify":"^5.0.0"}}')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Returns the value of a module. */
async function valueOf(text: string): Promise<object> {
  const loaded: { readonly default: object } = await import(
    `data:text/javascript,${encodeURIComponent(`export default ${text}`)}`
  )
  return loaded.default
}

/** Returns the options of the call that the command writes. */
async function migrated(plugin: string, options: string): Promise<object> {
  writeFileSync(path.join(folder, 'app.mjs'), `app.register(require('${plugin}'), ${options})`)
  const { output } = await run(['migrate', '--dry-run'], folder)
  return valueOf(/await app\.register\(web, ([^]*?\n\})\)/.exec(output)?.[1] ?? 'null')
}

interface Sent {
  readonly method?: string
  readonly url: string
  readonly headers: Record<string, string>
}

/** A request, which may depend on the response before. */
type Ask = (last: InjectedResponse | null) => Sent

const from =
  (origin: string): Ask =>
  () => ({ url: '/books', headers: { origin } })
const GET = from('https://shop.example')
const OTHER = from('https://evil.test')
const PREFLIGHT: Ask = () => ({
  method: 'OPTIONS',
  url: '/books',
  headers: {
    origin: 'https://shop.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'x-one',
  },
})
const AGAIN: Ask = (last) => ({ url: '/books', headers: { 'if-none-match': String(last?.headers['etag']) } })
const coded =
  (url: string): Ask =>
  () => ({ url, headers: { 'accept-encoding': 'gzip' } })

const ofCors = /^access-control-/
const ofHelmet = /policy|^x-|transport|agent-cluster/

/** Which fields of which responses are compared, besides the kind of the status. */
const CASES: readonly (readonly [
  plugin: string,
  options: string,
  fields: RegExp | null,
  asks: readonly Ask[],
])[] = [
  [
    '@fastify/cors',
    "{ origin: 'https://shop.example', credentials: true, maxAge: 5, methods: ['GET', 'POST'] }",
    ofCors,
    [GET, PREFLIGHT],
  ],
  [
    '@fastify/cors',
    "{ origin: ['https://shop.example', /^https:\\/\\/a\\.example$/], exposedHeaders: 'etag', allowedHeaders: 'x-one', maxAge: 5, methods: 'POST' }",
    ofCors,
    [GET, PREFLIGHT],
  ],
  ['@fastify/cors', "{ origin: ['https://shop.example'] }", /allow-origin|^vary/, [GET, OTHER]],
  ['@fastify/cors', '{}', /allow-origin|allow-credentials/, [GET, OTHER]],
  ['@fastify/cors', '{ origin: false }', /allow-origin/, [GET, OTHER]],
  ['@fastify/helmet', '{}', ofHelmet, [GET]],
  [
    '@fastify/helmet',
    '{ contentSecurityPolicy: false, hsts: { maxAge: 60, preload: true } }',
    ofHelmet,
    [GET],
  ],
  [
    '@fastify/helmet',
    "{ contentSecurityPolicy: { directives: { scriptSrc: [\"'self'\", 'cdn.example'] } }, frameguard: { action: 'deny' }, noSniff: false }",
    ofHelmet,
    [GET],
  ],
  ['@fastify/etag', '{}', null, [GET, AGAIN]],
  ['@fastify/etag', '{ weak: true }', null, [GET, AGAIN]],
  [
    '@fastify/compress',
    "{ encodings: ['gzip'], threshold: 100 }",
    /^content-encoding$/,
    [coded('/long'), coded('/books')],
  ],
  ['@fastify/compress', '{}', /^content-encoding$/, [coded('/long'), coded('/books')]],
  ['@fastify/rate-limit', "{ max: 2, timeWindow: '1 hour' }", null, [GET, GET, GET]],
]

function addRoutes(app: App): void {
  app.get('/books', () => 'books')
  app.post('/books', () => 'saved')
  app.get('/long', (_request, reply) => reply.type('text/plain').send('long '.repeat(1000)))
}

/** Spaces and case mean nothing in these fields. */
const shown = ({ statusCode, headers }: InjectedResponse, fields: RegExp | null): object => ({
  status: statusCode === 304 ? 304 : Math.floor(statusCode / 100),
  ...Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => fields?.test(name))
      .map(([name, value]) => [name, String(value).toLowerCase().replaceAll(' ', '')]),
  ),
})

async function ask(app: App, asks: readonly Ask[], fields: RegExp | null): Promise<object[]> {
  addRoutes(app)
  const seen: object[] = []
  let last: InjectedResponse | null = null
  for (const one of asks) {
    last = await app.inject({ ...one(last) })
    seen.push(shown(last, fields))
  }
  return seen
}

describe('options that cloister migrate writes', () => {
  const createApp = useApps()
  it.each(CASES)('do what those of %s did: %s', async (plugin, options, fields, asks) => {
    const loaded: { readonly default: object } = await import(plugin)
    const [before, after] = [createApp({}), createApp({})]
    await registerPlugin(before, loaded.default, await valueOf(options))
    await registerPlugin(after, web, await migrated(plugin, options))
    expect(await ask(after, asks, fields)).toEqual(await ask(before, asks, fields))
  })
})
