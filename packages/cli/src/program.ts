import { createRequire } from 'node:module'

import type { AddCommand, Program } from './command-line.ts'
import { addAsyncApi } from './commands/asyncapi.ts'
import { addBuild } from './commands/build.ts'
import { addDiff } from './commands/diff.ts'
import { addDoctor } from './commands/doctor.ts'
import { addExplain } from './commands/explain.ts'
import { addMigrate } from './commands/migrate.ts'
import { addOpenApi } from './commands/openapi.ts'
import { addReplicas } from './commands/replicas.ts'
import { addRoutes } from './commands/routes.ts'
import { addStart } from './commands/start.ts'
import { addTypes } from './commands/types.ts'
import type { Session } from './session.ts'

const require: RequireManifest = createRequire(import.meta.url)

/** `require`, with the type of this manifest. */
type RequireManifest = (name: '@cloister/cli/package.json') => { readonly version: string }

/** In the order of the help text. */
const COMMANDS: readonly AddCommand[] = [
  addStart,
  addBuild,
  addRoutes,
  addExplain,
  addOpenApi,
  addAsyncApi,
  addTypes,
  addDiff,
  addDoctor,
  addMigrate,
  addReplicas,
]

const EXIT_CODES = `
Exit codes: 0 done, 1 nothing found or a check failed, 2 wrong usage, 3 no app file, or the app does not start.
`

/** Adds all commands to the program of one run. */
export function addCommands(program: Program, session: Session): void {
  program
    .description('Shows, checks and starts an app of Cloister.')
    .version(require('@cloister/cli/package.json').version, '--version', 'print the version of @cloister/cli')
    .addHelpText('after', EXIT_CODES)
  for (const add of COMMANDS) add(program, session)
}
