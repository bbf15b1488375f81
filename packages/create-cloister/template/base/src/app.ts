//[auth] import { bearerGuard } from '@cloister/bearer-auth'
//[openapi] import { openapi } from '@cloister/openapi'
import { web } from '@cloister/web'
import { cloister } from 'cloister'

import { notes } from './notes.ts'
import { shared } from './shared.ts'

export interface AppOptions {
  readonly logger?: boolean
  //[database] /** The file of the database; `:memory:` for none. */
  //[database] readonly database?: string
}

//[auth] /** The keys of clients, from `API_KEYS`. The key `development` is for the sources only: `npm run dev` and tests. */
//[auth] function readKeys(): readonly string[] {
//[auth]   const isDevelopment = process.env['NODE_ENV'] !== 'production' && import.meta.url.endsWith('.ts')
//[auth]   const given = (process.env['API_KEYS'] ?? '').split(',').map((key) => key.trim())
//[auth]   const keys = given.filter((key) => key !== '' && (isDevelopment || key !== 'development'))
//[auth]   if (isDevelopment && keys.length === 0) return ['development']
//[auth]   if (keys.length > 0 && keys.length === given.length) return keys
//[auth]   throw new Error('Set API_KEYS to the keys of clients, with a comma between them; `development` is for `npm run dev`')
//[auth] }
//[auth]
/** Makes the app. It does not listen: `cloister start` does, and tests call `app.inject`. */
//[!database] export function createApp({ logger = true }: AppOptions = {}) {
//[database] export function createApp({ logger = true, database }: AppOptions = {}) {
  //[database] const file = database ?? process.env['DATABASE'] ?? 'notes.db'
  // Security headers, entity tags, and a check of who sends changes. Pages of other sites may use the API from `origins`.
  const base = cloister({ strict: true, logger }).register(web, { origins: [] })
  //[database] const app = base.register(shared, { file })
  //[!database] const app = base.register(shared)
  //[openapi] app.register(openapi, { info: { title: '{{name}}', version: '0.0.0' } })
  app.register(async function health(scope) {
    scope.get('/health', () => ({ status: 'ok' }))
  })
  //[auth] app.register(async function guarded(scope) {
  //[auth]   scope.addGuard('isClient', bearerGuard({ keys: readKeys() }))
  //[auth]   scope.register(notes, { prefix: '/notes' })
  //[auth] })
  //[!auth] app.register(notes, { prefix: '/notes' })
  return app
}
