import { bearerAuth, verifyBearerAuthFactory } from '@cloister/bearer-auth'
import { cloister } from 'cloister'
import { describe, expect, it } from 'vitest'

/** A guarded app, with the lines of its log. */
function create(options: object = {}, auth: object = { keys: ['secret-key'] }) {
  const lines: { readonly level: number }[] = []
  const stream = { write: (line: string): void => void lines.push(JSON.parse(line)) }
  const app = cloister({ strict: true, logger: { stream }, ...options })
  app.register(bearerAuth, auth)
  app.after(() => void app.get('/', () => ({ ok: true })))
  return { app, lines }
}

const REFUSED = [
  ['no token', {}, 'MISSING_AUTHORIZATION_HEADER'],
  ['another scheme', { authorization: 'Basic x' }, 'INVALID_AUTHORIZATION_HEADER'],
  ['a wrong token', { authorization: 'Bearer wrong' }, 'INVALID_AUTHORIZATION_HEADER'],
] as const

describe('refusals of an app with problem details', () => {
  it.each(REFUSED)(
    'are problems for %s, with a challenge and no line of an error',
    async (_what, headers, code) => {
      const { app, lines } = create({ problemDetails: true })
      const response = await app.inject({ url: '/', headers })
      expect(response.statusCode).toBe(401)
      expect(response.headers['content-type']).toMatch(/^application\/problem\+json/)
      expect(response.headers['www-authenticate']).toMatch(/^Bearer realm="restricted"/)
      expect(response.json()).toMatchObject({ status: 401, code: `CLO_ERR_BEARER_AUTH_${code}` })
      expect(lines.filter(({ level }) => level >= 40)).toEqual([])
    },
  )

  it('are problems of a route that uses the check itself', async () => {
    const app = cloister({ problemDetails: true })
    app.get('/', { onRequest: verifyBearerAuthFactory({ keys: ['k'] }) }, () => 'unreachable')
    const response = await app.inject('/')
    expect(response.headers['content-type']).toMatch(/^application\/problem\+json/)
    expect(response.json()).toMatchObject({ status: 401, detail: 'missing authorization header' })
    await app.close()
  })

  it('have the usual form of failures where the client does not accept problems', async () => {
    const { app } = create()
    const response = await app.inject({ url: '/', headers: { accept: 'application/json' } })
    expect(response.json()).toMatchObject({ statusCode: 401, error: 'Unauthorized' })
  })

  it('hide the error of an auth function that failed, and log it', async () => {
    const fail = (): never => {
      throw new Error('host db-7 is down')
    }
    const { app, lines } = create({ problemDetails: true }, { auth: fail })
    const response = await app.inject({ url: '/', headers: { authorization: 'Bearer x' } })
    expect(response.json()).toMatchObject({ status: 500 })
    expect(response.body).not.toContain('db-7')
    expect(lines.filter(({ level }) => level >= 50)).not.toEqual([])
  })

  it('are what the options say, where they say it, and as before without problem details', async () => {
    const own = create({}, { keys: ['k'], errorResponse: () => ({ own: true }) })
    expect((await own.app.inject('/')).json()).toEqual({ own: true })
    const compat = create({ strict: false })
    expect((await compat.app.inject('/')).json()).toEqual({ error: 'missing authorization header' })
    expect(compat.lines.some(({ level }) => level === 50)).toBe(true)
  })
})
