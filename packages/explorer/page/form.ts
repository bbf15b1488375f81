import type { RouteExplanation } from 'cloister'

import type { Body, Field, RequestForm } from '../src/request-form.ts'
import { withFields } from './body-text.ts'
import type { Entered } from './body-text.ts'
import { fill, h } from './dom.ts'
import { sendRequest } from './send.ts'

/** The input of a field. */
type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** The form that sends a request to the route, and shows what came back. */
export function requestForm(route: RouteExplanation, form: RequestForm): HTMLElement {
  const inputs = inputsOf(form.fields)
  const target = h('input', { id: 'target', value: route.url, readonly: form.path !== null })
  const more = h('textarea', { id: 'more-query', rows: '1', placeholder: 'name=value', spellcheck: 'false' })
  const headers = h('textarea', {
    id: 'headers',
    rows: '2',
    placeholder: 'authorization: Bearer …',
    spellcheck: 'false',
  })
  const body = route.body.rule === 'never' ? null : bodyEditor(form.bodies)
  const result = h('div', { role: 'status', id: 'result' })
  const refresh = (): void => {
    if (form.path !== null) target.value = targetOf(form.path, inputs, more.value)
  }
  refresh()
  const send = (event: Event): void => {
    event.preventDefault()
    const fields = headersOf(headers.value, inputs)
    const content = body?.read(fields) ?? null
    void sendRequest(target.value, { method: route.method, headers: fields, body: content }, route, result)
  }
  return h(
    'form',
    { oninput: refresh, onsubmit: send, 'aria-labelledby': 'send-title' },
    h('h3', { id: 'send-title' }, 'Send a request'),
    ...[...inputs].map(([field, input]) => labelled(field, input)),
    form.path !== null && labelOf('More query parameters, one a line', more),
    labelOf('URL', target),
    labelOf('Headers, one a line', headers),
    body?.element ?? null,
    h('button', { type: 'submit' }, 'Send'),
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

function inputsOf(fields: readonly Field[]): Map<Field, Input> {
  return new Map(fields.map((field) => [field, inputOf(field)]))
}

function inputOf({ in: part, name, value, kind, choices, required }: Field): Input {
  const id = `${part}-${name}`
  const marks = { id, 'aria-required': String(required) }
  if (kind === 'file') return h('input', { ...marks, type: 'file', multiple: true })
  if (kind === 'choice' || kind === 'json-choice' || kind === 'boolean') {
    const values = kind === 'boolean' ? ['true', 'false'] : choices
    const options = required && values.includes(value) ? values : ['', ...values]
    const select = h(
      'select',
      marks,
      ...options.map((one) => h('option', { value: one }, one === '' ? '(none)' : one)),
    )
    select.value = values.includes(value) ? value : ''
    return select
  }
  if (kind === 'json' && part === 'body') {
    const area = h('textarea', { ...marks, rows: '2', spellcheck: 'false' })
    area.value = value
    return area
  }
  return h('input', { ...marks, value, inputmode: kind === 'number' ? 'decimal' : 'text' })
}

function labelled({ name, in: part, required, hint }: Field, input: HTMLElement): HTMLElement {
  return labelOf(part === 'body' ? name : `${name} (${part})`, input, hint, required)
}

function labelOf(text: string, input: HTMLElement, hint = '', required = false): HTMLElement {
  return h(
    'p',
    {},
    h(
      'label',
      { for: input.id },
      text,
      required && h('span', { class: 'required' }, ' required'),
      hint !== '' && h('small', {}, ` ${hint}`),
    ),
    input,
  )
}

function targetOf(path: string, inputs: ReadonlyMap<Field, Input>, more: string): string {
  const query = new URLSearchParams()
  let target = path
  for (const [{ in: part, name }, { value }] of inputs) {
    if (part === 'path') target = target.replace(`{${name}}`, () => encodeURIComponent(value))
    if (part === 'query' && value !== '') for (const one of valuesOf(value)) query.append(name, one)
  }
  for (const line of more.split('\n')) {
    const [name = '', ...value] = line.split('=')
    if (name.trim() !== '') query.append(name.trim(), value.join('='))
  }
  return query.size === 0 ? target : `${target}?${query.toString()}`
}

/** The values of a list that is written as JSON, each of which a query has by itself; or the one value. */
function valuesOf(text: string): string[] {
  if (!/^\s*\[/.test(text)) return [text]
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list)
      ? list.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
      : [text]
  } catch {
    return [text]
  }
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
