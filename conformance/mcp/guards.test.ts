// No tool passes a guard by: a call runs the hooks that a request to its route runs, and that its description names.
import fc from 'fast-check'
import { describeTransports } from '../harness/transports.ts'
import type { App, Request } from '../harness/app-shape.ts'
import { register, toolsOf } from './tool-app.ts'

const GUARDS = ['onRequest', 'preParsing', 'preValidation', 'preHandler'] as const

/** A context with hooks, routes with hooks of their own, and contexts below. */
interface Room {
  readonly hooks: readonly (typeof GUARDS)[number][]
  readonly routes: readonly (readonly (typeof GUARDS)[number][])[]
  readonly rooms: readonly Room[]
}

const hooks = fc.array(fc.constantFrom(...GUARDS), { maxLength: 3 })
const roomOf = (below: fc.Arbitrary<Room[]>): fc.Arbitrary<Room> =>
  fc.record({ hooks, routes: fc.array(hooks, { maxLength: 2 }), rooms: below })
const leaf = roomOf(fc.constant([]))
const middle = roomOf(fc.array(leaf, { maxLength: 1 }))
const rooms = roomOf(fc.array(middle, { minLength: 1, maxLength: 2 }))

/** Builds the contexts; hooks note their names, and refuse where the caller asks for it. */
class Building {
  readonly noted: string[] = []
  #count = 0

  hook(name: (typeof GUARDS)[number]): { name: typeof name; fn: (request: Request) => Promise<void> } {
    const label = `${name}${this.#count++}`
    const fn = async (request: Request): Promise<void> => {
      this.noted.push(label)
      if (request.headers['x-refuse'] === label) throw Object.assign(new Error(label), { statusCode: 403 })
    }
    return { name, fn: Object.defineProperty(fn, 'name', { value: label }) }
  }

  async fill(app: App, { hooks: given, routes, rooms: below }: Room): Promise<void> {
    for (const one of given) {
      const { name, fn } = this.hook(one)
      app.addHook(name, fn)
    }
    for (const own of routes) {
      const options: Record<string, unknown> = {}
      for (const one of own) {
        const { name, fn } = this.hook(one)
        options[name] = [options[name] ?? [], fn].flat()
      }
      const url = `/r${this.#count++}`
      app.route({
        method: 'GET',
        url,
        mcp: { name: url.slice(1) },
        ...options,
        handler: () => this.noted.push(url),
      })
    }
    for (const one of below) await app.register(async (inner: App) => this.fill(inner, one))
  }
}

describeTransports(
  'guards of tools',
  ({ createApp, send, it, expect }) => {
    it('a call runs the hooks of a request, which the tool names, and each of them can refuse it', async () => {
      let tried = 0
      await fc.assert(
        fc.asyncProperty(rooms, async (room) => {
          const app = createApp()
          await register(app)
          const building = new Building()
          await building.fill(app, room)
          await app.ready()
          for (const { name, url, guards } of toolsOf(app)) {
            building.noted.length = 0
            await send(app, { path: url })
            const direct = building.noted.splice(0)
            const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } }
            const headers = { accept: 'application/json, text/event-stream' }
            await send(app, { method: 'POST', path: '/mcp', headers, body: call })
            const called = building.noted.splice(0)
            // The hooks of the root are those of the endpoint, too: they run once for each of the two requests.
            expect(called.slice(-direct.length)).toEqual(direct)
            expect([...guards.map(({ fn }) => fn), url]).toEqual(direct)
            for (const guard of guards) {
              if (guard.context === 'root' && guard.source === 'context') continue
              tried += 1
              await send(app, {
                method: 'POST',
                path: '/mcp',
                headers: { ...headers, 'x-refuse': guard.fn },
                body: call,
              })
              expect(building.noted.splice(0)).not.toContain(url)
            }
          }
          await app.close()
        }),
        { numRuns: 8 },
      )
      expect(tried).toBeGreaterThan(5)
    })
  },
  ['in-process', 'fetch'],
)
