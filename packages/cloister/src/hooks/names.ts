import type { ApplicationHookName, HookName, RequestHookName } from '../types/hooks.ts'

/** How a hook is called. `args` counts the arguments before `done`; `sync` hooks return at once and take no `done`. */
export interface HookDefinition {
  readonly args: number
  readonly sync: boolean
}

/** What a request hook gets and may replace; the first lines of `types/fastify-hooks.ts` have the types. */
export interface RequestHookDefinition extends HookDefinition {
  readonly form: 'request' | 'body' | 'payload' | 'error' | 'abort'
}

const ARGS = { request: 2, body: 3, payload: 3, error: 3, abort: 1 } as const

const ofRequest = (form: RequestHookDefinition['form']): RequestHookDefinition => ({
  args: ARGS[form],
  sync: false,
  form,
})
const plain = (args: number): HookDefinition => ({ args, sync: false })
const atOnce = (args: number): HookDefinition => ({ args, sync: true })

/**
 * The hooks of a request, in the order of its path; the last four are events beside it. A new one is a row here, a member
 * of `RequestHooks` in `types/hooks.ts`, a row of `request/stages.ts` and a line in `docs/guide/hooks.md`;
 * `npm run docs:options` writes Fastify's names of its types.
 */
export const REQUEST_HOOKS: Readonly<Record<RequestHookName, RequestHookDefinition>> = {
  onRequest: ofRequest('request'),
  preParsing: ofRequest('body'),
  preValidation: ofRequest('request'),
  preHandler: ofRequest('request'),
  preSerialization: ofRequest('payload'),
  onSend: ofRequest('payload'),
  onResponse: ofRequest('request'),
  onError: ofRequest('error'),
  onTimeout: ofRequest('request'),
  onRequestAbort: ofRequest('abort'),
}

/** The hooks of the application's own life. */
export const APPLICATION_HOOKS: Readonly<Record<ApplicationHookName, HookDefinition>> = {
  onRoute: atOnce(1),
  onRegister: atOnce(2),
  onReady: plain(0),
  onListen: plain(0),
  preClose: plain(0),
  onClose: plain(1),
}

/** Every hook. */
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

/** Makes an object with a value for each request hook; all of them share one hidden class. */
export function forRequestHooks<Value>(
  valueOf: (name: RequestHookName) => Value,
): Record<RequestHookName, Value> {
  const values: Partial<Record<RequestHookName, Value>> = {}
  for (const name of REQUEST_HOOK_NAMES) values[name] = valueOf(name)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the loop above has given every name its value
  return values as Record<RequestHookName, Value>
}
