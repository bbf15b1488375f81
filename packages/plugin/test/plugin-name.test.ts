import { afterEach, describe, expect, it } from 'vitest'
import { displayName, plugin } from '@cloister/plugin'
import { derivePluginName } from '../src/plugin-name.ts'
import fromFolder from './fixtures/mailer/index.ts'

describe('the name of a plugin that gives none', () => {
  const { stackTraceLimit } = Error

  afterEach(() => {
    Error.stackTraceLimit = stackTraceLimit
  })

  it('is the name of its function', () => {
    expect(plugin(function users(_app: object) {})[displayName]).toBe('users')
  })

  it('is the file in which an anonymous function is wrapped', () => {
    expect(plugin(async (_app: object) => {})[displayName]).toBe('plugin-name.test')
  })

  it('is the folder when the file is an index file', () => {
    expect(fromFolder[displayName]).toBe('mailer')
  })

  it('is not "default", which is only how the language calls a default export', () => {
    expect(derivePluginName({ name: 'default' }, () => {})).not.toBe('default')
  })

  it('is "anonymous" when stack traces are switched off', () => {
    Error.stackTraceLimit = 0
    expect(plugin((_app: object) => {})[displayName]).toBe('anonymous')
  })
})
