import { describe, expect, it } from 'vitest'
import { UnauthorizedError, verifyBearerAuthFactory } from '@cloister/bearer-auth'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { collectUnhandled } from '../../../conformance/harness/unhandled.ts'
import { check } from './helpers/fakes.ts'
import { PROMISED } from './helpers/promised.ts'

const keys = ['alpha', 'beta']
const unhandled = collectUnhandled()

describe('the check of one request', () => {
  it.each(['Bearer alpha', 'Bearer beta', 'Bearer   alpha  ', 'Bearer \talpha\t'])(
    'lets %j pass',
    async (field) => {
      await expect(check(verifyBearerAuthFactory({ keys }), field)).resolves.toMatchObject({ passed: true })
    },
  )

  it.each([undefined, ''])('asks for a token when the header is %j', async (field) => {
    const outcome = await check(verifyBearerAuthFactory({ keys }), field)
    expect(outcome).toMatchObject({ status: 401, body: { error: 'missing authorization header' } })
    const passedOn = await check(verifyBearerAuthFactory({ keys, addHook: false }), field)
    expect(passedOn.error).toMatchObject({ code: 'CLO_ERR_BEARER_AUTH_MISSING_AUTHORIZATION_HEADER' })
    expect(outcome.headers).toEqual({ 'www-authenticate': 'Bearer realm="restricted"' })
  })

  it.each([
    'Bearer',
    'Bearer ',
    'Bearer    ',
    'Beareralpha',
    'bearer alpha',
    'Basic alpha',
    'alpha',
    ' Bearer alpha',
  ])('asks for a token when the header is malformed: %j', async (field) => {
    const outcome = await check(verifyBearerAuthFactory({ keys }), field)
    expect(outcome).toMatchObject({ status: 401, body: { error: 'invalid authorization header' } })
    expect(outcome.headers).toEqual({ 'www-authenticate': 'Bearer realm="restricted"' })
  })

  it.each(['gamma', 'alph', 'alphaa', 'Alpha', 'alpha beta', 'alpha\u0000', 'alph\u00e4'])(
    'refuses the token %j as invalid',
    async (token) => {
      const outcome = await check(verifyBearerAuthFactory({ keys }), `Bearer ${token}`)
      expect(outcome).toMatchObject({ status: 401, body: { error: 'invalid authorization header' } })
      expect(outcome.headers['www-authenticate']).toBe('Bearer realm="restricted", error="invalid_token"')
    },
  )

  it('takes keys from a Set, and its own scheme and realm', async () => {
    const verify = verifyBearerAuthFactory({
      keys: new Set(keys),
      bearerType: 'Token',
      realm: 'the "back" \\ room',
    })
    await expect(check(verify, 'Token beta')).resolves.toMatchObject({ passed: true })
    const outcome = await check(verify, 'Bearer beta')
    expect(outcome.headers['www-authenticate']).toBe('Token realm="the \\"back\\" \\\\ room"')
  })

  it('compares the scheme without letter case when asked to', async () => {
    const verify = verifyBearerAuthFactory({ keys, specCompliance: 'rfc6749' })
    await expect(check(verify, 'bEARER alpha')).resolves.toMatchObject({ passed: true })
    await expect(check(verify, 'basic alpha')).resolves.toMatchObject({ status: 401 })
    // As long as the scheme that is wanted.
    await expect(check(verify, 'Secret alpha')).resolves.toMatchObject({ status: 401 })
  })

  it('makes the body and the media type of a refusal as the option says', async () => {
    const errorResponse = (error: Error): string => `<p>${error.message}</p>`
    const outcome = await check(verifyBearerAuthFactory({ keys, errorResponse, contentType: 'text/html' }))
    expect(outcome.body).toBe('<p>missing authorization header</p>')
    expect(outcome.headers).toMatchObject({ 'content-type': 'text/html' })
  })

  it('hands over what errorResponse throws', async () => {
    const errorResponse = (): never => {
      throw new Error('no body')
    }
    const outcome = await check(verifyBearerAuthFactory({ keys, errorResponse }), 'Bearer gamma')
    expect(outcome.error).toEqual(new Error('no body'))
  })

  it.each(PROMISED)('is an error if its body is a promise that %s', async (_title, errorResponse) => {
    const outcome = await check(verifyBearerAuthFactory({ keys, errorResponse }), 'Bearer gamma')
    expect(outcome.error?.message).toBe('errorResponse returned a promise, and must return at once')
    await nextTurn()
    expect(unhandled).toEqual([])
  })

  it('refuses as usual with a logger that fails', async () => {
    const fail = (): never => {
      throw Promise.reject(new Error('the disk is full'))
    }
    for (const error of [fail, async () => fail()]) {
      const outcome = await check(verifyBearerAuthFactory({ keys }), 'Bearer gamma', { error })
      expect(outcome).toMatchObject({ status: 401, body: { error: 'invalid authorization header' } })
    }
    await nextTurn()
    expect(unhandled).toEqual([])
  })

  it('logs a refusal at the level of the option, without the token', async () => {
    const loud = await check(verifyBearerAuthFactory({ keys }), 'Bearer gamma')
    expect(loud.log).toEqual([['error', 'unauthorized: %s', 'invalid authorization header']])
    const quiet = await check(verifyBearerAuthFactory({ keys, verifyErrorLogLevel: 'debug' }))
    expect(quiet.log).toEqual([['debug', 'unauthorized: %s', 'missing authorization header']])
    const silent = await check(verifyBearerAuthFactory({ keys, verifyErrorLogLevel: false }))
    expect(silent.log).toEqual([])
  })

  it('hands the error over instead of responding when no hook is wanted', async () => {
    const outcome = await check(verifyBearerAuthFactory({ keys, addHook: false }), 'Bearer gamma')
    expect(outcome.error).toBeInstanceOf(UnauthorizedError)
    expect(outcome).toMatchObject({
      status: 401,
      body: undefined,
      error: { statusCode: 401, code: 'CLO_ERR_BEARER_AUTH_INVALID_AUTHORIZATION_HEADER' },
    })
  })
})

describe('an auth function', () => {
  it.each([
    ['true', () => true],
    ['a promise of true', async () => true],
  ])('lets the request pass by %s', async (_name, auth) => {
    await expect(check(verifyBearerAuthFactory({ auth }), 'Bearer x')).resolves.toMatchObject({
      passed: true,
    })
  })

  it.each([
    ['false', () => false],
    ['a promise of false', async () => false],
  ])('refuses the token by %s', async (_name, auth) => {
    const outcome = await check(verifyBearerAuthFactory({ auth }), 'Bearer x')
    expect(outcome.status).toBe(401)
    expect(outcome.headers['www-authenticate']).toContain('error="invalid_token"')
  })

  it('is given the token and the request, and takes the place of the keys', async () => {
    const seen: unknown[] = []
    const verify = verifyBearerAuthFactory({
      keys,
      auth(key, request) {
        seen.push(key, request.headers.authorization)
        return false
      },
    })
    await expect(check(verify, 'Bearer alpha ')).resolves.toMatchObject({ status: 401 })
    expect(seen).toEqual(['alpha', 'Bearer alpha '])
  })

  it('is given a token with the spaces that are no blanks', async () => {
    const seen: string[] = []
    const auth = (key: string): boolean => seen.push(key) === 0
    await check(verifyBearerAuthFactory({ auth }), 'Bearer alpha\u00a0 ')
    expect(seen).toEqual(['alpha\u00a0'])
  })

  it('is not asked when there is no token', async () => {
    const verify = verifyBearerAuthFactory({ auth: () => expect.unreachable() })
    await expect(check(verify)).resolves.toMatchObject({ status: 401 })
    await expect(check(verify, 'Bearer ')).resolves.toMatchObject({ status: 401 })
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('down')
      },
      'internal server error',
    ],
    [
      'rejects',
      async () => {
        throw new Error('down')
      },
      'internal server error',
    ],
    [
      'throws something else',
      () => {
        throw 'a string'
      },
      'internal server error',
    ],
    ['returns nothing', () => undefined, 'internal server error'],
    ['returns a truthy value', () => 1, 'internal server error'],
  ])('responds with 500 and lets nobody pass when it %s', async (_name, auth, message) => {
    const verify = verifyBearerAuthFactory({ auth: auth as () => never })
    const outcome = await check(verify, 'Bearer x')
    expect(outcome).toMatchObject({ passed: false, status: 500, body: { error: message } })
    expect(outcome.log).toMatchObject([['error', { err: expect.any(Error) }, 'the auth function failed']])
  })

  it.each([
    ['object', { secret: 'of Ada' }],
    ['null', null],
    ['undefined', undefined],
  ])('logs the type of what it returned, and which function takes such values: %s', async (type, value) => {
    const auth = async () => value
    const verify = verifyBearerAuthFactory({ auth: auth as unknown as () => never })
    const { log } = await check(verify, 'Bearer x')
    const message = `auth returned a value of the type ${type}, and must return true or false; bearerGuard`
    expect(log).toMatchObject([
      ['error', { err: { message: expect.stringContaining(message) } }, 'the auth function failed'],
    ])
    expect(JSON.stringify(log)).not.toContain('Ada')
  })
})
