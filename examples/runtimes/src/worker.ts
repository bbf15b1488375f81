// Cloudflare Workers: an object with `fetch`, which gets bindings and a context with each request.
import { fetchContext, toFetch } from 'cloister/fetch'
import { createApp } from './app.ts'
import { d1Users } from './users.ts'
import type { D1Database } from './users.ts'

/** The bindings of the worker. */
export interface Env {
  readonly GREETING: string
  readonly USERS: D1Database
  /** A namespace of KV. */
  readonly VISITS: {
    get(key: string): Promise<string | null>
    put(key: string, value: string): Promise<void>
  }
}

/** The part of the platform's context that is used. */
export interface Context {
  waitUntil(work: Promise<unknown>): void
}

const platform = fetchContext<{ readonly env: Env; readonly context: Context }>()

const app = createApp((request) => d1Users(platform.get(request).env.USERS))

app.get('/greeting', (request) => {
  const { env, context } = platform.get(request)
  // Goes on after the response.
  context.waitUntil(env.VISITS.put('last', request.ip ?? 'unknown'))
  return { greeting: env.GREETING }
})

app.get('/visits/last', async (request) => ({ from: await platform.get(request).env.VISITS.get('last') }))

export default {
  fetch: toFetch(app, (request, env: Env, context: Context) => ({
    clientAddress: request.headers.get('cf-connecting-ip'),
    context: platform.with({ env, context }),
  })),
}
