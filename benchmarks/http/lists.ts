/**
 * List responses: the same value sent once with a response schema and once without, said once for every
 * subject. The value is made at the start, as a cache or a driver would hand it over.
 */
import { arr100, medium100 } from '../serialize/list-shapes.ts'
import type { Workload } from './workload.ts'

/** What the lists need of a framework. */
export interface ListHost {
  route(options: {
    readonly method: 'GET'
    readonly url: string
    readonly schema?: { readonly response: { readonly 200: object } }
    readonly handler: (request: unknown, reply: { send(payload: unknown): unknown }) => void
  }): unknown
}

/** One value that is sent with and without a schema. */
export interface List {
  readonly name: string
  readonly plainPath: string
  readonly schemaPath: string
  readonly schema: object
  readonly value: unknown
}

/** The lists in the order they are run and printed. */
export const lists: readonly List[] = [
  {
    name: '100 small objects',
    plainPath: '/lists/small/plain',
    schemaPath: '/lists/small/schema',
    schema: arr100.schema,
    value: arr100.make(0),
  },
  {
    name: '100 medium objects',
    plainPath: '/lists/medium/plain',
    schemaPath: '/lists/medium/schema',
    schema: medium100.schema,
    value: medium100.make(0),
  },
]

/** The workloads of the lists: each without and with its response schema. */
export const listWorkloads: readonly Workload[] = lists.flatMap((list) => {
  const expected = { status: 200, body: JSON.stringify(list.value) }
  return [
    { name: `${list.name}, no schema`, method: 'GET', path: list.plainPath, expected },
    { name: `${list.name}, response schema`, method: 'GET', path: list.schemaPath, expected },
  ]
})

/** Defines the routes of the lists in a framework. */
export function defineLists(host: ListHost): void {
  for (const { plainPath, schemaPath, schema, value } of lists) {
    host.route({ method: 'GET', url: plainPath, handler: (_request, reply) => void reply.send(value) })
    host.route({
      method: 'GET',
      url: schemaPath,
      schema: { response: { 200: schema } },
      handler: (_request, reply) => void reply.send(value),
    })
  }
}
