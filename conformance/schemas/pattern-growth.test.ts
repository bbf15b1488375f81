// The CPU time of a request with a hostile text grows with its length, whatever expression meets the text.
import { cloister, type InjectOptions } from 'cloister'
import { afterEach, describe, expect, it } from 'vitest'
import { HOSTILE, hostileText } from '../../packages/schema/test/regexp/hostile.ts'
import { expectLinear, MIB } from '../harness/growth.ts'
import { isPeer } from '../harness/subject.ts'

type App = ReturnType<typeof cloister>
type Request = string | InjectOptions

const apps: App[] = []
afterEach(async () => Promise.all(apps.splice(0).map((app) => app.close())))

function createApp(options: Parameters<typeof cloister>[0] = {}): App {
  const app = cloister({ bodyLimit: 4 * MIB, ...options })
  apps.push(app)
  return app
}

describe.skipIf(isPeer)('a hostile text of 1 MiB costs time in proportion to its length', () => {
  it.each(HOSTILE)('in a body: %s', async (pattern, piece, end) => {
    const app = createApp()
    const body = { type: 'object', properties: { a: { type: 'string', pattern } } }
    app.post('/', { schema: { body } }, () => 'taken')
    const requestOf = (size: number): Request => {
      return { method: 'POST', url: '/', payload: { a: hostileText(piece, end, size) } }
    }
    expect((await app.inject(requestOf(MIB))).statusCode).toBe(400)
    await expectLinear(app, requestOf)
  })

  it.each(HOSTILE)('in a response: %s', async (pattern, piece, end) => {
    const app = createApp()
    const response = { 200: { type: 'object', patternProperties: { [pattern]: { type: 'integer' } } } }
    app.get('/:size', { schema: { response } }, ({ params: { size } }) => ({
      [hostileText(piece, end, Number(size))]: 1,
    }))
    expect((await app.inject(`/${MIB}`)).body).toBe('{}')
    await expectLinear(app, (size) => `/${size}`)
  })

  it.each([
    ['^(?:a|a)*b$', 'a'],
    ['^(?:x+x+)+y', 'x'],
    ['^.*a.*b.*c', 'ab'],
  ])('in a path: %s', async (pattern, piece) => {
    const app = createApp({ allowUnsafeRegex: true, maxParamLength: 2 * MIB })
    app.get(`/one/:id(${pattern})`, ({ params: { id } }) => id)
    app.get(`/two/:id(${pattern}):number(\\d+)`, () => 'matched')
    for (const place of ['one', 'two']) {
      const requestOf = (size: number): Request => `/${place}/${hostileText(piece, '', size)}`
      expect((await app.inject(requestOf(MIB))).statusCode).toBe(404)
      await expectLinear(app, requestOf)
    }
  })

  it('in a header', async () => {
    const app = createApp()
    app.route({ method: 'GET', url: '/', constraints: { host: /^(?:[a-z]+-?)*x$/i }, handler: () => 'host' })
    app.addContentTypeParser(/^application\/(?:[a-z]+\+?)*x$/, (_request, _body, done) => done(null))
    app.post('/', () => 'taken')
    const hostOf = (size: number): Request => ({ url: '/', headers: { host: 'a'.repeat(size) } })
    const typeOf = (size: number): Request => {
      const headers = { 'content-type': `application/${'a'.repeat(size)}` }
      return { method: 'POST', url: '/', headers, payload: 'text' }
    }
    expect((await app.inject(typeOf(MIB))).statusCode).toBe(415)
    await expectLinear(app, hostOf)
    await expectLinear(app, typeOf)
  })
})
