import type { HookName, RequestHookName } from '../types/hooks.ts'

export interface HookDefinition {
  /** the arguments that it gets and may replace; `types/hooks.ts` begins with their types */
  readonly form: 'request' | 'body' | 'payload' | 'error' | 'abort' | 'life'
  /** the number of arguments before `done` */
  readonly args: number
  /** it returns synchronously and takes no `done` */
  readonly sync: boolean
}

const OF_REQUEST: HookDefinition = { form: 'request', args: 2, sync: false }
const OF_PAYLOAD: HookDefinition = { form: 'payload', args: 3, sync: false }

function ofLife(args: number, sync = false): HookDefinition {
  return { form: 'life', args, sync }
}

/**
 * The request hooks, in the order of the request path; the last four are events outside of it. A new hook needs a row
 * here, a member of `RequestHooks` in `types/hooks.ts`, a row in `request/stages.ts` and a line in
 * `docs/guide/hooks.md`. `npm run docs:options` writes the rest: Fastify's names for its types, the schema of
 * explanations, the path in `ARCHITECTURE.md`.
 */
export const REQUEST_HOOKS: Readonly<Record<RequestHookName, HookDefinition>> = {
  onRequest: OF_REQUEST,
  preParsing: { form: 'body', args: 3, sync: false },
  preValidation: OF_REQUEST,
  preHandler: OF_REQUEST,
  preSerialization: OF_PAYLOAD,
  onSend: OF_PAYLOAD,
  onResponse: OF_REQUEST,
  onError: { form: 'error', args: 3, sync: false },
  onTimeout: OF_REQUEST,
  onRequestAbort: { form: 'abort', args: 1, sync: false },
}

/** All hooks: those of requests, and those of the application. */
export const HOOKS: Readonly<Record<HookName, HookDefinition>> = {
  ...REQUEST_HOOKS,
  onRoute: ofLife(1, true),
  onRegister: ofLife(2, true),
  onReady: ofLife(0),
  onListen: ofLife(0),
  preClose: ofLife(0),
  onClose: ofLife(1),
}

export function isHookName(name: unknown): name is HookName {
  return typeof name === 'string' && Object.hasOwn(HOOKS, name)
}

export function isRequestHookName(name: unknown): name is RequestHookName {
  return typeof name === 'string' && Object.hasOwn(REQUEST_HOOKS, name)
}

export const REQUEST_HOOK_NAMES: readonly RequestHookName[] =
  Object.keys(REQUEST_HOOKS).filter(isRequestHookName)

/** Creates an object with a value for each request hook. All such objects share one hidden class. */
export function forRequestHooks<Value>(
  valueOf: (name: RequestHookName) => Value,
): Record<RequestHookName, Value> {
  const values: Partial<Record<RequestHookName, Value>> = {}
  for (const name of REQUEST_HOOK_NAMES) values[name] = valueOf(name)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the loop above has given every name its value
  return values as Record<RequestHookName, Value>
}
