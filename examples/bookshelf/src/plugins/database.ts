import { plugin } from '@cloister/plugin'
import type { Cloister } from 'cloister'

import { openLibrary } from '../library/library.ts'
import { seedLibrary } from '../seed.ts'

/**
 * Opens the database and provides it as `app.library` to the context that registers the plugin: it is wrapped, so
 * it has no context of its own. What the returned instance knows more, the types of that context know too. The file
 * is closed when the app is.
 */
export const database = plugin(
  (app: Cloister, options: { readonly file: string }) => {
    const library = openLibrary(options.file)
    const added = seedLibrary(library)
    app.log.info({ file: options.file, added }, 'the database is open')
    app.addHook('onClose', async () => library.close())
    return app.decorate('library', library)
  },
  { name: 'database', version: '4.x' },
)
