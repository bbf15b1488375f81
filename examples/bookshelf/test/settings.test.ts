import { expect, it } from 'vitest'

import { readSettings } from '../src/settings.ts'

it('has a default for every setting, and a new admin key at each start', () => {
  const settings = readSettings({})
  expect(settings).toMatchObject({ host: '127.0.0.1', port: 3000, logLevel: 'warn' })
  expect(settings.databaseFile).toMatch(/bookshelf\.db$/)
  expect(settings.adminKey).not.toBe(readSettings({}).adminKey)
})

it('reads the environment', () => {
  const env = {
    HOST: '::1',
    PORT: '0',
    BOOKSHELF_DB: 'x.db',
    BOOKSHELF_ADMIN_KEY: 'twelve-chars',
    LOG_LEVEL: 'info',
  }
  expect(readSettings(env)).toEqual({
    host: '::1',
    port: 0,
    databaseFile: 'x.db',
    adminKey: 'twelve-chars',
    logLevel: 'info',
  })
})

it.each([
  [{ PORT: 'http' }, "PORT must be a number from 0 to 65535, not 'http'"],
  [{ PORT: '70000' }, "PORT must be a number from 0 to 65535, not '70000'"],
  [{ PORT: '-1' }, 'PORT must be a number'],
  [{ BOOKSHELF_ADMIN_KEY: 'short' }, 'BOOKSHELF_ADMIN_KEY must have at least 12 characters'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of fatal, error, warn'],
])('refuses %j by name', (env, message) => {
  expect(() => readSettings(env)).toThrow(message)
})
