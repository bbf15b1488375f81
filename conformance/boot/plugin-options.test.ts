// Options of our plugins: those of `register` are taken, and unknown ones refused, by all of them.
import { bearerAuth } from '@cloister/bearer-auth'
import { explorer } from '@cloister/explorer'
import { mcp } from '@cloister/mcp'
import { openapi } from '@cloister/openapi'
import { operate } from '@cloister/operate'
import { otel } from '@cloister/otel'
import { idempotency, memoryState } from '@cloister/state'
import { topics } from '@cloister/state/topics'
import { web } from '@cloister/web'
import { websocket } from '@cloister/websocket'
import { cloister, definePlugin } from 'cloister'
import { describe, expect, it } from 'vitest'

const state = memoryState()

const PLUGINS: readonly (readonly [name: string, plugin: object, options: object])[] = [
  ['bearer-auth', bearerAuth, { keys: ['a-key-that-nobody-can-guess'] }],
  ['explorer', explorer, {}],
  ['mcp', mcp, {}],
  ['openapi', openapi, { ui: false }],
  ['operate', operate, {}],
  ['otel', otel, {}],
  ['idempotency', idempotency, { state, scope: 'public' }],
  ['topics', topics, { state }],
  ['web', web, {}],
  ['websocket', websocket, {}],
]

const OF_REGISTER = { prefix: '/v1', logLevel: 'warn', logSerializers: {}, serialization: 'strict' } as const

/** Registers a plugin as JavaScript does: the compiler would refuse some of these options. */
async function boot(plugin: object, options: object): Promise<void> {
  const app = cloister()
  Reflect.apply(app.register, app, [plugin, options])
  await app.ready()
  await app.close()
}

describe.each(PLUGINS)('%s', (_name, plugin, options) => {
  it.each(Object.entries(OF_REGISTER))('takes the option %s of register', async (name, value) => {
    await expect(boot(plugin, { ...options, [name]: value })).resolves.toBeUndefined()
  })

  it('refuses an option that it does not know, by name', async () => {
    await expect(boot(plugin, { ...options, unknwn: 1 })).rejects.toThrow(/'unknwn'/)
  })
})

it('a plugin with ownOptions gets its options without those of register; another gets all', async () => {
  const seen: object[] = []
  const take = async (_app: object, options: object): Promise<void> => void seen.push(options)
  const app = cloister()
  const given = { ...OF_REGISTER, mine: 1 }
  app.register(definePlugin<{ options: { mine: number } }>({ ownOptions: true, plugin: take }), given)
  app.register(definePlugin<{ options: { mine: number } }>({ plugin: take }), given)
  await app.ready()
  expect(seen).toEqual([{ mine: 1 }, given])
})
