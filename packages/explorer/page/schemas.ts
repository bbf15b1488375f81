import type { ShownSchema } from '../src/request-form.ts'
import { h, table, words } from './dom.ts'
import type { Child } from './dom.ts'

/** The schemas of a route, each as a table, and as JSON when it is opened. */
export function schemaSection(schemas: readonly ShownSchema[]): Child {
  if (schemas.length === 0) return null
  return h('section', {}, h('h3', {}, 'Schemas'), ...schemas.map(schemaTable))
}

function schemaTable({ title, rows, schema }: ShownSchema): HTMLElement {
  const cells = rows.map(({ name, type, required, says }) => [
    h('code', {}, name === '' ? '(value)' : words(name)),
    type,
    required ? 'required' : '',
    says,
  ])
  return h(
    'div',
    { class: 'schema' },
    h('h4', {}, title),
    table(`Schema of ${title}`, ['name', 'type', 'presence', 'rules'], cells),
    h(
      'details',
      {},
      h('summary', {}, 'JSON'),
      h(
        'pre',
        { tabindex: '0', 'aria-label': `Schema of ${title} as JSON` },
        JSON.stringify(schema, null, 2),
      ),
    ),
  )
}
