import type { StageTime } from '../src/traces.ts'
import { h } from './dom.ts'
import { REPLY_STAGES } from './reply-stages.generated.ts'

/** The stages and hooks of a request, each with when it began and how long it took until the next one did. */
export function waterfall(trace: readonly StageTime[], handler: string): HTMLElement {
  const end = trace.at(-1)?.at ?? 0
  const rows = trace.map((one, index) => {
    const until = untilOf(trace, index, end)
    return row(one, until - one.at, end, one.stage === 'handler' ? `handler ${handler}` : nameOf(one))
  })
  return h('ol', { class: 'stages', 'aria-label': 'Stages that ran' }, ...rows)
}

/** A stage lasts until the next stage, a hook until whatever comes next. */
function untilOf(trace: readonly StageTime[], index: number, end: number): number {
  const isHook = trace[index]?.hook !== undefined
  const next = trace.slice(index + 1).find(({ hook }) => isHook || hook === undefined)
  return next?.at ?? end
}

function row({ at, hook }: StageTime, ms: number, end: number, name: string): HTMLElement {
  const bar = h('span', { class: 'bar' })
  const share = (part: number): string => `${end === 0 ? 0 : (100 * part) / end}%`
  bar.style.marginInlineStart = share(at)
  bar.style.width = share(ms)
  return h(
    'li',
    { class: hook === undefined ? 'stage' : 'stage hook' },
    h('span', { class: 'stage-name' }, name),
    h('span', { class: 'track', 'aria-hidden': 'true' }, bar),
    h('small', {}, `${ms.toFixed(2)} ms`),
  )
}

function nameOf({ stage, hook }: StageTime): string {
  return hook === undefined ? stage : hook === '' ? 'anonymous' : hook
}

/** What a refused request reached last before its reply; `null` where its handler ran. */
export function refusedBy(trace: readonly StageTime[]): string | null {
  const first = trace.findIndex(({ stage }) => REPLY_STAGES.has(stage))
  const last = trace.slice(0, first === -1 ? undefined : first).at(-1)
  if (last === undefined || last.stage === 'handler') return null
  const { stage, hook } = last
  return hook === undefined ? `the stage ${stage}` : `the hook ${nameOf(last)} (${stage})`
}
