import { definePlugin } from 'cloister'

import { sharedSchemas } from '../schemas.ts'
import type { SharedSchemas } from '../schemas.ts'

/** Shares the schemas with the context that registers the plugin, and with every context below. */
export const schemas = definePlugin<{ readonly provides: { readonly schemas: SharedSchemas } }>({
  name: 'schemas',
  plugin(app) {
    for (const schema of Object.values(sharedSchemas)) app.addSchema(schema)
  },
})
