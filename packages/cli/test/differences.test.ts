import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkDifferences } from '../src/doctor/differences.ts'

const SEEN: readonly (readonly [string, string])[] = [
  ['ERROR_CODE_PREFIX', "if (error.code === 'FST_ERR_VALIDATION') a()"],
  ['ERROR_CODE_PREFIX', 'if (error instanceof errorCodes.FST_ERR_VALIDATION) a()'],
  ['VALIDATION_CONTEXT', "if (error.validationContext === 'querystring') a()"],
  ['VALIDATION_CONTEXT', "switch (error.validationContext) { case 'body': case 'querystring': a() }"],
  ['DATE_TIME_ZONE', "const schema = { type: 'string', format: 'date-time' }"],
  ['HOSTNAME_WITHOUT_PORT', 'const host = request\n  .hostname'],
  ['PARAMS_PROTOTYPE', "request.params.hasOwnProperty('id')"],
  ['TRUST_PROXY_HOST', 'fastify({ trustProxy: process.env.PROXY })'],
  ['THROWN_UNDEFINED', "app.addHook('onRequest', async () => { throw undefined })"],
  ['THROWN_UNDEFINED', "app.addHook('onRequest', () => Promise.reject())"],
  ['REFERENCE_DECORATOR', "app.decorateRequest('user', { name: '' })"],
  ['REFERENCE_DECORATOR', "app.decorateReply('list', [])"],
  ['SLOW_PATTERN', "const schema = { pattern: '^(a+)+(b)\\\\2$' }"],
  [
    'SILENT_ERROR_HANDLER',
    'app.setErrorHandler(async (error, request, reply) => { request.log.error(error) })',
  ],
  ['OTHER_FRAMEWORK', "import Fastify from 'fastify'"],
  ['OTHER_FRAMEWORK', "const fastify = require('fastify')({ logger: true })"],
  ['OTHER_FRAMEWORK', "const fastify = await import('fastify')"],
  ['TYPES_OF_OTHER_NAME', "declare module 'fastify' { interface FastifyRequest { a: 1 } }"],
  ['GENERIC_SERVER', 'function f<S extends RawServerBase>(app: FastifyInstance<S>): void {}'],
  ['ROOT_PLUGIN_NAME', "if (app.pluginName === 'fastify') a()"],
  ['WRAPPED_VALIDATION_ERROR', "error.stack.includes('wrapValidationError')"],
  ['JOI_EXTERNAL', 'Joi.string().external(async () => {})'],
]

const UNSEEN: readonly string[] = [
  '// request.hostname and FST_ERR_VALIDATION in a comment',
  '/*\n throw undefined\n*/',
  "const url = new URL('http://a'); url.hostname",
  "import type { FastifyInstance } from 'fastify'",
  "const text = 'request.hostname, request.connection, and throw undefined'",
  "app.decorateRequest('user', null)",
  "app.decorateRequest('user', { getter() { return 1 } })",
  'app.setErrorHandler(async (error, request, reply) => { await reply.send(error) })',
  'app.setErrorHandler(async (error) => { return { error } })',
  'app.setErrorHandler((error, request, reply) => { request.log.error(error) })',
  'fastify({ trustProxy: false })',
  "const schema = { pattern: '^[a-z]+$', format: 'uuid' }",
  'throw error',
  'request.connection',
  'external(1)',
]

describe('code that does something else than on Fastify', () => {
  it.each(SEEN)('%s is found by the syntax tree: %s', async (code, text) => {
    const found = await checkDifferences([{ path: '/app/a.ts', text: `\n${text}\n` }], false)
    expect(found).toMatchObject([{ code, callSite: '/app/a.ts:2', level: 'note' }])
  })

  it.each(UNSEEN)('nothing is found in: %s', async (text) => {
    expect(await checkDifferences([{ path: '/app/a.ts', text }], false)).toEqual([])
  })

  it('is settled by the alias where it is a matter of names', async () => {
    const files = SEEN.map(([, text], index) => ({ path: `/app/${index}.ts`, text }))
    const found = (await checkDifferences(files, true)).map(({ code }) => code)
    expect(found).not.toContain('ERROR_CODE_PREFIX')
    expect(found).not.toContain('OTHER_FRAMEWORK')
    expect(found).toContain('HOSTNAME_WITHOUT_PORT')
  })

  it('is not there where code of Fastify 5.x behaves the same', async () => {
    const files = SEEN.map(([, text], index) => ({ path: `/app/${index}.ts`, text }))
    const codes = async (from: string): Promise<string[]> =>
      (await checkDifferences(files, false, from)).map(({ code }) => code)
    const [from4, from5] = [await codes('4.29.1'), await codes('5.12.8')]
    expect([...new Set(from4)].filter((code) => !from5.includes(code)).toSorted()).toEqual([
      'DATE_TIME_ZONE',
      'HOSTNAME_WITHOUT_PORT',
      'PARAMS_PROTOTYPE',
      'REFERENCE_DECORATOR',
      'TRUST_PROXY_HOST',
    ])
  })

  it('names rows that the migration guide has', async () => {
    const guide = readFileSync(new URL('../../../docs/migrating.md', import.meta.url), 'utf8')
    const found = await checkDifferences(
      SEEN.map(([, text]) => ({ path: '/a.ts', text })),
      false,
    )
    const rows = found.flatMap(({ message }) => /\(row (\d+) of/.exec(message)?.[1] ?? [])
    expect(new Set(rows).size).toBe(10)
    for (const row of rows) expect(guide).toContain(`\n| ${row} | `)
  })
})
