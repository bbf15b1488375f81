// A plugin that is registered twice: one error that names it and both lines of the app, or a meaning.
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
import type { Cloister } from 'cloister'
import { describe, expect, it } from 'vitest'

type Register = (app: Cloister) => void

const state = memoryState()
const keys = ['a-key-that-nobody-can-guess']

/** What registers each plugin of ours, with its defaults. */
const OURS: Readonly<Record<string, Register>> = {
  '@cloister/explorer': (app) => app.register(explorer),
  '@cloister/mcp': (app) => app.register(mcp),
  '@cloister/openapi': (app) => app.register(openapi),
  '@cloister/operate': (app) => app.register(operate),
  '@cloister/otel': (app) => app.register(otel),
  '@cloister/state/idempotency': (app) => app.register(idempotency, { state, scope: 'public' }),
  '@cloister/state/topics': (app) => app.register(topics, { state }),
  '@cloister/web': (app) => app.register(web),
  '@cloister/websocket': (app) => app.register(websocket),
}

/** Those that a child context may register again, with options of its own. */
const AGAIN_BELOW = ['@cloister/otel', '@cloister/state/topics', '@cloister/websocket']

async function bootError(app: Cloister): Promise<string> {
  const error: unknown = await app.ready().then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return error instanceof Error ? error.message : 'none'
}

/** The lines of this file that a message names. */
function linesIn(message: string): readonly string[] {
  return [...new Set(message.match(/twice\.test\.ts:\d+/g))]
}

/** The files that a message names, without this one: no user knows them. */
function strangersIn(message: string): readonly string[] {
  return (message.match(/[\w.-]+\.ts:\d+/g) ?? []).filter((name) => !name.startsWith('twice.test.ts'))
}

describe.each(Object.entries(OURS))('%s', (name, register) => {
  it('starts when it is registered once', async () => {
    const app = cloister()
    register(app)
    await expect(bootError(app)).resolves.toBe('none')
  })

  it('registered twice in one context, fails the boot with its name, both call sites and what to do', async () => {
    const app = cloister()
    register(app)
    app.register(definePlugin({ name: 'again', plugin: async (inner) => register(inner) }))
    const message = await bootError(app)
    expect(message).toContain(`'${name}' is registered twice`)
    expect(message.match(/twice\.test\.ts:\d+/g)?.length).toBeGreaterThanOrEqual(2)
    expect(message).toMatch(/register it once|Remove one/)
  })
})

describe('two registrations', () => {
  it('are both named by file and line of the app, and nothing of the package is', async () => {
    const app = cloister()
    app.register(operate)
    app.register(operate)
    const message = await bootError(app)
    expect(linesIn(message)).toHaveLength(2)
    expect(strangersIn(message)).toEqual([])
  })

  it('are named beside the line that adds a route twice', async () => {
    const app = cloister()
    app.register(openapi)
    app.register(openapi)
    expect(linesIn(await bootError(app))).toHaveLength(2)
  })

  it.each(Object.entries(OURS))('of %s: one in a context, one below', async (name, register) => {
    const app = cloister()
    register(app)
    app.register(async (child) => register(child))
    const message = await bootError(app)
    if (AGAIN_BELOW.includes(name)) expect(message).toBe('none')
    else expect(message).toContain(`'${name}' is registered twice`)
  })

  it('of plugins with routes may have other paths', async () => {
    const app = cloister()
    app.register(openapi, { ui: false })
    app.register(openapi, { ui: false, path: '/public.json', yamlPath: false })
    app.register(async (child) => child.register(mcp, { path: '/inner' }))
    app.register(mcp)
    await expect(bootError(app)).resolves.toBe('none')
  })

  it('of bearer-auth demand both tokens, in turn', async () => {
    const app = cloister()
    app.register(bearerAuth, { keys })
    app.register(async (child) => {
      child.register(bearerAuth, { auth: (key) => key.endsWith('guess') })
      child.get('/', () => 'ok')
    })
    const headers = { authorization: `Bearer ${keys.join()}` }
    await expect(app.inject({ url: '/', headers })).resolves.toMatchObject({ statusCode: 200 })
    await expect(app.inject('/')).resolves.toMatchObject({ statusCode: 401 })
  })
})

describe('a plugin of an app', () => {
  it('with once is refused a second time, in its context or below, and not beside it', async () => {
    const clock = definePlugin({ name: 'clock', once: 'lineage', plugin: async () => {} })
    const app = cloister()
    app.register(async (one) => one.register(clock))
    app.register(async (other) => other.register(clock))
    await expect(bootError(app)).resolves.toBe('none')
    const nested = cloister()
    nested.register(clock)
    nested.register(async (child) => child.register(clock))
    await expect(nested.ready()).rejects.toMatchObject({ code: 'CLO_ERR_PLUGIN_REGISTERED_TWICE' })
  })

  it('that adds a route or a decorator on the same line twice is named with both registrations', async () => {
    const clock = definePlugin({ name: 'clock', plugin: async (inner) => void inner.decorate('now', 1) })
    const app = cloister()
    app.register(clock)
    app.register(clock)
    const message = await bootError(app)
    expect(message).toContain("'clock' is registered twice")
    expect(linesIn(message).length).toBeGreaterThanOrEqual(2)
  })

  it('may be registered as often as it adds nothing twice', async () => {
    const app = cloister()
    const quiet = definePlugin({
      name: 'quiet',
      plugin: async (inner) => void inner.addHook('onRequest', async () => {}),
    })
    app.register(quiet)
    app.register(quiet)
    await expect(bootError(app)).resolves.toBe('none')
  })
})
