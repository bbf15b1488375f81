// `definePlugin`: a definition that would be misread is refused where it is written.
import { cloister, definePlugin } from 'cloister'
import { describe, expect, it } from 'vitest'

const plugin = (): void => {}
const define = (definition: object): unknown => definePlugin(definition as never)

describe('contexts: definitions of plugins', () => {
  it.each([
    [{ dependancies: ['db'] }, /'dependancies'.*'books'.*not known.*did you mean 'dependencies'\?/],
    [
      { dependencies: [define({ name: 'db', plugin })] },
      /'dependencies'.*must be a list of names of plugins/,
    ],
    [{ dependencies: 'db' }, /'dependencies'.*must be a list of names of plugins, got/],
    [{ decorators: { app: ['db'] } }, /'decorators'.*lists of names for cloister, request and reply/],
    [{ decorators: { request: 'user' } }, /'decorators'.*lists of names/],
    [{ encapsulate: 'no' }, /'encapsulate'.*must be true or false/],
    [{ name: '' }, /'name'.*must be a text/],
  ])('%j is refused', (fields, message) => {
    const code = 'CLO_ERR_PLUGIN_DEFINITION_INVALID'
    const given = { name: 'books', ...fields, plugin }
    expect(() => define(given)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    )
  })

  it('without a function is refused', () => {
    expect(() => define({ name: 'books' })).toThrow(/must be a function/)
  })

  it('may leave fields undefined, and have all of them', async () => {
    const app = cloister()
    const fields = {
      name: undefined,
      version: '5.x',
      encapsulate: false,
      dependencies: [],
      routeOptions: ['x'],
    }
    app.decorateRequest('user', null)
    app.register(definePlugin({ ...Object(fields), decorators: { request: ['user'] }, plugin }))
    await app.ready()
    await app.close()
  })

  it('refuses a wrapped plugin whose dependency is no name, as one that is not registered', async () => {
    const app = cloister()
    const wrapped = Object.assign(async () => {}, {
      [Symbol.for('skip-override')]: true,
      [Symbol.for('plugin-meta')]: { name: 'books', dependencies: [{ name: 'db' }] },
    })
    app.register(wrapped)
    await expect(app.ready()).rejects.toThrow(/'\[object Object\]' of plugin 'books' is not registered/)
  })
})
