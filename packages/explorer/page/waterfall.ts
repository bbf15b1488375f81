import type { StageTime } from '../src/traces.ts'
import { h, words } from './dom.ts'
import { REPLY_STAGES } from './reply-stages.generated.ts'
import { nameOf, timesOf } from './times.ts'
import type { Timed } from './times.ts'

/** The stages and hooks of a request, each with when it began and how long it took until the next one did. */
export function waterfall(trace: readonly StageTime[], handler: string): HTMLElement {
  const end = trace.at(-1)?.at ?? 0
  const rows = timesOf(trace).map((one) =>
    row(one, end, one.stage === 'handler' ? `handler ${handler}` : nameOf(one)),
  )
  return h('ol', { class: 'stages', 'aria-label': 'Stages that ran' }, ...rows)
}

function row({ at, hook, ms }: Timed, end: number, name: string): HTMLElement {
  const bar = h('span', { class: 'bar' })
  const share = (part: number): string => `${end === 0 ? 0 : (100 * part) / end}%`
  bar.style.marginInlineStart = share(at)
  bar.style.width = share(ms)
  return h(
    'li',
    { class: hook === undefined ? 'stage' : 'stage hook' },
    h('span', { class: 'stage-name' }, words(name)),
    h('span', { class: 'track', 'aria-hidden': 'true' }, bar),
    h('small', {}, `${ms.toFixed(2)} ms`),
  )
}

/** What a request reached last before its reply. */
export function lastBeforeReply(trace: readonly StageTime[]): StageTime | null {
  const first = trace.findIndex(({ stage }) => REPLY_STAGES.has(stage))
  return trace.slice(0, first === -1 ? undefined : first).at(-1) ?? null
}

/** What refused a request; `null` where its handler ran. */
export function refusedBy(trace: readonly StageTime[]): string | null {
  const last = lastBeforeReply(trace)
  if (last === null || last.stage === 'handler') return null
  const { stage, hook } = last
  return hook === undefined ? `the stage ${stage}` : `the hook ${nameOf(last)} (${stage})`
}
