import type { RouteExplanation } from 'cloister'

import type { Field, RequestForm } from '../src/request-form.ts'
import { h } from './dom.ts'
import type { Child } from './dom.ts'
import { inputsOf, labelled, labelOf } from './inputs.ts'
import type { Input } from './inputs.ts'

/** The part of a form that makes the URL. */
export interface Target {
  readonly children: readonly Child[]
  readonly inputs: ReadonlyMap<Field, Input>
  /** The path with the query. */
  readonly value: string
  /** Writes the URL from the fields. */
  refresh(): void
}

/** Makes the fields of path and query, and of headers if `headers` is set. */
export function targetOf(route: RouteExplanation, form: RequestForm, headers: boolean): Target {
  const inputs = inputsOf(form.fields.filter(({ in: part }) => headers || part !== 'header'))
  const url = h('input', { id: 'target', value: route.url, readonly: form.path !== null })
  const more = h('textarea', { id: 'more-query', rows: '1', placeholder: 'name=value', spellcheck: 'false' })
  const refresh = (): void => {
    if (form.path !== null) url.value = write(form.path, inputs, more.value)
  }
  refresh()
  return {
    children: [
      ...[...inputs].map(([field, input]) => labelled(field, input)),
      form.path !== null && labelOf('More query parameters, one a line', more),
      labelOf('URL', url),
    ],
    inputs,
    get value() {
      return url.value
    },
    refresh,
  }
}

function write(path: string, inputs: ReadonlyMap<Field, Input>, more: string): string {
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
