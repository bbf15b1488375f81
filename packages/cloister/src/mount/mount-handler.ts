import type { CallSite } from '../call-site.ts'
import type { Context } from '../context/context.ts'
import { createError } from '../errors.ts'
import { nodeOf } from '../exchange/node-access.ts'
import { isFunction, isRecord, isThenable, recordOf, typeName, type AnyFunction } from '../guards.ts'
import { isResponse } from '../request/payload-kind.ts'
import { ReplyImpl } from '../request/reply.ts'
import { RequestImpl } from '../request/request.ts'
import { defineRoute, joinPrefix, type RoutedApp } from '../routes/define-route.ts'
import { kExchange, kMounted, kState } from '../symbols.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { OpenBody } from '../exchange/open-body.ts'
import type { ByteStream } from '../exchange/streams.ts'
import { FetchExchange } from '../transport/fetch/fetch-exchange.ts'
import { handTarget } from './handed-target.ts'

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
  callSite: CallSite,
  [given, handler, options]: readonly unknown[],
): void {
  const prefix = String(given)
  const { stripPrefix = false, kind } = recordOf(options)
  if (typeof given !== 'string' || !prefix.startsWith('/'))
    throw refuse(prefix, 'a prefix begins with a slash')
  const base = prefix.replace(/\/+$/, '')
  if (stripPrefix === true && /[:*(]/.test(context.prefix + base))
    throw refuse(prefix, 'a prefix with parameters cannot be taken off (stripPrefix)')
  const own: unknown = isRecord(handler) || isFunction(handler) ? Reflect.get(handler, 'fetch') : undefined
  const isNode =
    kind === 'node' || (kind !== 'fetch' && !isFunction(own) && isFunction(handler) && handler.length > 1)
  const handOn = isNode ? listen(prefix, handler) : fetchWith(prefix, handler, own)
  const targetOf = handTarget(stripPrefix === true ? joinPrefix(context, base) : null, context.app.options)
  const handle = (request: unknown, reply: unknown): unknown => {
    if (!(request instanceof RequestImpl) || !(reply instanceof ReplyImpl)) return undefined
    const target = targetOf(request.url)
    if (target !== null) return handOn(request, reply, target)
    reply.callNotFound()
    return undefined
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

function fetchWith(prefix: string, handler: unknown, own: unknown): HandOn {
  const fetch = isFunction(own) ? own.bind(handler) : handler
  if (!isFunction(fetch)) {
    const what = typeName(handler)
    throw refuse(prefix, `it is ${what}, and must be a function, or an object with a function \`fetch\``)
  }
  const check = (response: unknown): Response => {
    if (isResponse(response)) return response
    throw createError('MOUNT_NO_RESPONSE', { prefix, type: typeName(response) })
  }
  return (request, _reply, target) => {
    const response: unknown = fetch(toWebRequest(request, target))
    return isThenable(response) ? response.then(check) : check(response)
  }
}

function listen(prefix: string, handler: unknown): HandOn {
  if (!isFunction(handler)) throw refuse(prefix, `it is ${typeName(handler)}, and must be a function`)
  return (request, reply, target) =>
    new Promise((resolve, reject) => {
      const exchange = reply[kExchange]
      const node = nodeOf(exchange, 'a listener of Node (app.mount)')
      const { raw } = reply
      copyHeaders(reply, raw)
      Reflect.set(node.request, 'originalUrl', request.url)
      Reflect.set(node.request, 'url', target)
      exchange.onFinished(() => resolve(undefined))
      const next = (error?: unknown): void => {
        if (error !== undefined && error !== null) {
          reject(error)
          return
        }
        // Some handlers pass on what they have responded to.
        if (!reply.sent) reply.callNotFound()
        resolve(undefined)
      }
      const result = Reflect.apply(handler, undefined, [node.request, raw, next])
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

/**
 * Creates a web `Request` from a request after its hooks, with an unread body.
 *
 * @throws `CLO_ERR_HOST_INVALID`
 */
function toWebRequest(request: RequestImpl, target: string): Request {
  const exchange = request[kExchange]
  const { method, signal } = request
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    // The URL contains the pseudo-header fields of HTTP/2, which begin with a colon.
    if (value === undefined || name.startsWith(':')) continue
    for (const one of [value].flat()) headers.append(name, one)
  }
  const url = `${request.protocol}://${request.host || 'localhost'}${target}`
  // Some hosts of RFC 9110 are none in a URL, such as `a%2fb`.
  if (!URL.canParse(url)) throw createError('HOST_INVALID', {})
  const hasBody = method !== 'GET' && method !== 'HEAD' && exchange.framing !== 'none'
  if (!hasBody) return new Request(url, { method, headers, signal })
  const { bodyStream } = request[kState]
  const unread = bodyStream === null && exchange instanceof FetchExchange ? exchange.unreadBody : null
  const body = unread ?? webStreamOf(exchange, bodyStream)
  // The platform's types don't have all members of Fetch yet.
  const init: RequestInit & { readonly duplex: 'half' } = { method, headers, signal, body, duplex: 'half' }
  return new Request(url, init)
}

/** Creates a web stream from a body. It reads the body on demand. */
function webStreamOf(exchange: Exchange, replaced: ByteStream | null): ReadableStream<Uint8Array> {
  let body: OpenBody | null = null
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const opened = new OpenBody(exchange, replaced, {
          data: (bytes) => {
            controller.enqueue(bytes)
            opened.pause()
          },
          end: () => controller.close(),
          broken: (error) => controller.error(error),
          sent: () => {},
        })
        opened.pause()
        opened.start()
        body = opened
      },
      pull: () => body?.resume(),
      cancel: () => body?.stop(),
    },
    { highWaterMark: 0 },
  )
}
