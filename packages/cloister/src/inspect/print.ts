import type { LoadNode } from '../boot/plugins/load-node.ts'
import { REQUEST_HOOK_NAMES } from '../hooks/names.ts'
import type { RequestHookName } from '../types/hooks.ts'
import type { RouteRecord } from '../routes/route-record.ts'
import { describeRoute } from './describe.ts'

/** What Fastify's tree of plugins calls a hook, a route, an `await` or a callback that takes its turn among them. */
const TURN = 'bound _after'

/** The request hooks in the order in which Fastify prints them. */
export const PRINTED_HOOKS: ReadonlySet<RequestHookName> = new Set<RequestHookName>([
  'onTimeout',
  'onRequest',
  'preParsing',
  'preValidation',
  'preSerialization',
  ...REQUEST_HOOK_NAMES,
])

interface Row {
  readonly name: string
  readonly tookMs: number
  readonly rows: readonly Row[]
}

/** Prints the plugins of an app as a text tree with their load times in milliseconds, as Fastify does. */
export function printPlugins(root: LoadNode): string {
  return printRow(rowOf(root), '', '')
}

function rowOf({ name, isCallback, tookMs, children, turns }: LoadNode): Row {
  const rows: Row[] = []
  let next = 0
  for (const [index, child] of [...children, null].entries()) {
    for (; (turns[next] ?? Infinity) <= index; next += 1) rows.push({ name: TURN, tookMs: 0, rows: [] })
    if (child !== null) rows.push(rowOf(child))
  }
  return { name: isCallback ? TURN : name, tookMs, rows }
}

function printRow({ name, tookMs, rows }: Row, start: string, indent: string): string {
  const below = rows.map((row, index) => {
    const isLast = index === rows.length - 1
    const branch = `${isLast ? '└─' : '├─'}${row.rows.length === 0 ? '─' : '┬'} `
    return printRow(row, indent + branch, `${indent}${isLast ? '  ' : '│ '}`)
  })
  return `${start}${name} ${Math.round(tookMs)} ms\n${below.join('')}`
}

/**
 * Returns the metadata that `printRoutes` shows for a route: its error handler, log level and hooks. The names of what
 * the framework does by itself are those of Fastify, whose tree has a HEAD route that it added on a line of its own.
 */
export function routeMeta(record: RouteRecord): Record<string, unknown> {
  const { options, context, automatic } = record
  const { hooks, errorHandlers } = describeRoute(record)
  const names: Record<string, string[]> = {}
  for (const { name, fn } of hooks) (names[name] ??= []).push(`${fn}()`)
  if (automatic) (names['onSend'] ??= []).push('headRouteOnSendHandler()')
  return {
    errorHandler: `${errorHandlers[0]?.fn ?? 'defaultErrorHandler'}()`,
    logLevel: options['logLevel'] ?? context.logLevel,
    logSerializers: options['logSerializers'],
    ...Object.fromEntries([...PRINTED_HOOKS].map((name) => [name, names[name]])),
  }
}
