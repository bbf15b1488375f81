import { describe, expect, it } from 'vitest'
import { PluginError } from '../src/errors.ts'
import { assertMetadata, toStored } from '../src/metadata.ts'

describe('metadata of a plugin', () => {
  it.each([
    ['null', null, 'metadata must be an object or a version range, got null'],
    ['a number', 4, 'metadata must be an object or a version range, got the number 4'],
    ['an array', ['4.x'], 'metadata must be an object or a version range, got an array'],
    ['an unknown field', { nmae: 'users' }, "metadata has no field 'nmae'; it knows name, version, fastify"],
    [
      'a range that is no string',
      { fastify: 4 },
      "'fastify' must be a string that is not empty, got the number 4",
    ],
    ['an empty range', { version: ' ' }, "'version' must be a string that is not empty"],
    ['two different ranges', { version: '4.x', fastify: '5.x' }, 'two names of one range, but they differ'],
    ['a name that is no string', { name: {} }, "'name' must be a string that is not empty, got an object"],
    ['dependencies that are no list', { dependencies: 'db' }, "'dependencies' must be an array"],
    ['a dependency that is no name', { dependencies: ['db', 1] }, "'dependencies[1]' must be a string"],
    ['decorators that are no object', { decorators: ['db'] }, "'decorators' must be an object, got an array"],
    ['decorators of an unknown thing', { decorators: { app: [] } }, "'decorators' has no field 'app'"],
    ['decorators that are no list', { decorators: { reply: 'view' } }, "'decorators.reply' must be an array"],
    ['a decorator without a name', { decorators: { reply: [''] } }, "'decorators.reply[0]' must be a string"],
    ['a flag that is no boolean', { encapsulate: 'yes' }, "'encapsulate' must be true or false"],
  ])('is refused when it has %s', (_name, given, message) => {
    expect(() => assertMetadata(given)).toThrow(PluginError)
    expect(() => assertMetadata(given)).toThrow(message)
    expect(() => assertMetadata(given)).toThrow(
      expect.objectContaining({ code: 'CLO_ERR_PLUGIN_INVALID_METADATA' }),
    )
  })

  it('passes when it is empty, complete, or holds undefined', () => {
    const sign = Symbol('sign')
    const decorators = { cloister: ['db'], fastify: ['db'], request: [sign], reply: undefined }
    const whole = {
      name: 'a',
      version: '4.x',
      fastify: '4.x',
      decorators,
      dependencies: [],
      encapsulate: false,
    }
    for (const given of [{}, whole, { name: undefined, fastify: undefined }]) {
      expect(() => assertMetadata(given)).not.toThrow()
    }
  })

  it('is stored with one range and one list of instance decorators', () => {
    expect(
      toStored({ version: '4.x', decorators: { cloister: ['a'], fastify: ['b', 'a'], reply: ['view'] } }),
    ).toEqual({
      fastify: '4.x',
      decorators: { fastify: ['b', 'a'], reply: ['view'] },
    })
    expect(toStored({})).toEqual({})
  })
})
