// Every part of a request whose values are text, with one schema of a library.
import { cloister } from 'cloister'

import { BOUNDARY, FORM_TYPE } from '../forms/form-body.ts'

/** What a handler got, or the status and content of a refusal. */
export type Seen = { readonly value: unknown } | { readonly refused: string }

/**
 * Returns what a handler gets of the same texts in a query, both kinds of forms, params and headers. Params have no
 * empty text.
 */
export async function throughWires(
  schema: object,
  texts: Readonly<Record<string, string>>,
): Promise<Map<string, Seen>> {
  const app = cloister({ maxParamLength: 1000 })
  const content = { 'application/x-www-form-urlencoded': { schema }, 'multipart/form-data': { schema } }
  const names = Object.keys(texts)
  app.get('/', { schema: { querystring: schema } }, ({ query }) => ({ seen: query }))
  app.post('/', { schema: { body: { content } } }, ({ body }) => ({ seen: body }))
  app.get('/headers', { schema: { headers: schema } }, ({ headers }) => ({ seen: headers }))
  const path = names.map((name) => `/:${name}`).join('')
  app.get(`/params${path}`, { schema: { params: schema } }, ({ params }) => ({ seen: params }))
  const query = new URLSearchParams(texts).toString()
  const form = Object.entries(texts)
    .map(([name, one]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${one}\r\n`)
    .join('')
  const post = (type: string, payload: string): object => ({
    method: 'POST',
    url: '/',
    headers: { 'content-type': type },
    payload,
  })
  const values = Object.values(texts)
  const requests: (readonly [string, object])[] = [
    ['query', { url: `/?${query}` }],
    ['form', post('application/x-www-form-urlencoded', query)],
    ['multipart', post(FORM_TYPE, `${form}--${BOUNDARY}--\r\n`)],
    ['headers', { url: '/headers', headers: texts }],
  ]
  if (!values.includes(''))
    requests.push([
      'params',
      { url: `/params${values.map((one) => `/${encodeURIComponent(one)}`).join('')}` },
    ])
  const all = new Map<string, Seen>()
  for (const [wire, request] of requests) {
    const { statusCode, payload } = await app.inject(request)
    const json: unknown = JSON.parse(payload)
    const refused = `${statusCode} ${payload}`
    all.set(wire, statusCode === 200 ? { value: Reflect.get(Object(json), 'seen') } : { refused })
  }
  await app.close()
  return all
}

/** The members of a value that another value has too, for headers: a request has more of them. */
export function membersOf(value: unknown, other: unknown): unknown {
  if (typeof other !== 'object' || other === null || Array.isArray(other)) return value
  return Object.fromEntries(Object.keys(other).map((name) => [name, Reflect.get(Object(value), name)]))
}
