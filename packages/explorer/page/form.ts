import type { RouteExplanation } from 'cloister'

import type { Body, Field, RequestForm } from '../src/request-form.ts'
import { withFields } from './body-text.ts'
import type { Entered } from './body-text.ts'
import { fill, h } from './dom.ts'
import { inputsOf, labelled, labelOf } from './inputs.ts'
import type { Input } from './inputs.ts'
import { sendRequest } from './send.ts'
import { targetOf } from './target.ts'
import type { DrawWay } from './way.ts'

/** The form that sends a request to the route, and shows what came back. */
export function requestForm(route: RouteExplanation, form: RequestForm, draw: DrawWay): HTMLElement {
  const target = targetOf(route, form, true)
  const headers = h('textarea', {
    id: 'headers',
    rows: '2',
    placeholder: 'authorization: Bearer …',
    spellcheck: 'false',
  })
  const body = route.body.rule === 'never' ? null : bodyEditor(form.bodies)
  const result = h('div', { role: 'status', id: 'result' })
  const send = (event: Event): void => {
    event.preventDefault()
    const fields = headersOf(headers.value, target.inputs)
    const content = body?.read(fields) ?? null
    const request = { target: target.value, method: route.method, headers: fields, body: content }
    void sendRequest(request, route, result, draw)
  }
  return h(
    'form',
    { oninput: target.refresh, onsubmit: send, 'aria-labelledby': 'send-title' },
    h('h3', { id: 'send-title' }, form.hasEvents ? 'Open the stream of events' : 'Send a request'),
    ...target.children,
    labelOf('Headers, one a line', headers),
    body?.element ?? null,
    h('button', { type: 'submit' }, form.hasEvents ? 'Open' : 'Send'),
    result,
  )
}

/** The part of the form that makes the body. */
interface BodyEditor {
  readonly element: HTMLElement
  /** Returns the content, and sets its type where the user has not. */
  read(headers: Headers): BodyInit | null
}

function bodyEditor(bodies: readonly Body[]): BodyEditor {
  const type = h('select', { id: 'type' }, ...bodies.map(({ mediaType }) => h('option', {}, mediaType)))
  const text = h('textarea', { id: 'body', rows: '8', spellcheck: 'false' })
  const fields = h('div', { class: 'fields' })
  let inputs = new Map<Field, Input>()
  const chosen = (): Body | undefined => bodies.find(({ mediaType }) => mediaType === type.value) ?? bodies[0]
  const isForm = (): boolean =>
    /^(?:multipart\/form-data|application\/x-www-form-urlencoded)/.test(type.value)
  const textLabel = labelOf('Body', text)
  const use = (): void => {
    text.value = chosen()?.value ?? ''
    inputs = inputsOf(chosen()?.fields ?? [])
    fill(fields, ...[...inputs].map(([field, input]) => labelled(field, input)))
    textLabel.hidden = isForm()
    if (!isForm() && inputs.size > 0) text.value = withFields(text.value, enteredIn(inputs))
  }
  // The fields write the text; what they do not know stays as it is.
  fields.addEventListener('input', () => {
    if (!isForm()) text.value = withFields(text.value, enteredIn(inputs))
  })
  type.addEventListener('change', use)
  use()
  return {
    element: h('div', {}, bodies.length > 1 && labelOf('Media type', type), fields, textLabel),
    read(headers) {
      if (type.value.startsWith('multipart/')) return formData(inputs)
      if (isForm()) return new URLSearchParams(textsOf(inputs))
      if (text.value === '') return null
      if (!headers.has('content-type')) headers.set('content-type', type.value || 'application/json')
      return text.value
    },
  }
}

function formData(inputs: ReadonlyMap<Field, Input>): FormData {
  const data = new FormData()
  for (const [name, value] of textsOf(inputs)) data.append(name, value)
  // Handlers see the fields before the files that stream.
  for (const [{ name }, input] of inputs) {
    if (input instanceof HTMLInputElement) for (const file of input.files ?? []) data.append(name, file)
  }
  return data
}

function textsOf(inputs: ReadonlyMap<Field, Input>): [name: string, value: string][] {
  return [...inputs].flatMap(([{ name, kind }, { value }]): [string, string][] =>
    kind === 'file' || value === '' ? [] : [[name, value]],
  )
}

function enteredIn(inputs: ReadonlyMap<Field, Input>): Entered[] {
  return [...inputs].map(([field, { value }]) => ({ field, text: value }))
}

function headersOf(text: string, inputs: ReadonlyMap<Field, Input>): Headers {
  const headers = new Headers()
  for (const [{ in: part, name }, { value }] of inputs)
    if (part === 'header' && value !== '') headers.set(name, value)
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon).trim(), line.slice(colon + 1).trim())
  }
  return headers
}
