import type { Field } from '../src/request-form.ts'
import { h } from './dom.ts'

/** The input of a field. */
export type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** Makes the input of each field, with its first value. */
export function inputsOf(fields: readonly Field[]): Map<Field, Input> {
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

/** An input with the name of its field. */
export function labelled({ name, in: part, required, hint }: Field, input: HTMLElement): HTMLElement {
  return labelOf(part === 'body' ? name : `${name} (${part})`, input, hint, required)
}

/** An input with its label. */
export function labelOf(text: string, input: HTMLElement, hint = '', required = false): HTMLElement {
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
