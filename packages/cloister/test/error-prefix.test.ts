import { describe, expect, it } from 'vitest'
import { cloister } from '../src/app.ts'
import { createError } from '../src/errors.ts'
import { isFunction } from '../src/guards.ts'

/** Throws a coded error, whatever is done with it. */
const BROKEN: object = new Proxy(
  {},
  {
    get: () => {
      throw createError('NOT_FOUND', { what: 'it' })
    },
  },
)

/** Returns the codes of the errors that the members of an object throw or reject with, by their names. */
async function codesOf(object: object): Promise<ReadonlyMap<string, string>> {
  const codes = new Map<string, string>()
  const note = (name: string, error: unknown): void => {
    const code: unknown = Reflect.get(Object(error), 'code')
    if (typeof code === 'string' && code.includes('NOT_FOUND')) codes.set(name, code)
  }
  let owner: object | null = Reflect.getPrototypeOf(object)
  while (owner !== null && owner !== Object.prototype) {
    for (const name of Object.getOwnPropertyNames(owner)) {
      if (name === 'constructor' || codes.has(name)) continue
      try {
        const member: unknown = Reflect.get(object, name, BROKEN)
        const result = isFunction(member) ? member.call(BROKEN, BROKEN, BROKEN) : null
        if (result instanceof Promise) await result
      } catch (error) {
        note(name, error)
      }
    }
    owner = Reflect.getPrototypeOf(owner)
  }
  return codes
}

describe('the prefix of error codes', () => {
  it.each(['request', 'reply', 'instance'] as const)(
    'is on every error of every member: %s',
    async (kind) => {
      const app = cloister({ errorCodePrefix: 'SHOP_' })
      let codes: ReadonlyMap<string, string> = new Map()
      app.get('/', async function (request, reply) {
        codes = await codesOf({ request, reply, instance: app }[kind])
        return 'ok'
      })
      expect((await app.inject('/')).statusCode).toBe(200)
      await app.close()
      expect(codes.size).toBeGreaterThan(20)
      expect([...codes].filter(([, code]) => code !== 'SHOP_NOT_FOUND')).toEqual([])
    },
  )
  it('is on the error of a guard that is read outside of its contexts', async () => {
    const app = cloister({ errorCodePrefix: 'SHOP_' })
    app.register(async (child) => {
      child.addGuard('user', () => ({ name: 'Ada' }))
    })
    app.get('/', (request) => Reflect.get(request, 'user'))
    expect((await app.inject('/')).json()).toMatchObject({ code: 'SHOP_GUARD_OUT_OF_CONTEXT' })
    await app.close()
  })
})
