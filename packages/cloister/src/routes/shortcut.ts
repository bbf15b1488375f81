import { createError } from '../errors.ts'
import { isFunction, isRecord, typeName } from '../guards.ts'

/**
 * Returns the route options of a shortcut call: `(path, handler)` or `(path, options, handler)`, where the options may
 * have the handler.
 *
 * @throws `CLO_ERR_ROUTE_MISSING_HANDLER`, `CLO_ERR_ROUTE_OPTIONS_NOT_OBJ`, `CLO_ERR_ROUTE_DUPLICATED_HANDLER`
 */
export function shortcutOptions(
  method: string | string[],
  path: unknown,
  second: unknown,
  third: unknown,
): Record<string, unknown> {
  const route = `${[method].flat().join(',')}:${String(path)}`
  if (third === undefined && isFunction(second)) return { method, url: path, handler: second }
  if (!isRecord(second)) {
    if (second === undefined) throw createError('ROUTE_MISSING_HANDLER', { route })
    throw createError('ROUTE_OPTIONS_NOT_OBJ', { route: `${route} (got ${typeName(second)})` })
  }
  if (third !== undefined && second['handler'] !== undefined)
    throw createError('ROUTE_DUPLICATED_HANDLER', { route })
  return { ...second, method, url: path, handler: third ?? second['handler'] }
}
