import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { run } from '../src/run.ts'

const folderOf = (name: string): string => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url))

async function doctor(name: string): Promise<{ readonly code: number; readonly findings: unknown }> {
  const { code, output } = await run(['doctor', '--json'], folderOf(name))
  const findings: unknown = JSON.parse(output)
  return { code, findings }
}

describe('cloister doctor', () => {
  it('lists warnings, schemas that need Ajv, and code that does something else than on Fastify', async () => {
    const { code, findings } = await doctor('doctor')
    const file = path.join(folderOf('doctor'), 'app.mjs')
    expect(code).toBe(1)
    expect(findings).toEqual([
      {
        level: 'note',
        check: 'schemas',
        code: 'AJV_ALWAYS',
        message: expect.stringContaining('every value of the body of POST /names'),
        callSite: `${file}:13`,
      },
      {
        level: 'note',
        check: 'schemas',
        code: 'JSON_SCHEMA_GAP',
        message: expect.stringMatching(
          /^the response 200 of GET \/texts has a value without JSON Schema at '#\/properties\/lines': a transform\. /,
        ),
        callSite: `${file}:20`,
      },
      {
        level: 'problem',
        check: 'warnings',
        code: 'CLO_WRN_OPTIONS_UNKNOWN',
        message: expect.stringContaining("'featureFlags'"),
        callSite: null,
      },
      {
        level: 'problem',
        check: 'warnings',
        code: 'CLO_WRN_ERROR_HANDLER_REPLACED',
        message: expect.stringContaining(`${file}:7 takes precedence over the one set at ${file}:6`),
        callSite: null,
      },
      {
        level: 'note',
        check: 'differences',
        code: 'ERROR_CODE_PREFIX',
        message: expect.stringContaining("errorCodePrefix: 'FST_ERR_'"),
        callSite: `${file}:9`,
      },
      {
        level: 'note',
        check: 'differences',
        code: 'HOSTNAME_WITHOUT_PORT',
        message: expect.stringContaining('request.host has it'),
        callSite: `${file}:10`,
      },
    ])
  })

  it('names keywords beside $ref in responses, also in shared schemas', async () => {
    const { code, findings } = await doctor('references')
    const file = path.join(folderOf('references'), 'app.mjs')
    const note = (message: string, line: number): object => ({
      level: 'note',
      check: 'differences',
      code: 'KEYWORDS_BESIDE_REF',
      message: expect.stringContaining(message),
      callSite: `${file}:${line}`,
    })
    expect(code).toBe(0)
    expect(findings).toEqual([
      note("2xx of POST /users has required, nullable beside $ref at '#/allOf/0': they apply", 23),
      note("200 of GET /users has properties beside $ref at 'list#/properties/users/items': they apply", 16),
    ])
  })

  it.each([
    [
      'notes that the name fastify is another framework',
      'fastify',
      ['OTHER_FRAMEWORK', 'TYPES_OF_OTHER_NAME'],
    ],
    ['has no notes on the name fastify where it is the alias', '@cloister/fastify', []],
  ])('%s', async (_what, installed, codes) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'my app '))
    const framework = path.join(folder, 'node_modules', 'fastify')
    mkdirSync(framework, { recursive: true })
    writeFileSync(path.join(framework, 'package.json'), JSON.stringify({ name: installed }))
    writeFileSync(path.join(folder, 'app.mjs'), 'export default async (app) => {}')
    writeFileSync(path.join(folder, 'b.mts'), "import f from 'fastify'\ndeclare module 'fastify' {}\n")
    try {
      const { output } = await run(['doctor', '--json'], folder)
      const findings: readonly { readonly code: string }[] = JSON.parse(output)
      expect(findings.map(({ code }) => code)).toEqual(codes)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('names routes that read the value of a guard behind no guard of that name', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'my app '))
    writeFileSync(
      path.join(folder, 'app.mjs'),
      `export default async (app) => {
  const shared = async (request) => void request.user
  app.register(async (scope) => {
    scope.addGuard('user', () => 'ada')
    scope.get('/behind', { preHandler: shared }, (request) => request.user)
  })
  app.get('/member', (req, reply) => reply.send(req.user))
  app.get('/pattern', async ({ user: name }) => name)
  app.get('/later', async function (request) { const { user } = request; return user })
  app.get('/hook', { preHandler: shared }, () => 'x')
  app.route({ method: 'GET', url: '/method', handler(request) { return request['user'] } })
  // what follows reads no guard
  app.get('/text', (request) => 'request.user') // request.user
  app.get('/other', (request, user) => [request.body, Object(user).user, request.users])
  app.get('/sets', async (request) => { request.user = 'own'; return request.user })
  app.register(async (own) => {
    own.decorateRequest('user', null)
    own.get('/decorated', (request) => request.user)
  })
}`,
    )
    try {
      const { code, output } = await run(['doctor', '--json'], folder)
      const all: readonly { readonly check: string; readonly message: string; readonly callSite: string }[] =
        JSON.parse(output)
      const findings = all.filter(({ check }) => check === 'guards')
      const wanted = ['/member', '/pattern', '/later', '/hook', '/method']
      expect(findings.map(({ message }) => message.split(' ', 2)[1])).toEqual(wanted)
      expect(findings[0]).toMatchObject({
        level: 'problem',
        code: 'GUARD_OUT_OF_CONTEXT',
        message: expect.stringMatching(
          /^GET \/member reads request\.user behind no guard .*\(added at .*app\.mjs:4\)/,
        ),
        callSite: expect.stringMatching(/app\.mjs:7$/),
      })
      expect(code).toBe(1)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it.each([
    ['2', 'that many hops', '{ hops: 2, from'],
    ['0', '', ''],
    ['Number(process.env.NONE ?? 3)', 'that many hops', '{ hops: 3, from'],
    ['true', 'every client', '{ hops: 1, from'],
    ["{ hops: 2, from: 'loopback' }", '', ''],
    ["'loopback'", '', ''],
    ['false', '', ''],
  ])('names a trustProxy that believes clients: %s', async (value, whom, wayOut) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'my app '))
    writeFileSync(
      path.join(folder, 'app.mjs'),
      `export const options = { trustProxy: ${value} }\nexport default async (app) => {}`,
    )
    try {
      const { code, output } = await run(['doctor', '--json'], folder)
      const all: readonly { readonly check: string; readonly message: string }[] = JSON.parse(output)
      const findings = all.filter(({ check }) => check === 'options')
      expect(code).toBe(0)
      expect(findings).toMatchObject(whom === '' ? [] : [{ code: 'TRUST_PROXY_ANYONE', level: 'note' }])
      expect(findings.every(({ message }) => message.includes(whom) && message.includes(wayOut))).toBe(true)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it.each([
    ["{ transport: 'auto', http: { joinDuplicateHeaders: true } }", ['TRANSPORT_NODE']],
    ["{ transport: 'node', http: { joinDuplicateHeaders: true } }", []],
    ["{ transport: 'auto' }", []],
    ['{ http: { joinDuplicateHeaders: true } }', ['TRANSPORT_NODE']],
    ['{ http2: true }', []],
  ])(
    'names what keeps requests from the engine that the app asks for, whatever its decorators are called: %s',
    async (options, codes) => {
      const folder = mkdtempSync(path.join(tmpdir(), 'my app '))
      writeFileSync(
        path.join(folder, 'app.mjs'),
        `export const options = ${options}\nexport default async (app) => {
          for (const name of ['transport', 'explain', 'report']) app.decorate(name, null)
        }`,
      )
      try {
        const { output } = await run(['doctor', '--json'], folder)
        const findings: readonly { readonly code: string; readonly message: string }[] = JSON.parse(output)
        expect(findings.map(({ code }) => code)).toEqual(codes)
        expect(findings.every(({ message }) => message.includes('joinDuplicateHeaders'))).toBe(true)
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  )

  it.each([
    [{ cloister: '*', '@fastify/cors': '*', '@fastify/jwt': '*' }, ['ALIAS_MISSING']],
    [{ cloister: '*', '@fastify/cors': '*', fastify: 'npm:@cloister/fastify@^5.12.0' }, []],
    [{ cloister: '*', '@fastify/error': '*' }, []],
    [{ '@fastify/cors': '*' }, []],
  ])('says which plugins miss the alias that their types import: %j', async (dependencies, codes) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'alias-'))
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ dependencies }))
    writeFileSync(path.join(folder, 'app.mjs'), 'export default async (app) => {}')
    try {
      const { code, output } = await run(['doctor', '--json'], folder)
      const findings: readonly { readonly code: string; readonly message: string }[] = JSON.parse(output)
      expect([code, findings.map((one) => one.code)]).toEqual([0, codes])
      for (const { message } of findings) {
        expect(message).toContain('the types of @fastify/cors, @fastify/jwt import fastify')
        expect(message).toContain('add "fastify": "npm:@cloister/fastify@^5.12.0" to the dependencies')
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it.each([
    ['fastify', ['ALIAS_NOT_INSTALLED']],
    ['@cloister/fastify', []],
  ])('says whether the alias of package.json is installed: %s', async (name, codes) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'alias-'))
    const installed = path.join(folder, 'node_modules/fastify')
    mkdirSync(installed, { recursive: true })
    writeFileSync(path.join(installed, 'package.json'), JSON.stringify({ name, version: '5.12.8' }))
    const dependencies = { fastify: 'npm:@cloister/fastify@^5.12.0' }
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ dependencies }))
    writeFileSync(path.join(folder, 'app.mjs'), 'export default async (app) => {}')
    try {
      const { code, output } = await run(['doctor', '--json'], folder)
      const findings: readonly { readonly code: string; readonly message: string }[] = JSON.parse(output)
      expect(findings.map((finding) => finding.code)).toEqual(codes)
      const command = 'npm install "fastify@npm:@cloister/fastify@^5.12.0"'
      expect(findings.every(({ message }) => message.endsWith(command))).toBe(true)
      expect(code).toBe(codes.length)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it("lists what strict refuses at boot, for an app with strict: 'report'", async () => {
    const { code, findings } = await doctor('report')
    expect(code).toBe(0)
    expect(findings).toEqual([
      {
        level: 'note',
        check: 'strict',
        code: 'STRICT_REFUSES',
        message: expect.stringMatching(/GET \/users\/:id, by its option unknownRouteOptions: .*'websocket'/),
        callSite: `${path.join(folderOf('report'), 'app.mjs')}:4`,
      },
      {
        level: 'note',
        check: 'strict',
        code: 'STRICT_REPORT',
        message: expect.stringMatching(/^1 of 2 routes are safe to switch to strict, as far as a start/),
        callSite: null,
      },
    ])
  })

  it('names the plugin whose need fails', async () => {
    const { code, findings } = await doctor('needs')
    expect(code).toBe(1)
    expect(findings).toMatchObject([
      { level: 'problem', check: 'start', code: expect.stringMatching(/^CLO_ERR_/) },
    ])
    expect(JSON.stringify(findings)).toMatch(/database.*reports/)
  })

  it('ends with 0 for an app that it has nothing to say about', async () => {
    const { code, output } = await run(['doctor'], folderOf('healthy'))
    expect({ code, output }).toEqual({ code: 0, output: '0 problems, 0 notes\n' })
  })
})
