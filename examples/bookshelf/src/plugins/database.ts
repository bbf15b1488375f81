import { definePlugin } from 'cloister'

import { openLibrary } from '../library/library.ts'
import type { Library } from '../library/library.ts'
import { seedLibrary } from '../seed.ts'

interface DatabaseContract {
  readonly provides: { readonly app: { readonly library: Library } }
  readonly options: { readonly file: string }
}

/**
 * Opens the database and provides it as `app.library` to the context that registers the plugin: a plugin with
 * `provides` has no context of its own. The file is closed when the app is.
 */
export const database = definePlugin<DatabaseContract>({
  name: 'database',
  version: '4.x',
  plugin(app, { file }) {
    const library = openLibrary(file)
    const added = seedLibrary(library)
    app.log.info({ file, added }, 'the database is open')
    app.decorate('library', library)
    app.addHook('onClose', async () => library.close())
  },
})
