// Options of the router that take the raw request and answer themselves, before any hook.
import { callMember } from '../call-member.ts'
import { describeTransports } from '../harness/transports.ts'

const says =
  (text: string) =>
  (...args: readonly unknown[]): void => {
    callMember(Object(args.at(-1)), 'end', text)
  }

describeTransports('answers of the router', ({ createApp, send, expect, since5, line4 }) => {
  const NEW = '4.x has none of these options'

  since5(NEW)('come from defaultRoute where no route is found', async () => {
    const app = createApp({ routerOptions: { defaultRoute: says('no route') } })
    app.get('/here', () => 'here')
    expect((await send(app, { path: '/nowhere' })).text).toBe('no route')
    expect((await send(app, { path: '/here' })).text).toBe('here')
  })

  since5(NEW)('come from onBadUrl where a path cannot be decoded', async () => {
    const app = createApp({ routerOptions: { onBadUrl: says('bad') } })
    app.get('/:name', () => 'named')
    expect((await send(app, { path: '/%zz' })).text).toBe('bad')
  })

  since5(NEW)('come from onMaxParamLength where a param is too long', async () => {
    const app = createApp({ routerOptions: { onMaxParamLength: says('long'), maxParamLength: 3 } })
    app.get('/:name', () => 'named')
    expect((await send(app, { path: '/four' })).text).toBe('long')
    expect((await send(app, { path: '/yes' })).text).toBe('named')
  })

  line4('5.x has no such option')('follow the strategy that versioning gives', async () => {
    const storage = (): object => {
      const handlers = new Map<string, unknown>()
      return {
        get: (version: string) => handlers.get(version) ?? null,
        set: (version: string, handler: unknown) => handlers.set(version, handler),
      }
    }
    const deriveVersion = ({ headers }: { headers: Record<string, string> }): string | undefined =>
      headers['x-version']
    const app = createApp({ versioning: { storage, deriveVersion } })
    app.get('/', { constraints: { version: '1' }, handler: () => 'one' })
    app.get('/', { constraints: { version: '2' }, handler: () => 'two' })
    expect((await send(app, { path: '/', headers: { 'x-version': '2' } })).text).toBe('two')
    expect((await send(app, { path: '/', headers: { 'x-version': '3' } })).status).toBe(404)
  })
})
