import type { CallSite } from '../call-site.ts'
import type { Context } from '../context/context.ts'
import { createError } from '../errors.ts'
import { nodeOf } from '../exchange/node-access.ts'
import { isFunction, isRecord, isThenable, typeName, type AnyFunction } from '../guards.ts'
import { ReplyImpl } from '../request/reply.ts'
import { RequestImpl } from '../request/request.ts'
import { defineRoute, joinPrefix, type RoutedApp } from '../routes/define-route.ts'
import { kExchange, kMounted } from '../symbols.ts'
import { toWebRequest } from './web-request.ts'

export interface MountArguments {
  readonly prefix: unknown
  readonly handler: unknown
  readonly options: unknown
}

type HandOn = (request: RequestImpl, reply: ReplyImpl, target: string) => unknown

/** Methods that a `Request` can't have (Fetch section 2.2.1). */
const NOT_FETCHED: ReadonlySet<string> = new Set(['TRACE'])

/**
 * Defines the routes of a mounted handler: the prefix and all paths below it, for every method of the app. The
 * framework does not read the body.
 *
 * @throws `CLO_ERR_MOUNT_INVALID`, and the errors of `defineRoute`
 */
export function mountHandler(
  app: RoutedApp,
  context: Context,
  args: MountArguments,
  callSite: CallSite,
): void {
  const { handler, options } = args
  const prefix = String(args.prefix)
  const { stripPrefix = false, kind } = isRecord(options) ? options : {}
  if (typeof args.prefix !== 'string' || !prefix.startsWith('/'))
    throw refuse(prefix, 'a prefix begins with a slash')
  const base = prefix.replace(/\/+$/, '')
  if (stripPrefix === true && /[:*(]/.test(context.prefix + base))
    throw refuse(prefix, 'a prefix with parameters cannot be taken off (stripPrefix)')
  const own: unknown = isRecord(handler) || isFunction(handler) ? Reflect.get(handler, 'fetch') : undefined
  const isNode =
    kind === 'node' || (kind !== 'fetch' && !isFunction(own) && isFunction(handler) && handler.length > 1)
  const handOn = isNode ? listen(prefix, handler) : fetchWith(prefix, handler, own)
  const ahead = stripPrefix === true ? segmentsOf(joinPrefix(context, base)) : null
  const handle = (request: unknown, reply: unknown): unknown => {
    if (!(request instanceof RequestImpl) || !(reply instanceof ReplyImpl)) return undefined
    return handOn(request, reply, ahead === null ? request.url : behind(ahead, request.url))
  }
  const method = app.methods.names.filter((name) => isNode || !NOT_FETCHED.has(name))
  // Hidden from API documents, which describe routes with schemas.
  const common = { method, handler: handle, exposeHeadRoute: false, schema: { hide: true }, [kMounted]: true }
  for (const url of [base === '' ? '/' : base, `${base}/*`])
    defineRoute(app, context, { ...common, url }, callSite)
}

function refuse(prefix: string, problem: string): Error {
  return createError('MOUNT_INVALID', { prefix, problem })
}

/** Matches the segments of a prefix by number, because a request may encode them differently. */
function segmentsOf(prefix: string): RegExp {
  return new RegExp(`^(?:/[^/?#]*){${prefix.replace(/\/$/, '').split('/').length - 1}}`)
}

function behind(ahead: RegExp, url: string): string {
  const rest = url.replace(ahead, '')
  return rest.startsWith('/') ? rest : `/${rest}`
}

/**
 * Matches a path with dot segments or backslashes. A `Request` resolves them (URL standard section 4.4), so the handler
 * would see a path outside its prefix and bypass the hooks of other contexts.
 */
const IS_RESOLVED = /^[^?#]*(?:\\|\/(?:\.|%2e){1,2}(?:[/?#]|$))/i

function fetchWith(prefix: string, handler: unknown, own: unknown): HandOn {
  const fetch = isFunction(own) ? own.bind(handler) : handler
  if (!isFunction(fetch)) {
    const what = typeName(handler)
    throw refuse(prefix, `it is ${what}, and must be a function, or an object with a function \`fetch\``)
  }
  return (request, reply, target) => {
    if (!IS_RESOLVED.test(request.url)) return fetch(toWebRequest(request, target))
    reply.callNotFound()
    return undefined
  }
}

function listen(prefix: string, handler: unknown): HandOn {
  if (!isFunction(handler)) throw refuse(prefix, `it is ${typeName(handler)}, and must be a function`)
  return (request, reply, target) =>
    new Promise((resolve, reject) => {
      const exchange = reply[kExchange]
      const node = nodeOf(exchange, 'a listener of Node (app.mount)')
      const response = node.response
      copyHeaders(reply, response)
      Reflect.set(node.request, 'originalUrl', request.url)
      Reflect.set(node.request, 'url', target)
      exchange.onFinished(() => resolve(undefined))
      const next = (error?: unknown): void => {
        if (error !== undefined && error !== null) {
          reject(error)
          return
        }
        reply.callNotFound()
        resolve(undefined)
      }
      const result = Reflect.apply(handler, undefined, [node.request, reply.raw, next])
      if (isThenable(result)) result.then(undefined, reject)
    })
}

/** Headers that hooks have set on the reply are sent with the listener's response. */
function copyHeaders(reply: ReplyImpl, response: object): void {
  const set: unknown = Reflect.get(response, 'setHeader')
  if (!isFunction(set)) return
  const write: AnyFunction = set.bind(response)
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) write(name, value)
}
