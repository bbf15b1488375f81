import { REQUEST_HOOK_NAMES } from '../context/hook-names.ts'
import { isFunction } from '../functions.ts'
import type { RouteRecord } from './route-record.ts'

/** What is printed beside a route: the hooks that will run, by name, and who handles its errors. */
export function describeRoute({ context, options }: RouteRecord): Record<string, unknown> {
  const described: Record<string, unknown> = {}
  for (const name of REQUEST_HOOK_NAMES) {
    const own = [options[name] ?? []].flat().filter(isFunction)
    const names = [...context.hooksInForce(name).map(({ fn }) => fn), ...own].map(
      (fn) => `${fn.name || 'anonymous'}()`,
    )
    if (names.length > 0) described[name] = names
  }
  const handler = isFunction(options['errorHandler'])
    ? options['errorHandler']
    : context.setting('errorHandler')?.value
  if (handler != null) described['errorHandler'] = `${handler.name || 'anonymous'}()`
  return described
}
