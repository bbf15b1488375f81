/** How a hook is called. `args` counts the arguments before `done`; `sync` hooks return at once and take no `done`. */
export interface HookDefinition {
  readonly args: number
  readonly sync: boolean
}

/** The hooks of a request, in the order of its path; the last four are events beside it. */
export type RequestHookName =
  | 'onRequest'
  | 'preParsing'
  | 'preValidation'
  | 'preHandler'
  | 'preSerialization'
  | 'onSend'
  | 'onResponse'
  | 'onError'
  | 'onTimeout'
  | 'onRequestAbort'

/** The hooks of the application's own life. */
export type ApplicationHookName = 'onRoute' | 'onRegister' | 'onReady' | 'onListen' | 'preClose' | 'onClose'

export type HookName = RequestHookName | ApplicationHookName

const plain = (args: number): HookDefinition => ({ args, sync: false })
const atOnce = (args: number): HookDefinition => ({ args, sync: true })

export const REQUEST_HOOKS: Readonly<Record<RequestHookName, HookDefinition>> = {
  onRequest: plain(2),
  preParsing: plain(3),
  preValidation: plain(2),
  preHandler: plain(2),
  preSerialization: plain(3),
  onSend: plain(3),
  onResponse: plain(2),
  onError: plain(3),
  onTimeout: plain(2),
  onRequestAbort: plain(1),
}

/** Makes an object with a value for each request hook; written out, so that all of them share one hidden class. */
export function forRequestHooks<Value>(
  valueOf: (name: RequestHookName) => Value,
): Record<RequestHookName, Value> {
  return {
    onRequest: valueOf('onRequest'),
    preParsing: valueOf('preParsing'),
    preValidation: valueOf('preValidation'),
    preHandler: valueOf('preHandler'),
    preSerialization: valueOf('preSerialization'),
    onSend: valueOf('onSend'),
    onResponse: valueOf('onResponse'),
    onError: valueOf('onError'),
    onTimeout: valueOf('onTimeout'),
    onRequestAbort: valueOf('onRequestAbort'),
  }
}

export const APPLICATION_HOOKS: Readonly<Record<ApplicationHookName, HookDefinition>> = {
  onRoute: atOnce(1),
  onRegister: atOnce(2),
  onReady: plain(0),
  onListen: plain(0),
  preClose: plain(0),
  onClose: plain(1),
}

export const HOOKS: Readonly<Record<HookName, HookDefinition>> = { ...REQUEST_HOOKS, ...APPLICATION_HOOKS }

/** Whether a name is that of a hook. */
export function isHookName(name: unknown): name is HookName {
  return typeof name === 'string' && Object.hasOwn(HOOKS, name)
}

/** Whether a name is that of a request hook. */
export function isRequestHookName(name: unknown): name is RequestHookName {
  return typeof name === 'string' && Object.hasOwn(REQUEST_HOOKS, name)
}

/** The names of the request hooks, in order. */
export const REQUEST_HOOK_NAMES: readonly RequestHookName[] =
  Object.keys(REQUEST_HOOKS).filter(isRequestHookName)
