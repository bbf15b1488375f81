//[auth] import { bearerAuth } from '@cloister/bearer-auth'
//[openapi] import { openapi } from '@cloister/openapi'
import { cloister } from 'cloister'

import { notes } from './notes.ts'

export interface AppOptions {
  readonly logger?: boolean
  //[database] /** The file of the database; `:memory:` for none. */
  //[database] readonly database?: string
}

//[auth] /** The keys of clients, with a comma between them. Without any, the app does not start in production. */
//[auth] function readKeys(): readonly string[] {
//[auth]   const given = process.env['API_KEYS']
//[auth]   if (given !== undefined) return given.split(',')
//[auth]   return process.env['NODE_ENV'] === 'production' ? [] : ['development']
//[auth] }
//[auth]
/** Makes the app. It does not listen: `cloister start` does, and tests call `app.inject`. */
//[!database] export function createApp({ logger = true }: AppOptions = {}) {
//[database] export function createApp({ logger = true, database }: AppOptions = {}) {
  const app = cloister({ strict: true, logger })
  //[database] const options = { prefix: '/notes', file: database ?? process.env['DATABASE'] ?? 'notes.db' }
  //[auth !database] const options = { prefix: '/notes' }
  //[openapi] app.register(openapi, { info: { title: '{{name}}', version: '0.0.0' } })
  app.get('/health', () => ({ status: 'ok' }))
  //[auth] app.register(async function guarded(scope) {
  //[auth]   await scope.register(bearerAuth, { keys: readKeys() })
  //[auth]   scope.register(notes, options)
  //[auth] })
  //[!auth database] app.register(notes, options)
  //[!auth !database] app.register(notes, { prefix: '/notes' })
  return app
}
