/* oxlint-disable typescript/ban-ts-comment -- a type test also says what must not compile */

// The value of a bearer guard, as handlers read it.
import { bearerGuard } from '@cloister/bearer-auth'
import { cloister } from 'cloister'
import type { CloisterRequest } from 'cloister'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
declare function same<A, B>(...x: Equal<A, B> extends true ? [] : [{ got: A; want: B }]): void

interface User {
  readonly name: string
}
const users = new Map<string, User>()
const app = cloister()

app
  .addGuard('user', bearerGuard({ auth: (token) => users.get(token) }))
  .get('/sync', (request) => same<typeof request.user, User>())
app
  .addGuard('user', bearerGuard({ auth: async (token) => users.get(token) ?? null }))
  .get('/async', (request) => same<typeof request.user, User>())
app
  .addGuard('isClient', bearerGuard({ keys: ['key'], realm: 'orders' }))
  .get('/keys', (request) => same<typeof request.isClient, true>())
app
  .addGuard('isClient', bearerGuard({ auth: (token) => token === 'key' }))
  .get('/boolean', (request) => same<typeof request.isClient, true>())
app
  .addGuard('user', bearerGuard({ auth: (_token, request: CloisterRequest) => ({ name: request.ip }) }), {
    at: 'preValidation',
    release: (user) => void user.name,
  })
  .get('/request', (request) => same<typeof request.user.name, string>())

const guarded = app.addGuard('user', bearerGuard({ auth: (token) => users.get(token) }))
// @ts-expect-error -- the value has no such field
guarded.get('/field', (request) => request.user.nam)
// @ts-expect-error -- the option of the plugin; the stage is the option 'at' of addGuard
bearerGuard({ keys: ['key'], addHook: 'preParsing' })
// @ts-expect-error -- a guard that refuses every token has no value
app.addGuard('user', bearerGuard({ auth: () => null }))
