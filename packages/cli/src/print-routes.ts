import type { AppDescription, RouteDescription } from 'cloister'
import type { ContextDescription } from 'cloister/types'

import { printCallSite, printContext, printTable } from './text.ts'
import type { Paper } from './text.ts'

/** Returns the routes of an app, context by context. */
export function routesOf({ contexts }: AppDescription): RouteDescription[] {
  const visit = ({ routes, children }: ContextDescription): RouteDescription[] => [
    ...routes,
    ...children.flatMap(visit),
  ]
  return visit(contexts)
}

const STYLES = ['green', 'bold', undefined, undefined, 'dim'] as const

/**
 * Prints one route per line, without the automatic HEAD routes.
 *
 * @param hooks - whether to print the hooks of each route below it
 */
export function printRoutes(routes: readonly RouteDescription[], hooks: boolean, paper: Paper): string {
  const shown = routes.filter(({ automatic }) => !automatic)
  const lines = printTable(
    shown.map((route) => toRow(route, paper.folder)),
    paper,
    { styles: STYLES },
  ).split('\n')
  if (!hooks) return lines.join('\n')
  return shown.map((route, index) => `${lines[index] ?? ''}\n${printHooks(route, paper)}`).join('')
}

function toRow(route: RouteDescription, folder: string): string[] {
  const { method, url, constraints, handler, context, callSite } = route
  const wanted = Object.entries(constraints).map(([name, value]) => ` ${name}=${value}`)
  return [method, url + wanted.join(''), handler, printContext(context), printCallSite(callSite, folder)]
}

/** Prints the hooks of a route, in the order in which they run. */
export function printHooks({ hooks }: Pick<RouteDescription, 'hooks'>, paper: Paper): string {
  const rows = hooks.map(({ name, fn, plugin, source, callSite }) => [
    name,
    fn,
    source === 'route' ? 'the route' : printContext(plugin ?? 'the app'),
    printCallSite(callSite, paper.folder),
  ])
  return printTable(rows, paper, { indent: '    ', styles: ['cyan', undefined, undefined, 'dim'] })
}
