import { asyncApiDocument } from '@cloister/openapi'

import { APP_OPTION } from '../command-line.ts'
import type { Program } from '../command-line.ts'
import { OUT_OPTION, TITLE_OPTION, writeDocument } from '../document-file.ts'
import type { Session } from '../session.ts'

/** Adds `cloister asyncapi`, which writes the AsyncAPI document of an app. */
export function addAsyncApi(program: Program, session: Session): void {
  program
    .command('asyncapi')
    .description('print or write the AsyncAPI document of the app: its WebSockets, streams and topics')
    .option(...OUT_OPTION)
    .option('--check', 'end with 1 when the file of --out (default: asyncapi.json) is not up to date')
    .option(...TITLE_OPTION)
    .option(...APP_OPTION)
    .action(async ({ app, check, out, title }) => {
      const own = { name: 'asyncapi', create: asyncApiDocument, options: {}, more: {} }
      await writeDocument({ ...own, app, check, out, title }, session)
    })
}
