/**
 * THE request path. Read it from top to bottom: the first table runs until a reply is sent, the second writes the
 * response. `StagePlanner` keeps the rows that a route needs; `run-stages.ts` loops over them. A reply
 * sent early ends the first table (`start-reply.ts`) and starts the second; an error goes to `errors/handle-error.ts`
 * and comes back to the second.
 *
 * Beside the path: `onResponse`, `onTimeout`, `onRequestAbort` (see `watch.ts`) and `onError`.
 */
import { remember } from '@cloister/schema/internal'
import { kExchange, kState } from '../symbols.ts'
import { watchSource } from './payload-kind.ts'
import { storeBody } from './replaced-body.ts'
import { storeContent } from './unsent-source.ts'
import { callHooks, storePayload } from './run-stages.ts'
import { callHandler, callPreHandler } from './stages/call-handler.ts'
import { negotiate } from './stages/negotiate.ts'
import { startDeadline } from './stages/deadline.ts'
import { keepRawBody, parseBody, readBody } from './stages/read-body.ts'
import { checkStatus, expectStatus, serializePayload } from './stages/serialize-payload.ts'
import { copyParts, judgeRequest, judgeTime, serializeAndJudge } from './report/judge-stages.ts'
import type { RoutePlan, Stage } from './route-plan.ts'
import type { RequestHookName } from '../types/hooks.ts'
import type { RequestState } from './state.ts'
import { validateRequest } from './stages/validate-request.ts'
import { writeResponse } from './stages/write-response.ts'

/** The facts that decide whether a route needs a row. */
export type StageFacts = Pick<
  RoutePlan,
  | 'runsOnSend'
  | 'hooks'
  | 'offers'
  | 'bodyRule'
  | 'keepsRawBody'
  | 'validators'
  | 'handlerTimeout'
  | 'undeclaredStatuses'
  | 'judged'
>

/** A row of the path. */
export interface StageEntry {
  readonly name: string
  readonly needed: (route: StageFacts) => boolean
  /** runs again when a handler hands its request over to the not-found handler */
  readonly also?: 'handOver'
  /** does not run for payloads that are text, bytes or streams already */
  readonly only?: 'value'
  /** returns the stage; called at boot, for a plan that needs the row */
  readonly stage: () => Stage
}

const always = (): boolean => true

/** The row of the hooks with a name. */
function hooksOf(name: RequestHookName, stage: StageEntry['stage']): StageEntry {
  return { name, needed: (r) => r.hooks[name].length > 0, stage }
}

/** Where all hooks only decode, a stream is made just for the bodies that have a coding. */
const callPreParsing: Stage = (plan, request, reply) => {
  const exchange = request[kExchange]
  if (plan.onlyDecodes && exchange.header('content-encoding') === undefined) return undefined
  return callHooks(plan.hooks.preParsing, reply, storeBody, exchange.bodyStream)
}

// A row makes its stage when a plan needs it. Bundles for workers set the functions of `strict: 'report'` after this
// module has loaded, and a sealed worker has only the stages that its routes need.

/** The stages from the first byte to the reply. */
export const REQUEST_STAGES: readonly StageEntry[] = [
  { name: 'deadline', needed: (r) => r.handlerTimeout > 0, stage: () => startDeadline },
  {
    name: 'judgeTime',
    needed: (r) => r.judged !== null && r.judged.handlerTimeout > 0,
    stage: () => judgeTime,
  },
  hooksOf('onRequest', () => (plan, _request, reply) => callHooks(plan.hooks.onRequest, reply)),
  { name: 'negotiate', needed: (r) => r.offers !== null, stage: () => negotiate },
  hooksOf('preParsing', () => callPreParsing),
  { name: 'readBody', needed: (r) => r.bodyRule !== 'never', stage: () => readBody },
  { name: 'keepRawBody', needed: (r) => r.keepsRawBody, stage: () => keepRawBody },
  { name: 'parseBody', needed: (r) => r.bodyRule !== 'never', stage: () => parseBody },
  hooksOf('preValidation', () => (plan, _request, reply) => callHooks(plan.hooks.preValidation, reply)),
  {
    name: 'copyParts',
    needed: (r) => r.judged !== null && r.judged.validators !== null,
    stage: () => copyParts,
  },
  { name: 'validate', needed: (r) => r.validators !== null, stage: () => validateRequest },
  { name: 'judge', needed: (r) => r.judged !== null, stage: () => judgeRequest },
  { ...hooksOf('preHandler', () => callPreHandler), also: 'handOver' },
  { name: 'expectStatus', needed: (r) => r.undeclaredStatuses !== 'send', stage: () => expectStatus },
  { name: 'handler', needed: always, stage: () => callHandler, also: 'handOver' },
]

const runPreSerialization: Stage = (plan, _request, reply) =>
  callHooks(plan.hooks.preSerialization, reply, storePayload, reply[kState].payload)

const runOnSend: Stage = (plan, _request, reply) => {
  const { caller, payload } = reply[kState]
  watchSource(payload)
  return callHooks((caller ?? plan).hooks.onSend, reply, storeContent, payload)
}

/** The stages from the reply to the last byte. Text, bytes and streams start at `onSend`. */
export const REPLY_STAGES: readonly StageEntry[] = [
  { ...hooksOf('preSerialization', () => runPreSerialization), only: 'value' },
  { name: 'checkStatus', needed: (r) => r.undeclaredStatuses !== 'send', stage: () => checkStatus },
  { name: 'serialize', needed: (r) => r.judged === null, stage: () => serializePayload, only: 'value' },
  {
    name: 'serializeAndJudge',
    needed: (r) => r.judged !== null,
    stage: () => serializeAndJudge,
    only: 'value',
  },
  { name: 'onSend', needed: (r) => r.runsOnSend, stage: () => runOnSend },
  { name: 'write', needed: always, stage: () => writeResponse },
]

/** Gets the name of each row at its start, and then of each hook in it. */
export type StageObserver = (stage: string, request: RequestState, hook?: string) => void

/** The rows of the request path that a route runs. */
export type PlanStages = Pick<RoutePlan, 'requestStages' | 'valueStages' | 'readyStages' | 'notFoundStages'>

/** Chooses the rows; routes that need the same ones share the lists. */
export class StagePlanner {
  readonly #byRows = new Map<string, PlanStages>()
  readonly #observe: StageObserver | null

  /** @param observe - called at the start of each row; `null` if the app has no observer */
  constructor(observe: StageObserver | null) {
    this.#observe = observe
  }

  plan(facts: StageFacts): PlanStages {
    const key = [...REQUEST_STAGES, ...REPLY_STAGES].map((row) => Number(row.needed(facts))).join('')
    return remember(this.#byRows, key, () => ({
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
      .map((row) => (observe === null ? row.stage() : observed(row, observe)))
  }
}

function observed({ name, stage }: StageEntry, observe: StageObserver): Stage {
  const run = stage()
  return (plan, request, reply) => {
    observe(name, request)
    return run(plan, request, reply)
  }
}
