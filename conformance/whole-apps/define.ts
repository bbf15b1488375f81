// Defines a drawn app on a framework. Each function notes that it runs, and what it sees.
import { Readable } from 'node:stream'
import type { App, Handler, Reply, Request, RouteOptions } from '../harness/app-shape.ts'
import type { DrawnContext, DrawnRoute, HookUnit, Unit } from './draw.ts'

/** Notes what runs for the current request. */
export type Note = (text: string) => void

type Done = (error?: unknown, value?: unknown) => void
type Work = (request: Request, reply: Reply) => unknown

/** Defines a context and what is within it. */
export function defineContext(app: App, drawn: DrawnContext, label: string, note: Note): void {
  const { errorHandler, notFound, notFoundHook, parser } = drawn
  if (parser !== null) addParser(app, parser, `${label} parser`, note)
  if (errorHandler !== null) app.setErrorHandler(errorHandlerOf(errorHandler, `${label} error handler`, note))
  if (notFound !== null) {
    const hooks = notFoundHook === null ? {} : optionsOf([notFoundHook], `${label} not-found`, note)
    app.setNotFoundHandler(hooks, handlerOf(notFound, `${label} not-found handler`, note))
  }
  for (const [index, hook] of drawn.hooks.entries()) {
    Reflect.apply(app.addHook, app, [hook.at, hookOf(hook, `${label} ${hook.at} ${index}`, note)])
  }
  for (const [index, route] of drawn.routes.entries())
    defineRoute(app, route, `${label} route ${index}`, note)
  for (const [index, child] of drawn.children.entries()) {
    const { prefix, isQuiet } = child
    const options = { ...(prefix === '' ? {} : { prefix }), ...(isQuiet ? { logLevel: 'error' } : {}) }
    void app.register(async (instance) => defineContext(instance, child, `${label}.${index}`, note), options)
  }
}

function defineRoute(app: App, route: DrawnRoute, label: string, note: Note): void {
  const { method, url, handler, hooks, errorHandler } = route
  const own =
    errorHandler === null
      ? {}
      : { errorHandler: errorHandlerOf(errorHandler, `${label} error handler`, note) }
  const run = handlerOf(handler, `${label} handler`, note)
  app.route({ method, url, handler: run, ...optionsOf(hooks, label, note), ...own })
}

function optionsOf(hooks: readonly HookUnit[], label: string, note: Note): RouteOptions {
  const byName: Record<string, unknown[]> = {}
  for (const [index, hook] of hooks.entries()) {
    const list = (byName[hook.at] ??= [])
    list.push(hookOf(hook, `${label} ${hook.at} ${index}`, note))
  }
  return byName
}

/** What a function sees of its request. */
const seen = ({ is404, params, body }: Request, { statusCode }: Reply): string =>
  JSON.stringify([is404, params, body, statusCode])

function payloadOf({ payload }: Unit): unknown {
  switch (payload) {
    case 'text':
      return 'text'
    case 'empty text':
      return ''
    case 'null':
      return null
    case 'bytes':
      return Buffer.from('bytes')
    case 'no bytes':
      return Buffer.alloc(0)
    case 'stream':
      return Readable.from([Buffer.from('stream')])
    case 'error':
      return Object.assign(new Error('sent'), { statusCode: 409 })
    default:
      return { a: 1 }
  }
}

/** Does what the unit does; returns whether it responds. */
function act(unit: Unit, label: string, reply: Reply): boolean {
  switch (unit.act) {
    case 'throws':
      throw Object.assign(new Error(`${label} fails`), { statusCode: unit.status })
    case 'sends':
      reply.code(unit.status).send(payloadOf(unit))
      return true
    case 'calls not found':
      reply.callNotFound()
      return true
    case 'sets a header':
      reply.header(`x-${label.replaceAll(/\W+/g, '-')}`, 'set')
      return false
    default:
      return false
  }
}

function hookOf(unit: HookUnit, label: string, note: Note): (...args: never[]) => unknown {
  const work = (request: Request, reply: Reply): boolean => {
    note(`${label} ${seen(request, reply)}`)
    return act(unit, label, reply)
  }
  const change = (payload: unknown): unknown => {
    if (unit.act !== 'changes the payload') return payload
    return unit.at === 'onSend' && typeof payload !== 'string' ? payload : changed(payload)
  }
  const settle = (request: Request, reply: Reply, payload: unknown, done: Done): void => {
    let responds: boolean
    try {
      responds = work(request, reply)
    } catch (error) {
      return done(error)
    }
    if (!responds) done(null, change(payload))
  }
  const takesPayload = unit.at === 'preParsing' || unit.at === 'preSerialization' || unit.at === 'onSend'
  const later = (run: () => void): void => {
    if (unit.form === 'later') setImmediate(run)
    else run()
  }
  if (unit.form !== 'async') {
    return takesPayload
      ? (request: Request, reply: Reply, payload: unknown, done: Done) =>
          later(() => settle(request, reply, payload, done))
      : (request: Request, reply: Reply, done: Done) => later(() => settle(request, reply, undefined, done))
  }
  return takesPayload
    ? async (request: Request, reply: Reply, payload: unknown) =>
        work(request, reply) ? reply : change(payload)
    : async (request: Request, reply: Reply) => (work(request, reply) ? reply : undefined)
}

const changed = (payload: unknown): unknown =>
  typeof payload === 'string' ? `${payload}!` : { changed: payload }

/** Runs the work of a handler in the form of its unit. */
function inForm(unit: Unit, work: Work): Handler {
  if (unit.form === 'async') return async (request, reply) => work(request, reply)
  if (unit.form === 'done') return (request, reply) => void work(request, reply)
  return (request, reply) => {
    setImmediate(() => {
      try {
        work(request, reply)
      } catch (error) {
        reply.send(error)
      }
    })
  }
}

function handlerOf(unit: Unit, label: string, note: Note): Handler {
  return inForm(unit, (request, reply) => {
    note(`${label} ${seen(request, reply)}`)
    return act(unit, label, reply) ? reply : undefined
  })
}

function errorHandlerOf(unit: Unit, label: string, note: Note) {
  return (error: Error, request: Request, reply: Reply): unknown => {
    note(`${label} ${error.message}`)
    const run = inForm(unit, () => (act(unit, label, reply) ? reply : undefined))
    return run.call(request.server, request, reply)
  }
}

function addParser(app: App, unit: Unit, label: string, note: Note): void {
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body: string, done) => {
    note(label)
    done(unit.act === 'throws' ? new Error(`${label} fails`) : null, body)
  })
}
