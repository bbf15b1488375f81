/**
 * THE request path. Read it from top to bottom: the first table runs until a reply is sent, the second writes the
 * response. `routes/plan/plan-stages.ts` keeps the rows that a route needs; `run-stages.ts` loops over them. A reply
 * sent early ends the first table (`start-reply.ts`) and starts the second; an error goes to `errors/handle-error.ts`
 * and comes back to the second.
 *
 * Beside the path: `onResponse`, `onTimeout`, `onRequestAbort` (see `watch.ts`) and `onError`.
 */
import { tracePreHandler } from './trace.ts'
import { handlerChannels } from '../tracing.ts'
import { kExchange, kState } from '../symbols.ts'
import { BODY, PAYLOAD, PLAIN, callHooks } from './hook-run.ts'
import { callHandler } from './stages/call-handler.ts'
import { checkStatus, expectStatus } from './stages/check-status.ts'
import { startDeadline } from './stages/deadline.ts'
import { keepRawBody, parseBody, readBody } from './stages/read-body.ts'
import { serializePayload } from './stages/serialize-payload.ts'
import type { RoutePlan, Stage } from './route-plan.ts'
import type { RequestState } from './state.ts'
import { validateRequest } from './stages/validate-request.ts'
import { writeResponse } from './stages/write-response.ts'

/** The facts that decide whether a route needs a row. */
export type StageFacts = Pick<
  RoutePlan,
  'hooks' | 'bodyRule' | 'keepsRawBody' | 'validators' | 'handlerTimeout' | 'undeclaredStatuses'
>

/** A row of the path. */
export interface StageEntry {
  readonly name: string
  readonly needed: (route: StageFacts) => boolean
  /** runs again when a handler hands its request over to the not-found handler */
  readonly also?: 'handOver'
  /** not for payloads that are text, bytes or streams already */
  readonly only?: 'value'
  readonly run: Stage
}

const always = (): boolean => true

const runPreHandler: Stage = (plan, request, reply) =>
  handlerChannels.hasSubscribers && !plan.isNotFound
    ? tracePreHandler(plan, request, reply, () => callHooks(PLAIN, plan.hooks.preHandler, reply, undefined))
    : callHooks(PLAIN, plan.hooks.preHandler, reply, undefined)

/** From the first byte to the reply. */
export const REQUEST_STAGES: readonly StageEntry[] = [
  { name: 'deadline', needed: (r) => r.handlerTimeout > 0, run: startDeadline },
  {
    name: 'onRequest',
    needed: (r) => r.hooks.onRequest.length > 0,
    run: (plan, _request, reply) => callHooks(PLAIN, plan.hooks.onRequest, reply, undefined),
  },
  {
    name: 'preParsing',
    needed: (r) => r.hooks.preParsing.length > 0,
    run: (plan, request, reply) =>
      callHooks(BODY, plan.hooks.preParsing, reply, request[kExchange].bodyStream),
  },
  { name: 'readBody', needed: (r) => r.bodyRule !== 'never', run: readBody },
  { name: 'keepRawBody', needed: (r) => r.keepsRawBody, run: keepRawBody },
  { name: 'parseBody', needed: (r) => r.bodyRule !== 'never', run: parseBody },
  {
    name: 'preValidation',
    needed: (r) => r.hooks.preValidation.length > 0,
    run: (plan, _request, reply) => callHooks(PLAIN, plan.hooks.preValidation, reply, undefined),
  },
  { name: 'validate', needed: (r) => r.validators !== null, run: validateRequest },
  { name: 'preHandler', needed: (r) => r.hooks.preHandler.length > 0, run: runPreHandler, also: 'handOver' },
  { name: 'expectStatus', needed: (r) => r.undeclaredStatuses !== 'send', run: expectStatus },
  { name: 'handler', needed: always, run: callHandler, also: 'handOver' },
]

/** From the reply to the last byte. Text, bytes and streams start at `onSend`. */
export const REPLY_STAGES: readonly StageEntry[] = [
  {
    name: 'preSerialization',
    needed: (r) => r.hooks.preSerialization.length > 0,
    run: (plan, _request, reply) =>
      callHooks(PAYLOAD, plan.hooks.preSerialization, reply, reply[kState].payload),
    only: 'value',
  },
  { name: 'checkStatus', needed: (r) => r.undeclaredStatuses !== 'send', run: checkStatus },
  { name: 'serialize', needed: always, run: serializePayload, only: 'value' },
  {
    name: 'onSend',
    needed: (r) => r.hooks.onSend.length > 0,
    run: (plan, _request, reply) => callHooks(PAYLOAD, plan.hooks.onSend, reply, reply[kState].payload),
  },
  { name: 'write', needed: always, run: writeResponse },
]

/** The rows for payloads that are text, bytes or streams already. */
export const READY_STAGES: readonly StageEntry[] = REPLY_STAGES.filter((row) => row.only !== 'value')

/** From `reply.callNotFound()` to the reply of the not-found handler. */
export const NOT_FOUND_STAGES: readonly StageEntry[] = REQUEST_STAGES.filter((row) => row.also === 'handOver')

/** Gets the name of each row that a request begins with, and then of each hook of it. */
export type StageObserver = (stage: string, request: RequestState, hook?: string) => void

/**
 * The rows of a table that a route needs.
 *
 * @param observe - called at the start of each row, in an app that is observed; others pay nothing for it
 */
export function neededStages(
  table: readonly StageEntry[],
  route: StageFacts,
  observe: StageObserver | null,
): readonly Stage[] {
  return table
    .filter((row) => row.needed(route))
    .map((row) => (observe === null ? row.run : observed(row, observe)))
}

function observed({ name, run }: StageEntry, observe: StageObserver): Stage {
  return (plan, request, reply) => {
    observe(name, request)
    return run(plan, request, reply)
  }
}
