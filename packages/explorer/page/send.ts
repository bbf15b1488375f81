import type { RouteExplanation } from 'cloister'

import type { Body, Field, RequestForm } from '../src/request-form.ts'
import type { StageTime } from '../src/traces.ts'
import { readTrace } from './data.ts'
import { fill, h, table } from './dom.ts'
import type { Child } from './dom.ts'

/** The form that sends a request to the route, and shows what came back. */
export function requestForm(route: RouteExplanation, form: RequestForm): HTMLElement {
  const inputs = new Map(form.fields.map((field) => [field, fieldInput(field)]))
  const target = h('input', { id: 'target', value: route.url, readonly: form.path !== null })
  const headers = h('textarea', {
    id: 'headers',
    rows: '2',
    placeholder: 'authorization: Bearer …',
    spellcheck: 'false',
  })
  const type = h('select', { id: 'type' }, ...form.bodies.map(({ mediaType }) => h('option', {}, mediaType)))
  const body = h('textarea', { id: 'body', rows: '8', spellcheck: 'false' })
  const result = h('div', { role: 'status', id: 'result' })
  const takesBody = route.body.rule !== 'never'
  const refresh = (): void => {
    if (form.path !== null) target.value = targetOf(form.path, inputs)
  }
  const useBody = (): void => {
    body.value = bodyOf(form.bodies, type.value)?.value ?? ''
  }
  type.addEventListener('change', useBody)
  useBody()
  refresh()
  const send = async (event: Event): Promise<void> => {
    event.preventDefault()
    fill(result, 'Sending …')
    const init = {
      method: route.method,
      headers: headersOf(headers.value, inputs),
      body: null as string | null,
    }
    if (takesBody && body.value !== '') {
      init.body = body.value
      if (!init.headers.has('content-type'))
        init.headers.set('content-type', type.value || 'application/json')
    }
    fill(result, ...(await exchange(target.value, init)))
  }
  return h(
    'form',
    { oninput: refresh, onsubmit: (event) => void send(event), 'aria-labelledby': 'send-title' },
    h('h3', { id: 'send-title' }, 'Send'),
    ...[...inputs].map(([field, input]) => labelled(`${field.name} (${field.in})`, input, field.hint)),
    labelled('URL', target),
    labelled('Headers, one a line', headers),
    takesBody && form.bodies.length > 1 && labelled('Media type', type),
    takesBody && labelled('Body', body),
    h('button', { type: 'submit' }, 'Send'),
    result,
  )
}

function fieldInput({ in: part, name, value, required }: Field): HTMLInputElement {
  return h('input', { id: `${part}-${name}`, value, required: required && part !== 'header' })
}

function labelled(text: string, input: HTMLElement, hint = ''): HTMLElement {
  return h('p', {}, h('label', { for: input.id }, text, hint !== '' && h('small', {}, ` ${hint}`)), input)
}

function targetOf(path: string, inputs: ReadonlyMap<Field, HTMLInputElement>): string {
  const query = new URLSearchParams()
  let target = path
  for (const [{ in: part, name }, { value }] of inputs) {
    if (part === 'path') target = target.replace(`{${name}}`, () => encodeURIComponent(value))
    if (part === 'query' && value !== '') query.append(name, value)
  }
  return query.size === 0 ? target : `${target}?${query.toString()}`
}

function headersOf(text: string, inputs: ReadonlyMap<Field, HTMLInputElement>): Headers {
  const headers = new Headers()
  for (const [{ in: part, name }, { value }] of inputs)
    if (part === 'header' && value !== '') headers.set(name, value)
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon).trim(), line.slice(colon + 1).trim())
  }
  return headers
}

function bodyOf(bodies: readonly Body[], type: string): Body | undefined {
  return bodies.find(({ mediaType }) => mediaType === type) ?? bodies[0]
}

/** Sends the request through the socket, as a client does. */
async function exchange(
  target: string,
  init: { method: string; headers: Headers; body: string | null },
): Promise<Child[]> {
  const id = crypto.randomUUID()
  init.headers.set('x-cloister-explorer', id)
  const start = performance.now()
  try {
    const response = await fetch(target, { ...init, redirect: 'manual' })
    const text = await response.text()
    const took = performance.now() - start
    const stages = await readTrace(id)
    return answer(response, text, took, stages)
  } catch (error) {
    return [
      h(
        'p',
        { class: 'failed' },
        `The request failed: ${error instanceof Error ? error.message : String(error)}`,
      ),
    ]
  }
}

function answer(response: Response, text: string, took: number, stages: readonly StageTime[]): Child[] {
  const { status, statusText, headers } = response
  const outcome = status === 0 ? 'a redirect, which the page does not follow' : `${status} ${statusText}`
  return [
    h('p', { class: status >= 400 ? 'failed' : 'done' }, h('b', {}, outcome), ` in ${took.toFixed(1)} ms`),
    h('h4', {}, 'Stages that ran'),
    h(
      'ol',
      { class: 'stages' },
      ...stages.map(({ stage, at }) => h('li', {}, `${stage} `, h('small', {}, `${at.toFixed(2)} ms`))),
    ),
    h('h4', {}, 'Body'),
    h('pre', { tabindex: '0', 'aria-label': 'Body of the response' }, pretty(text)),
    h('details', {}, h('summary', {}, 'Headers'), table('Headers', ['name', 'value'], [...headers])),
  ]
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
