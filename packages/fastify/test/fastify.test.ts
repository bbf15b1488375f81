import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { CloisterError } from 'cloister'
import * as cloister from 'cloister'
import { describe, expect, it, onTestFinished } from 'vitest'
import fastify, { errorCodes, fastify as named, type FastifyInstance } from '@cloister/fastify'

const needsA = { querystring: { type: 'object', required: ['a'] } } as const

describe('the package for the name fastify', () => {
  it('names the file that makes an app in a warning about its options', async () => {
    const heard: Error[] = []
    const hear = (warning: Error): void => void heard.push(warning)
    process.on('warning', hear)
    onTestFinished(() => void process.off('warning', hear))
    const own = { bodyLimit: 1000, ours: 1 }
    fastify(own)
    await new Promise(setImmediate)
    expect(heard.map(({ message }) => message)).toEqual([
      expect.stringMatching(/no option 'ours'.*made at .*fastify\.test\.ts:\d+/),
    ])
  })

  it('has the factory as its default export, by name and as a property of itself', () => {
    expect(named).toBe(fastify)
    expect([fastify.fastify, fastify.default]).toEqual([fastify, fastify])
    expect(fastify.errorCodes).toBe(errorCodes)
  })

  it('takes the types of the server and of its objects as type arguments', async () => {
    interface Marked extends IncomingMessage {
      mark?: string
    }
    const app = fastify<Server, Marked>({ logger: false })
    app.addHook('onRequest', async ({ raw }) => void (raw.mark = 'marked'))
    app.get('/', ({ raw }) => ({ mark: raw.mark?.toUpperCase() }))
    expect((await app.inject('/')).json()).toEqual({ mark: 'MARKED' })
    const plain: FastifyInstance = fastify<Server, IncomingMessage, ServerResponse>()
    expect(plain.server.listening).toBe(false)
    const single: Server = fastify<Server>().server
    expect(single.listening).toBe(false)
  })

  it('has a constructor for each error of the framework', () => {
    const codes = Object.keys(cloister.errorCodes).map((code) => code.replace('CLO_ERR_', 'FST_ERR_'))
    expect(Object.keys(errorCodes)).toEqual(expect.arrayContaining(codes))
    const error = new errorCodes.FST_ERR_NOT_FOUND('a book')
    expect(error).toMatchObject({ code: 'FST_ERR_NOT_FOUND', message: 'a book', statusCode: 404 })
    expect(error).toBeInstanceOf(CloisterError)
  })

  it('has constructors for the codes of Fastify that are never thrown', () => {
    const { FST_ERR_SEND_UNDEFINED_ERR, FST_ERR_PARENT_PLUGIN_BOOTED, FST_ERR_NOT_FOUND } = errorCodes
    const error = new FST_ERR_SEND_UNDEFINED_ERR()
    const called = FST_ERR_SEND_UNDEFINED_ERR('of a plugin')
    for (const one of [error, called]) {
      expect(one).toMatchObject({ code: 'FST_ERR_SEND_UNDEFINED_ERR', name: 'FastifyError', statusCode: 500 })
      expect(one).toBeInstanceOf(Error)
      expect(one).toBeInstanceOf(FST_ERR_SEND_UNDEFINED_ERR)
      expect(one).not.toBeInstanceOf(FST_ERR_PARENT_PLUGIN_BOOTED)
    }
    expect(called.message).toBe('of a plugin')
    expect(FST_ERR_NOT_FOUND()).not.toBeInstanceOf(FST_ERR_SEND_UNDEFINED_ERR)
  })

  it('has constructors that take a cause as their last argument', () => {
    const cause = new Error('no connection')
    const { FST_ERR_NOT_FOUND, FST_ERR_BAD_STATUS_CODE } = errorCodes
    expect(FST_ERR_NOT_FOUND({ cause })).toMatchObject({ message: 'Not Found', cause })
    // JavaScript may pass anything.
    expect(Reflect.apply(FST_ERR_NOT_FOUND, null, [null])).toMatchObject({ message: 'Not Found' })
    expect(new FST_ERR_NOT_FOUND('a book', { cause })).toMatchObject({ message: 'a book', cause })
    expect(FST_ERR_BAD_STATUS_CODE(99, { cause })).toMatchObject({
      message: expect.stringContaining('99'),
      cause,
    })
  })

  it('refuses options that are no object, and takes their absence', () => {
    for (const options of ['text', 7, true, () => ({})])
      expect(() => Reflect.apply(fastify, null, [options])).toThrow(
        expect.objectContaining({ code: 'FST_ERR_OPTIONS_NOT_OBJ' }),
      )
    for (const options of [undefined, null, false])
      expect(Reflect.apply(fastify, null, [options])).toHaveProperty('initialConfig')
  })

  it('distinguishes constructors by the name of the error, whatever the prefix is', () => {
    const error = errorCodes.FST_ERR_ROUTE_MISSING_CONTENT('one type')
    expect(error).toBeInstanceOf(errorCodes.FST_ERR_ROUTE_MISSING_CONTENT)
    expect(error).toBeInstanceOf(cloister.errorCodes.CLO_ERR_ROUTE_MISSING_CONTENT)
    expect(error).not.toBeInstanceOf(errorCodes.FST_ERR_NOT_FOUND)
  })
})

describe('the prefix of error codes', () => {
  it('is that of Fastify in responses, in handlers and in request.validationError', async () => {
    const app = fastify()
    const seen: unknown[] = []
    app.get('/', { schema: needsA }, () => 'valid')
    app.get('/kept', { schema: needsA, attachValidation: true }, (request) => ({
      code: Reflect.get(request.validationError ?? {}, 'code'),
    }))
    app.register(async (child) => {
      child.setErrorHandler((error, _request, reply) => {
        seen.push(error.code, error instanceof errorCodes.FST_ERR_VALIDATION)
        return reply.code(400).send('mine')
      })
      child.get('/own', { schema: needsA }, () => 'valid')
    })
    expect((await app.inject('/')).json()).toMatchObject({ code: 'FST_ERR_VALIDATION' })
    expect((await app.inject('/kept')).json()).toEqual({ code: 'FST_ERR_VALIDATION' })
    expect((await app.inject('/own')).body).toBe('mine')
    expect(seen[0]).toBe('FST_ERR_VALIDATION')
    await app.close()
  })

  it('is that of Fastify in what methods throw and reject with', async () => {
    const app = fastify()
    app.get('/', () => 'once')
    expect(() => app.get('/', () => 'twice')).toThrow(errorCodes.FST_ERR_DUPLICATED_ROUTE)
    await app.ready()
    expect(codeOf(() => app.get('/late', () => 'late'))).toBe('FST_ERR_INSTANCE_ALREADY_LISTENING')
    await app.close()
    await expect(app.listen()).rejects.toMatchObject({ code: 'FST_ERR_REOPENED_CLOSE_SERVER' })
  })

  it('is that of Fastify for errors of plugins and options', async () => {
    const app = fastify({ pluginTimeout: 20 })
    app.register((_child, _options, _done) => {})
    await expect(app.ready()).rejects.toMatchObject({ code: 'FST_ERR_PLUGIN_TIMEOUT' })
    expect(codeOf(() => fastify({ loggerInstance: Object('none') }))).toMatch(/^FST_ERR_/)
  })

  it('belongs to one app: another in the same process keeps its own', async () => {
    const other = cloister.cloister()
    const shop = cloister.cloister({ errorCodePrefix: 'SHOP_' })
    for (const app of [other, shop, fastify()]) app.get('/', { schema: needsA }, () => 'valid')
    const codes = await Promise.all(
      [other, shop].map(async (app) => (await app.inject('/')).json<{ code: string }>().code),
    )
    expect(codes).toEqual(['CLO_ERR_VALIDATION', 'SHOP_VALIDATION'])
  })
})

function codeOf(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
}

describe('names that plugins read', () => {
  it('are those of Fastify: the root is called fastify', async () => {
    const app = fastify()
    await app.ready()
    expect([app.pluginName, app.hasPlugin('fastify'), app.hasPlugin('root')]).toEqual([
      'fastify',
      true,
      false,
    ])
    expect(app.printPlugins()).toMatch(/^root \d+ ms/)
    expect(fastify({ rootPluginName: 'shop' }).pluginName).toBe('shop')
    expect(cloister.cloister().pluginName).toBe('root')
    await app.close()
  })
})
