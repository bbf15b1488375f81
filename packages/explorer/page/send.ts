import type { RouteExplanation } from 'cloister'

import type { StageTime } from '../src/traces.ts'
import { readTrace } from './data.ts'
import { fill, h, table } from './dom.ts'
import type { Child } from './dom.ts'
import { refusedBy, waterfall } from './waterfall.ts'

/** A request as the form makes it. */
interface Init {
  readonly method: string
  readonly headers: Headers
  readonly body: BodyInit | null
}

/** Characters of a body that are shown. */
const MOST_SHOWN = 200_000

/** Sends the request through the socket, as a client does, and shows the response as it comes. */
export async function sendRequest(
  target: string,
  init: Init,
  route: RouteExplanation,
  result: HTMLElement,
): Promise<void> {
  const id = crypto.randomUUID()
  init.headers.set('x-cloister-explorer', id)
  const abort = new AbortController()
  const cancel = h('button', { type: 'button', onclick: () => abort.abort() }, 'Cancel')
  const outcome = h('p', {}, 'Sending …')
  const stages = h('div', {})
  const body = h('pre', { tabindex: '0', 'aria-label': 'Body of the response' })
  const rest = h('div', {})
  fill(result, outcome, cancel, stages, h('h4', {}, 'Body'), body, rest)
  const start = performance.now()
  const took = (): string => `${(performance.now() - start).toFixed(1)} ms`
  try {
    const response = await fetch(target, { ...init, redirect: 'manual', signal: abort.signal })
    const failed = response.status >= 400
    outcome.className = failed ? 'failed' : 'done'
    fill(outcome, h('b', {}, statusOf(response)), ' …')
    fill(rest, headersOf(response))
    await showBody(response, body)
    fill(outcome, h('b', {}, statusOf(response)), ` in ${took()}`)
    const trace = await readTrace(id)
    fill(stages, ...stagesOf(trace, route, failed))
  } catch (error) {
    outcome.className = 'failed'
    const why = abort.signal.aborted ? 'Cancelled' : `The request failed: ${messageOf(error)}`
    fill(outcome, `${why} after ${took()}`)
  } finally {
    cancel.remove()
  }
}

function stagesOf(trace: readonly StageTime[], route: RouteExplanation, failed: boolean): Child[] {
  const by = failed ? refusedBy(trace) : null
  return [
    by !== null && h('p', { class: 'failed' }, `Refused by ${by}.`),
    h('h4', {}, 'Stages that ran'),
    waterfall(trace, route.handler),
  ]
}

function statusOf({ status, statusText }: Response): string {
  return status === 0 ? 'a redirect, which the page does not follow' : `${status} ${statusText}`
}

function headersOf({ headers }: Response): HTMLElement {
  return h('details', {}, h('summary', {}, 'Headers'), table('Headers', ['name', 'value'], [...headers]))
}

/** Shows a body piece by piece: streams are seen while they last. */
async function showBody(response: Response, body: HTMLElement): Promise<void> {
  if (response.body === null) return
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    text += piece.value
    body.textContent = text.slice(0, MOST_SHOWN)
  }
  body.textContent = pretty(text).slice(0, MOST_SHOWN)
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
