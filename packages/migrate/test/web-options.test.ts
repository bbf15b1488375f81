// `cloister migrate` on small projects that register the plugins which `@cloister/web` replaces.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { peersOf } from '../src/web/peers.ts'
import { run } from './run.ts'

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url))
let folder: string
const write = (name: string, text: string): void => {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
  writeFileSync(path.join(folder, name), text)
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cli-migrate-web-'))
  write('package.json', '{"name":"shop","dependencies":{"fastify":"^5.0.0"}}')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Returns what the command says about `@cloister/web`. */
async function report(source: string, name = 'src/app.ts'): Promise<string> {
  write(name, source)
  const { output } = await run(['--dry-run'], folder)
  return /Plugins that @cloister\/web[^]*/.exec(output)?.[0] ?? ''
}

/** Returns the equal options of a registration, and its notes. */
async function mapped(plugin: string, options: string): Promise<string> {
  const text = await report(`import plugin from '${plugin}'\napp.register(plugin, ${options})\n`)
  return /^- `src\/app.ts:2` \S+: ([^]*?)\n(?:\n|$|- )/m.exec(`${text}\n`)?.[1] ?? text
}

const options = async (plugin: string, given: string): Promise<string> =>
  (await mapped(plugin, given)).split('\n')[0]?.slice(1, -1) ?? ''

describe('registrations', () => {
  it.each([
    ["import cors from '@fastify/cors'\nawait app.register(cors, { maxAge: 5 })", 2],
    ["import { fastifyCors as c } from '@fastify/cors'\n\napp.register(c, { maxAge: 5 })", 3],
    ["import * as cors from '@fastify/cors'\napp.register(cors.default, { maxAge: 5 })", 2],
    ["import cors = require('@fastify/cors')\napp.register(cors, { maxAge: 5 })", 2],
    ["const cors = require('@fastify/cors')\napp.register(cors, { maxAge: 5 })", 2],
    ["const { fastifyCors } = require('@fastify/cors')\napp.register(fastifyCors, { maxAge: 5 })", 2],
    ["const { default: cors } = await import('@fastify/cors')\napp.register(cors, { maxAge: 5 })", 2],
    ["app.register(require('@fastify/cors'), { maxAge: 5 })", 1],
    ["app.register(require('@fastify/cors').default, { maxAge: 5 })", 1],
    ["app.register(import('@fastify/cors'), { maxAge: 5 })", 1],
    ["app.register(require('fastify-cors'), { maxAge: 5 })", 1],
    ["import cors from '@fastify/cors'\nconst given = { maxAge: 5 } as const\napp.register(cors, given)", 3],
    [
      "import cors, { type FastifyCorsOptions } from '@fastify/cors'\napp.register(cors, { maxAge: 5 } satisfies FastifyCorsOptions)",
      2,
    ],
    [
      "import fp from 'fastify-plugin'\nimport cors from '@fastify/cors'\nexport default fp(async (app: App) => {\n  app.get('/', () => 1).register(cors, { maxAge: 5 })\n})",
      4,
    ],
  ])('are found in any form: %s', async (source, line) => {
    expect(await report(source)).toContain(
      `- \`src/app.ts:${line}\` @fastify/cors: \`{ cors: { origin: '*', maxAge: 5 } }\``,
    )
  })

  it('of a project without the plugins are not mentioned', async () => {
    expect(
      await report("app.register(other, { maxAge: 5 })\napp.get('/', (request) => request.cookies)"),
    ).toBe('')
  })

  it('become one call, which switches off what no plugin did', async () => {
    const text = await report(`
import cors from '@fastify/cors'
import cookie from '@fastify/cookie'
import limit from '@fastify/rate-limit'
app.register(cors, { origin: ['https://a.example', /^https:\\/\\/b\\.example$/], credentials: true, methods: ['GET'] })
app.register(cookie, { secret: process.env.SECRET })
app.register(limit, { max: 100, timeWindow: '1 minute' })
`)
    expect(text).toContain(`
await app.register(web, {
  headers: false,
  csrf: false,
  conditional: false,
  origins: ['https://a.example', /^https:\\/\\/b\\.example$/],
  cors: { credentials: true, methods: ['GET'] },
  cookies: { keys: [process.env.SECRET] },
  limit: { max: 100, per: '1m' },
})`)
  })

  it('of one plugin at two places are listed, and no call is made up', async () => {
    const text = await report(
      "import cors from '@fastify/cors'\napp.register(cors, { origin: false })\nb.register(cors, { maxAge: 1 })",
    )
    expect(text).toMatch(/app\.ts:2.*\n(?:.*\n)*.*app\.ts:3/)
    expect(text).not.toContain('register(web')
  })
})

describe('what can not be mapped is named', () => {
  it.each([
    ['{ orgin: true }', 'orgin: no option of @fastify/cors'],
    ['{ ...defaults, maxAge: 1 }', '...defaults: not an object in this file'],
    ['{ [name]: 1 }', 'not an object in this file'],
    ['load()', 'load(): not an object in this file'],
    ['settings', 'settings: not an object in this file'],
    ['{ origin: config.origin }', 'origin: its value is not in this file'],
    ["{ origin: 'https://a.example/' }", "origin: 'https://a.example/' is not what browsers send"],
    [
      "{ origin: ['https://a.example', 'b.example', 5] }",
      'origin: b.example is not what browsers send, so it never matched',
    ],
    ['{ origin: /shop\\.example/ }', 'origin: /shop\\.example/ also matches other hosts'],
    ['{ origin: true, credentials: true }', 'origin: browsers refuse * with credentials'],
    ['{ credentials: true }', 'origin: browsers refuse * with credentials'],
    ['(request, done) => done(null, {})', 'delegator: write it per route'],
    [
      '{ origin: (origin, done) => done(null, true) }',
      'origin: write it as cors: { origin: (origin, request) => boolean }',
    ],
  ])('cors %s', async (given, text) => {
    const [, ...notes] = (await mapped('@fastify/cors', given)).split('\n')
    expect(notes.join('\n')).toContain(text)
  })

  it.each([
    [
      '@fastify/rate-limit',
      '{ max: (request) => 5, timeWindow: "soon" }',
      ['max: no equal', 'timeWindow: "soon" is no period'],
    ],
    [
      '@fastify/rate-limit',
      '{ redis, ban: 3, keyGenerator: async (r) => r.ip }',
      ['redis: limit: { store }', 'ban: no equal', 'keyGenerator: no equal'],
    ],
    [
      '@fastify/cookie',
      "{ secret: 'short', algorithm: 'sha1' }",
      ['at least 32 characters', 'algorithm: no equal'],
    ],
    [
      '@fastify/cookie',
      '{ parseOptions: { priority: "high", secure: "auto" } }',
      ['parseOptions.priority has no equal', "secure: 'auto' has no equal"],
    ],
    [
      '@fastify/compress',
      "{ encodings: ['br', 'deflate'], zlibOptions: {} }",
      ['encodings: deflate has no equal', 'zlibOptions: no equal'],
    ],
    [
      '@fastify/etag',
      '{ hashFn: (text) => text, replyWith304: false }',
      ['hashFn: no equal', 'replyWith304: no equal'],
    ],
    ['@fastify/csrf-protection', "{ sessionPlugin: '@fastify/cookie' }", ['sessionPlugin: not needed']],
    ['@fastify/helmet', '{ hsts: config.hsts }', ['hsts: values are not in this file']],
    ['@fastify/helmet', '{ hsts: false }', ['helmet is not installed']],
  ])('%s %s', async (plugin, given, texts) => {
    const found = await mapped(plugin, given)
    for (const text of texts) expect(found).toContain(text)
  })

  it('also a plugin that is loaded and registered elsewhere, or is only a dependency', async () => {
    write('package.json', '{"dependencies":{"fastify":"5","@fastify/etag":"6","@fastify/cors":"11"}}')
    const text = await report("import cors from '@fastify/cors'\nexport const plugins = [cors]")
    expect(text).toContain('src/app.ts:1 loads @fastify/cors, and no call of register')
    expect(text).toContain('package.json depends on @fastify/etag, and no source file here loads it')
  })
})

describe('options become equal ones', () => {
  it.each([
    ['@fastify/cors', '{}', "{ cors: { origin: '*' } }"],
    ['@fastify/cors', '{ origin: false }', '{ cors: false }'],
    ['@fastify/cors', '{ origin: true }', "{ cors: { origin: '*' } }"],
    [
      '@fastify/cors',
      "{ origin: 'https://a.example', exposedHeaders: 'ETag, Link', allowedHeaders: ['Authorization'] }",
      "{ origins: ['https://a.example'], cors: { expose: ['ETag', 'Link'], headers: ['Authorization'] } }",
    ],
    ['@fastify/helmet', '{}', "{ headers: 'helmet' }"],
    ['@fastify/helmet', '{ global: false }', '{ headers: false }'],
    [
      '@fastify/cookie',
      '{ secret: [process.env.NEW, process.env.OLD] }',
      '{ cookies: { keys: [process.env.NEW, process.env.OLD] } }',
    ],
    [
      '@fastify/cookie',
      '{ secret: key, parseOptions: { sameSite: true, maxAge: 60 * 60 } }',
      "{ cookies: { keys: [key].flat(), defaults: { sameSite: 'strict', maxAge: 60 * 60 } } }",
    ],
    ['@fastify/etag', '{ weak: true }', "{ conditional: 'weak' }"],
    ['@fastify/etag', '{}', '{ conditional: true }'],
    ['@fastify/csrf-protection', '{}', '{ csrf: true }'],
    ['@fastify/compress', '{}', '{ compress: true }'],
    ['@fastify/compress', '{ global: false, threshold: 5 }', '{ compress: false, decompress: false }'],
    [
      '@fastify/compress',
      "{ threshold: 2048, customTypes: /json$/, requestEncodings: ['gzip'] }",
      "{ compress: { above: 2048, types: (type) => /json$/.test(type) }, decompress: { codings: ['gzip'] } }",
    ],
    ['@fastify/rate-limit', '{}', "{ limit: { max: 1000, per: '1m' } }"],
    [
      '@fastify/rate-limit',
      "{ max: 5, timeWindow: 1000 * 60, skipOnError: true, groupId: 'a' }",
      "{ limit: { max: 5, per: 1000 * 60, onStoreFailure: 'allow', group: 'a' } }",
    ],
    [
      '@fastify/rate-limit',
      "{ max: 5, timeWindow: '2 weeks', allowList: ['10.0.0.1'] }",
      "{ limit: { max: 5, per: '14d', by: (request) => (['10.0.0.1'].includes(request.ip) ? null : request.ip) } }",
    ],
    ['@fastify/rate-limit', '{ global: false, max: 5 }', '{ limit: false }'],
  ])('%s %s', async (plugin, given, expected) => {
    expect(await options(plugin, given)).toBe(expected)
  })

  it('of helmet are the headers that the installed one sets', async () => {
    mkdirSync(path.join(folder, 'node_modules'))
    symlinkSync(path.join(modules, '@fastify'), path.join(folder, 'node_modules/@fastify'))
    const text = await options('@fastify/helmet', '{ contentSecurityPolicy: false, hsts: { maxAge: 60 } }')
    expect(text).toContain("'strict-transport-security': 'max-age=60; includeSubDomains'")
    expect(text).toContain("'content-security-policy': false")
    expect(text).toContain("'x-frame-options': 'SAMEORIGIN'")
    expect(await options('@fastify/helmet', '{ noSniff: true }')).toBe("{ headers: 'helmet' }")
    expect(await mapped('@fastify/helmet', '{ hsts: { maxAge: -1 } }')).toContain(
      'helmet refuses these options: ',
    )
  })
})

describe('code that uses the plugins', () => {
  it('is listed with what replaces it', async () => {
    const text = await report(`import cookie from '@fastify/cookie'
import csrf from '@fastify/csrf-protection'
import helmet from '@fastify/helmet'
import limit from '@fastify/rate-limit'
for (const one of [cookie, csrf, helmet, limit]) app.register(one)
app.get('/', { helmet: false, config: { rateLimit: { max: 1 } } }, (request, reply) => {
  reply.generateCsrf()
  return request.cookies.sid
})
app.post('/', { onRequest: app.csrfProtection }, () => page.cookies)
`)
    for (const line of [
      '`src/app.ts:6` `helmet`: web: { headers: false }',
      '`src/app.ts:6` `config.rateLimit`: web: { limit: { max, per } }',
      '`src/app.ts:7` `generateCsrf`: delete it',
      '`src/app.ts:8` `cookies`: the route declares what it reads',
      '`src/app.ts:10` `csrfProtection`: delete it',
    ])
      expect(text).toContain(line)
    expect(text).not.toContain('src/app.ts:10` `cookies`')
  })
})

describe('the tables', () => {
  const declared: Readonly<Record<string, readonly [file: string, type: RegExp]>> = {
    '@fastify/cors': ['@fastify/cors/types/index.d.ts', /interface FastifyCorsOptions \{([^]*?)\n {2}\}/],
    '@fastify/helmet': ['helmet/index.d.cts', /type HelmetOptions = ([^]*?)\ntype /],
    '@fastify/cookie': [
      '@fastify/cookie/types/index.d.ts',
      /interface FastifyCookieOptions \{([^]*?)\n {2}\}/,
    ],
    '@fastify/etag': ['@fastify/etag/types/index.d.ts', /interface FastifyEtagOptions \{([^]*?)\n {2}\}/],
    '@fastify/compress': [
      '@fastify/compress/types/index.d.ts',
      /interface FastifyCompressOptions \{([^]*?)\n {2}\}/,
    ],
    '@fastify/rate-limit': [
      '@fastify/rate-limit/types/index.d.ts',
      /interface CreateRateLimitOptions \{([^]*?)\nexport|interface CreateRateLimitOptions ([^]*)/,
    ],
  }

  it.each(Object.entries(declared))(
    'know every option that the installed %s declares',
    (plugin, [file, type]) => {
      const text =
        type
          .exec(readFileSync(path.join(modules, file), 'utf8'))
          ?.slice(1)
          .find((one) => one !== undefined) ?? ''
      const names = [...text.matchAll(/^(?:\t| {2,6})(\w+)\?:|"(\w+)"/gm)].map(([, one, other]) =>
        String(one ?? other),
      )
      expect(names.length).toBeGreaterThan(3)
      const rows = Object.keys(peersOf(folder)[plugin]?.rows ?? {})
      const others = ['logLevel', 'isGlobal']
      expect(names.filter((name) => !rows.includes(name) && !others.includes(name))).toEqual([])
    },
  )
})
