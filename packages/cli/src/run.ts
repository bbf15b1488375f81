import { readArguments, USAGE } from './arguments.ts'
import type { Command } from './arguments.ts'
import { findApp } from './find-app.ts'
import { loadApp } from './load-app.ts'
import type { LoadedApp } from './load-app.ts'
import { CommandError } from './outcome.ts'
import type { Outcome } from './outcome.ts'
import { printMissing, printRoute } from './print-route.ts'
import { printRoutes, routesOf } from './print-routes.ts'

/**
 * Runs the command `cloister`, and closes the app that it has loaded.
 *
 * @param args - the arguments behind the name of the command, as in `['explain', 'GET', '/users/1']`
 * @param folder - the folder from which files are found, and to which their paths are printed
 *
 * @example
 * ```ts fragment
 * import { run } from '@cloister/cli'
 *
 * const { code, output } = await run(['routes', '--json', '--app', 'src/app.js'], process.cwd())
 * ```
 */
export async function run(args: readonly string[], folder: string): Promise<Outcome> {
  try {
    const command = readArguments(args)
    if (command.name === 'help') return { code: 0, output: USAGE, errors: '' }
    const app = await loadApp(findApp(command.app, folder))
    try {
      return command.name === 'routes' ? routes(app, command, folder) : explain(app, command, folder)
    } finally {
      await app.close()
    }
  } catch (error) {
    if (error instanceof CommandError)
      return { code: error.code, output: '', errors: `cloister: ${error.message}` }
    throw error
  }
}

function routes(app: LoadedApp, command: Extract<Command, { name: 'routes' }>, folder: string): Outcome {
  const { grep, json, hooks } = command
  const found = routesOf(app.explain()).filter((route) => matches(route, grep))
  const output = json ? toJson(found) : printRoutes(found, { hooks, folder })
  if (found.length > 0) return { code: 0, output, errors: '' }
  const errors =
    grep === '' ? 'cloister: the app has no routes\n' : `cloister: no route has the text '${grep}'\n`
  return { code: 1, output: json ? output : '', errors }
}

/** Whether the text is in the method, the path, the handler, the context or the file of a route. */
function matches(route: ReturnType<typeof routesOf>[number], text: string): boolean {
  const { method, url, handler, context, callSite } = route
  const all = `${method} ${url} ${handler} ${context} ${callSite ?? ''}`
  return all.toLowerCase().includes(text.toLowerCase())
}

function explain(app: LoadedApp, command: Extract<Command, { name: 'explain' }>, folder: string): Outcome {
  const { method, url, json } = command
  const found = app.explain(method, url)
  if (found.kind === 'route')
    return { code: 0, output: json ? toJson(found) : printRoute(found, folder), errors: '' }
  const text = printMissing(found, folder)
  return json ? { code: 1, output: toJson(found), errors: '' } : { code: 1, output: '', errors: text }
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
