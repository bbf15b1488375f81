// Constraints that are found out asynchronously, and handlers that live on several routes.
import { describeTransports } from '../harness/transports.ts'

const tenant = (derive: (header: unknown) => Promise<unknown>): Record<string, unknown> => ({
  name: 'tenant',
  validate: (): boolean => true,
  storage: () => {
    const handlers = new Map<unknown, unknown>()
    return {
      get: (key: unknown): unknown => handlers.get(key) ?? null,
      set: (key: unknown, value: unknown): void => void handlers.set(key, value),
    }
  },
  deriveConstraint: (
    raw: { headers: Record<string, unknown> },
    _context: unknown,
    done: (error: unknown, value?: unknown) => void,
  ): void => {
    derive(raw.headers['x-tenant']).then((value) => done(null, value), done)
  },
})

describeTransports('routing: asynchronous constraints', ({ createApp, send, it, expect }) => {
  it('waits for the value of the constraint', async () => {
    const app = createApp({ constraints: { tenant: tenant(async (header) => header) } })
    app.get('/', { constraints: { tenant: 'a' } }, () => 'tenant a')
    app.get('/', { constraints: { tenant: 'b' } }, () => 'tenant b')
    expect((await send(app, { path: '/', headers: { 'x-tenant': 'b' } })).text).toBe('tenant b')
    expect((await send(app, { path: '/', headers: { 'x-tenant': 'c' } })).status).toBe(404)
  })

  it('responds with 500 when the constraint cannot be found out', async () => {
    const app = createApp({
      constraints: {
        tenant: tenant(async () => {
          throw new Error('no directory')
        }),
      },
    })
    app.get('/', { constraints: { tenant: 'a' } }, () => 'x')
    const response = await send(app, { path: '/', headers: { 'x-tenant': 'a' } })
    expect(response.status).toBe(500)
  })
})
