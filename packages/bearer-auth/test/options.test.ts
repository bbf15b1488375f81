import { describe, expect, it } from 'vitest'
import { BearerAuthOptionError, verifyBearerAuthFactory } from '@cloister/bearer-auth'
import type { BearerAuthOptions } from '@cloister/bearer-auth'

const keys = ['secret-key']

describe('options of the bearer plugin', () => {
  it.each([
    [{}, 'INVALID_KEYS_OPTION_TYPE', "one of the options 'keys' and 'auth' is needed"],
    [{ keys: 'secret-key' }, 'INVALID_KEYS_OPTION_TYPE', 'must be an array or a Set of strings'],
    [{ keys: { 0: 'secret-key' } }, 'INVALID_KEYS_OPTION_TYPE', 'must be an array or a Set of strings'],
    [{ keys: [] }, 'KEYS_OPTION_EMPTY', 'holds no key'],
    [{ keys: new Set() }, 'KEYS_OPTION_EMPTY', 'holds no key'],
    [{ keys: ['a', ''] }, 'KEYS_OPTION_EMPTY', 'keys[1] is empty; is a variable of the environment missing?'],
    [{ keys: ['a', '  '] }, 'KEYS_OPTION_EMPTY', 'keys[1] is empty'],
    [{ keys: ['a', undefined] }, 'KEYS_OPTION_INVALID_KEY_TYPE', 'keys[1] must be a string, got undefined'],
    [{ keys: ['a', null] }, 'KEYS_OPTION_INVALID_KEY_TYPE', 'keys[1] must be a string, got null'],
    [{ keys: [42] }, 'KEYS_OPTION_INVALID_KEY_TYPE', 'keys[0] must be a string, got number'],
    [{ keys: ['secret-key '] }, 'INVALID_OPTION', 'keys[0] has a blank at an end'],
    [{ keys: ['secret\nkey'] }, 'INVALID_OPTION', 'so no client could send it'],
    [{ keys: ['schl\u00fcssel'] }, 'INVALID_OPTION', 'a character outside of ASCII'],
    [{ keys, auth: 'yes' }, 'INVALID_OPTION', "option 'auth' must be a function, got string"],
    [{ keys, errorResponse: null }, 'INVALID_OPTION', "option 'errorResponse' must be a function, got null"],
    [{ keys, bearerType: 'Bearer ' }, 'INVALID_OPTION', "option 'bearerType' must be a scheme name"],
    [{ keys, bearerType: ' Bearer' }, 'INVALID_OPTION', "option 'bearerType' must be a scheme name"],
    [{ keys, realm: 7 }, 'INVALID_OPTION', "option 'realm' must be printable ASCII text"],
    [{ keys, realm: 'a\r\nset-cookie: b' }, 'INVALID_OPTION', "option 'realm' must be printable ASCII text"],
    [{ keys, contentType: '' }, 'INVALID_OPTION', "option 'contentType' must be a media type"],
    [{ keys, specCompliance: 'rfc7235' }, 'INVALID_SPEC', "must be 'rfc6750' or 'rfc6749'"],
    [{ keys, addHook: 'preHandler' }, 'INVALID_HOOK', "must be true, false, 'onRequest' or 'preParsing'"],
    [{ keys, verifyErrorLogLevel: 3 }, 'INVALID_LOG_LEVEL', 'must be the name of a log level, or false'],
    [{ key: keys }, 'INVALID_OPTION', "there is no option 'key'; the options are keys, auth"],
  ])('refuse %j', (options, code, message) => {
    const call = (): unknown => verifyBearerAuthFactory(options as BearerAuthOptions)
    expect(call).toThrow(BearerAuthOptionError)
    expect(call).toThrow(message)
    expect(call).toThrow(expect.objectContaining({ code: `CLO_ERR_BEARER_AUTH_${code}` }))
    expect(call).not.toThrow('secret')
  })

  it.each([
    { specCompliance: 'rfc6750' },
    { specCompliance: 'rfc6749' },
    { addHook: null },
    { addHook: true },
    { verifyErrorLogLevel: null },
  ])('pass: %j', (options) => {
    expect(verifyBearerAuthFactory({ keys, ...options } as BearerAuthOptions)).toBeTypeOf('function')
  })

  it('pass with what register reads itself', () => {
    const options = { keys, prefix: '/admin', logLevel: 'warn', logSerializers: {}, serialization: 'strict' }
    expect(verifyBearerAuthFactory(options)).toBeTypeOf('function')
  })
})
