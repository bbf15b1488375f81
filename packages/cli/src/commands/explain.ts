import { withApp } from '../load-app.ts'
import { printMissing, printRoute } from '../print-route.ts'
import { APP_OPTION, JSON_OPTION } from '../command-line.ts'
import type { Program } from '../command-line.ts'
import type { Session } from '../session.ts'
import { toJson } from '../text.ts'

/** Adds `cloister explain`: what requests of one route run and use. */
export function addExplain(program: Program, session: Session): void {
  program
    .command('explain')
    .description('say what requests of one route run and use, as in: cloister explain GET /users/1')
    .argument('<method>', 'the method of the request')
    .argument('<url>', 'a URL with values, or the path of a route')
    .option(...JSON_OPTION)
    .option(...APP_OPTION)
    .action(async (method, url, { app: file, json = false }) => {
      const [found, transport] = await withApp(file, session, (app) => [
        app.explain(method, url),
        app.transport,
      ])
      if (found.kind === 'missing') session.exit(1)
      if (json) session.out(toJson(found))
      else if (found.kind === 'route') session.out(printRoute(found, session, transport))
      else session.err(printMissing(found, session.folder))
    })
}
