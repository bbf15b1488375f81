import type { RouteExplanation } from 'cloister'

import type { StageTime } from '../src/traces.ts'
import { readTrace } from './data.ts'
import { fill, h, table } from './dom.ts'
import type { Child } from './dom.ts'
import { eventList } from './events.ts'
import { refusedBy, waterfall } from './waterfall.ts'
import type { DrawWay } from './way.ts'

/** A request as the form makes it. */
interface FormRequest {
  readonly target: string
  readonly method: string
  readonly headers: Headers
  readonly body: BodyInit | null
}

/** Characters of a body that are shown. */
const MAX_SHOWN = 200_000

/** Sends the request through the socket, as a client does, and shows the response as it comes. */
export async function sendRequest(
  request: FormRequest,
  route: RouteExplanation,
  result: HTMLElement,
  draw: DrawWay,
): Promise<void> {
  const id = crypto.randomUUID()
  const { target, ...init } = request
  init.headers.set('x-cloister-explorer', id)
  const abort = new AbortController()
  // Another route that is chosen ends the stream of this one.
  window.addEventListener('hashchange', () => abort.abort(), { once: true, signal: abort.signal })
  const cancel = h('button', { type: 'button', onclick: () => abort.abort() }, 'Cancel')
  const outcome = h('p', {}, 'Sending …')
  const stages = h('div', {})
  const content = h('div', {})
  const rest = h('div', {})
  fill(result, outcome, cancel, stages, content, rest)
  const start = performance.now()
  const took = (): string => `${(performance.now() - start).toFixed(1)} ms`
  const show = async (text: string, failed: boolean): Promise<void> => {
    const trace = await readTrace(id)
    fill(stages, ...stagesOf(trace, route, failed))
    draw(trace, { request: `${init.method} ${target}`, result: text, failed })
  }
  try {
    const response = await fetch(target, { ...init, redirect: 'manual', signal: abort.signal })
    const failed = response.status >= 400
    outcome.className = failed ? 'failed' : 'done'
    fill(outcome, h('b', {}, statusOf(response)), ' …')
    fill(rest, headersOf(response))
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (isStream) {
      cancel.textContent = 'Close the stream'
      await show(`${statusOf(response)}, the stream is open`, failed)
      const again = (lastId: string): void => {
        const headers = new Headers(init.headers)
        headers.set('last-event-id', lastId)
        void sendRequest({ ...request, headers }, route, result, draw)
      }
      await showEvents(response, content, took, again)
    } else await showBody(response, content)
    fill(outcome, h('b', {}, statusOf(response)), ` in ${took()}`)
    await show(`${statusOf(response)} in ${took()}`, failed)
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
async function showBody(response: Response, content: HTMLElement): Promise<void> {
  const body = h('pre', { tabindex: '0', 'aria-label': 'Body of the response' })
  fill(content, h('h4', {}, 'Body'), body)
  let text = ''
  await readText(response, (piece) => {
    text += piece
    body.textContent = text.slice(0, MAX_SHOWN)
  })
  body.textContent = pretty(text).slice(0, MAX_SHOWN)
}

/** Shows events as they come. When the stream ends, it can be opened again where it was left. */
async function showEvents(
  response: Response,
  content: HTMLElement,
  took: () => string,
  again: (lastId: string) => void,
): Promise<void> {
  const events = eventList(took)
  fill(content, h('h4', {}, 'Events'), events.element)
  try {
    await readText(response, (piece) => events.add(piece))
  } finally {
    const { lastId } = events
    const open = h(
      'button',
      { type: 'button', onclick: () => again(lastId) },
      `Open again after event ${lastId}`,
    )
    if (lastId !== '') content.append(open)
  }
}

async function readText({ body }: Response, add: (text: string) => void): Promise<void> {
  if (body === null) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) add(piece.value)
}

/** JSON with an indent; other text as it is. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
