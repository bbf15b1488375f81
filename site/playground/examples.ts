import contexts from './examples/contexts.ts?raw'
import errors from './examples/errors.ts?raw'
import events from './examples/events.ts?raw'
import unions from './examples/unions.ts?raw'
import validation from './examples/validation.ts?raw'
import type { FormRequest } from './protocol.ts'

/** A prepared app, with a request that shows its point. */
export interface Example {
  readonly title: string
  readonly code: string
  readonly request: FormRequest
}

const json = 'content-type: application/json'

export const examples: Readonly<Record<string, Example>> = {
  validation: {
    title: 'Validation',
    code: validation,
    request: { method: 'POST', url: '/books', headers: json, body: '{ "title": "Flatland", "year": 1884 }' },
  },
  contexts: {
    title: 'Contexts',
    code: contexts,
    request: { method: 'GET', url: '/admin', headers: 'authorization: open sesame', body: '' },
  },
  unions: {
    title: 'Unions',
    code: unions,
    request: { method: 'POST', url: '/shapes', headers: json, body: '{ "kind": "circle", "radius": -2 }' },
  },
  errors: {
    title: 'Errors',
    code: errors,
    request: { method: 'GET', url: '/books/7', headers: '', body: '' },
  },
  events: { title: 'Events', code: events, request: { method: 'GET', url: '/ticks', headers: '', body: '' } },
}
