import type { Context } from '../context/context.ts'
import { createError } from '../errors.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { rawRequestOrView } from '../exchange/request-view.ts'
import { isLate, typeName } from '../functions.ts'
import type { AnyFunction } from '../functions.ts'

/**
 * Returns the exchange with the target that `rewriteUrl` of the application wants.
 *
 * @throws `CLO_ERR_ROUTE_REWRITE_NOT_STR`
 */
export function rewriteTarget(
  app: { readonly root: Context },
  exchange: Exchange,
  rewriteUrl: AnyFunction,
): Exchange {
  const { node, originalTarget } = exchange
  if (node !== null) Object.assign(node.request, { originalUrl: originalTarget })
  const url: unknown = rewriteUrl.call(app.root.instance, rawRequestOrView(exchange))
  if (typeof url === 'string') return exchange.withTarget(url)
  const type = isLate(url) ? 'promise' : typeName(url)
  throw createError('ROUTE_REWRITE_NOT_STR', { url: originalTarget, type })
}
