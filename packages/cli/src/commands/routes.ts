import type { RouteDescription } from 'cloister'

import { withApp } from '../load-app.ts'
import { printRoutes, routesOf } from '../print-routes.ts'
import { APP_OPTION, JSON_OPTION } from '../command-line.ts'
import type { Program } from '../command-line.ts'
import type { Session } from '../session.ts'
import { printCallSite, toJson } from '../text.ts'

/** Adds `cloister routes`, which lists the routes. */
export function addRoutes(program: Program, session: Session): void {
  program
    .command('routes')
    .description('list the routes with handler, context, file and line')
    .option('--hooks', 'with the hooks of each')
    .option('--grep <text>', 'those with this text', '')
    .option(...JSON_OPTION)
    .option(...APP_OPTION)
    .action(async ({ app: file, json = false, hooks = false, grep }) => {
      const all = await withApp(file, session, (app) => routesOf(app.explain()))
      const found = all.filter((route) => matches(route, grep, session.folder))
      if (json) session.out(toJson(found))
      else session.out(printRoutes(found, hooks, session))
      if (found.length > 0) return
      session.exit(1)
      session.err(
        grep === '' ? 'cloister: the app has no routes\n' : `cloister: no route has the text '${grep}'\n`,
      )
    })
}

function matches(route: RouteDescription, text: string, folder: string): boolean {
  const { method, url, handler, context, callSite } = route
  const all = `${method} ${url} ${handler} ${context} ${printCallSite(callSite, folder)}`
  return all.toLowerCase().includes(text.toLowerCase())
}
