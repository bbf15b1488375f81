import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

import { commandText } from '../command-line.ts'
import type { Program } from '../command-line.ts'
import { CommandError } from '../session.ts'
import type { ExitCode, Place, Session } from '../session.ts'

const require = createRequire(import.meta.url)
const PACKAGE = '@cloister/migrate'
const ENTRY = `${PACKAGE}/internal`

/** What the package exports for this command. */
type Migrate = (place: Place, args: readonly string[]) => Promise<ExitCode>

/** Adds `cloister migrate`, which `@cloister/migrate` runs: each move needs it once, and no app needs it later. */
export function addMigrate(program: Program, session: Session): void {
  program
    .command('migrate')
    .description(
      'move a project from Fastify to Cloister and prove it: runs its tests and sends requests before and after, and reports what differs',
    )
    .argument('[options...]', `of ${PACKAGE}, which lists them with --help`)
    .usage('[options]')
    .helpOption(false)
    .allowUnknownOption()
    .action(async (args: readonly string[]) => {
      const file = locate(session.folder) ?? locate()
      if (file === null) throw new CommandError(3, missing(args))
      const loaded: unknown = await import(pathToFileURL(file).href)
      if (!isMigrate(loaded))
        throw new CommandError(3, `${file} has no function migrate: install ${PACKAGE} again\n`)
      session.exit(await loaded.migrate(session, args))
    })
}

/** Returns the file that code in a folder gets for the package, or code here; `null` if it is not installed. */
function locate(folder?: string): string | null {
  try {
    return require.resolve(ENTRY, folder === undefined ? {} : { paths: [folder] })
  } catch {
    return null
  }
}

function missing(args: readonly string[]): string {
  return `migrate is a package of its own, which is not installed; this runs it: ${commandText(`npx ${PACKAGE}`, args)}\n`
}

function isMigrate(loaded: unknown): loaded is { readonly migrate: Migrate } {
  return typeof Reflect.get(Object(loaded), 'migrate') === 'function'
}
