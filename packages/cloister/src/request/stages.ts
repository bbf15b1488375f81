/**
 * THE request path. Read it from top to bottom: the first table runs until a reply is sent, the second writes the
 * response. `StagePlanner` keeps the rows that a route needs; `run-stages.ts` loops over them. A reply
 * sent early ends the first table (`start-reply.ts`) and starts the second; an error goes to `errors/handle-error.ts`
 * and comes back to the second.
 *
 * Beside the path: `onResponse`, `onTimeout`, `onRequestAbort` (see `watch.ts`) and `onError`.
 */
import { tracePreHandler } from './trace.ts'
import { getOrMake } from '../guards.ts'
import { handlerChannels } from '../tracing.ts'
import { kExchange, kState } from '../symbols.ts'
import { BODY, PAYLOAD, PLAIN, callHooks } from './hook-run.ts'
import { callHandler } from './stages/call-handler.ts'
import { checkStatus, expectStatus } from './stages/check-status.ts'
import { startDeadline } from './stages/deadline.ts'
import { keepRawBody, parseBody, readBody } from './stages/read-body.ts'
import { serializePayload } from './stages/serialize-payload.ts'
import type { PlanHooks, RoutePlan, Stage } from './route-plan.ts'
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
  /** does not run for payloads that are text, bytes or streams already */
  readonly only?: 'value'
  readonly run: Stage
}

const always = (): boolean => true

const runPreHandler: Stage = (plan, _request, reply) =>
  handlerChannels.hasSubscribers && !plan.isNotFound
    ? tracePreHandler(reply, () => callHooks(PLAIN, plan.hooks.preHandler, reply, undefined))
    : callHooks(PLAIN, plan.hooks.preHandler, reply, undefined)

/** The stages from the first byte to the reply. */
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

/** The stages from the reply to the last byte. Text, bytes and streams start at `onSend`. */
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

/** Gets the name of each row at its start, and then of each hook in it. */
export type StageObserver = (stage: string, request: RequestState, hook?: string) => void

/** The rows of the request path that a route runs. */
export type PlanStages = Pick<RoutePlan, 'requestStages' | 'valueStages' | 'readyStages' | 'notFoundStages'>

/** Chooses the rows; routes that need the same ones share the lists. */
export class StagePlanner {
  readonly #byHooks = new Map<PlanHooks, Map<string, PlanStages>>()
  readonly #observe: StageObserver | null

  /** @param observe - called at the start of each row; `null` if the app has no observer */
  constructor(observe: StageObserver | null) {
    this.#observe = observe
  }

  plan(facts: StageFacts): PlanStages {
    const byKey = getOrMake(this.#byHooks, facts.hooks, () => new Map<string, PlanStages>())
    const key = [...REQUEST_STAGES, ...REPLY_STAGES].map((row) => Number(row.needed(facts))).join('')
    return getOrMake(byKey, key, () => ({
      requestStages: this.#needed(REQUEST_STAGES, facts),
      valueStages: this.#needed(REPLY_STAGES, facts),
      readyStages: this.#needed(REPLY_STAGES, facts, (row) => row.only !== 'value'),
      notFoundStages: this.#needed(REQUEST_STAGES, facts, (row) => row.also === 'handOver'),
    }))
  }

  #needed(
    table: readonly StageEntry[],
    facts: StageFacts,
    isOf: (row: StageEntry) => boolean = always,
  ): readonly Stage[] {
    const observe = this.#observe
    return table
      .filter((row) => isOf(row) && row.needed(facts))
      .map((row) => (observe === null ? row.run : observed(row, observe)))
  }
}

function observed({ name, run }: StageEntry, observe: StageObserver): Stage {
  return (plan, request, reply) => {
    observe(name, request)
    return run(plan, request, reply)
  }
}
