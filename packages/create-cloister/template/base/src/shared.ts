import { definePlugin } from 'cloister'
import type { Cloister, ContextFrom } from 'cloister'

import { openStore } from './store.ts'
import type { Store } from './store.ts'

const note = {
  $id: 'note',
  type: 'object',
  required: ['id', 'text', 'done'],
  properties: { id: { type: 'integer' }, text: { type: 'string' }, done: { type: 'boolean' } },
} as const

const problem = {
  $id: 'problem',
  type: 'object',
  required: ['message'],
  properties: { message: { type: 'string' } },
} as const

interface Shared {
  app: { store: Store }
  schemas: { note: typeof note; problem: typeof problem }
}

/** What files of routes get: an app with the store and the shared schemas. */
export type SharedApp = Cloister<ContextFrom<Shared>>

/** Adds what all files of routes share. */
//[database] export const shared = definePlugin<{ provides: Shared; options: { file: string } }>({
//[!database] export const shared = definePlugin<{ provides: Shared }>({
  name: 'shared',
  //[database] plugin(app, { file }) {
  //[database]   const store = openStore(file)
  //[database]   app.addHook('onClose', async () => store.close())
  //[database]   app.decorate('store', store)
  //[!database] plugin(app) {
  //[!database]   app.decorate('store', openStore())
    app.addSchema(note)
    app.addSchema(problem)
  },
})
