import { cloister } from 'cloister'

import { notes } from './notes.ts'

/** Makes the app. It does not listen: `cloister start` does, and tests call `app.inject`. */
export function createApp({ logger = true }: { readonly logger?: boolean } = {}) {
  const app = cloister({ strict: true, logger })
  app.get('/health', () => ({ status: 'ok' }))
  app.register(notes, { prefix: '/notes' })
  return app
}
