/* oxlint-disable typescript/ban-ts-comment -- a type test also says what must not compile */

import { app, is, it } from './support.ts'

const cookies = {
  type: 'object',
  required: ['__Host-sid'],
  properties: { '__Host-sid': { type: 'string' }, visits: { type: 'integer' } },
} as const

it('gives handlers the cookies that a schema declares', () => {
  app.get('/', { schema: { cookies } }, (request) => {
    is<string>()(request.cookies['__Host-sid'])
    is<number | undefined>()(request.cookies.visits)
    return 'ok'
  })
})

it('gives handlers of routes without such a schema no cookies', () => {
  app.get('/plain', (request) => {
    // @ts-expect-error -- no schema declares them
    return request.cookies
  })
})
