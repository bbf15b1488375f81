/**
 * The three routes of the HTTP benchmark, said once for every subject.
 * Every subject must answer with the same status, content type, length and bytes.
 */

/** One request that the load sends again and again. */
export interface Workload {
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
  readonly expected: { readonly status: number; readonly body: string }
}

/** A user as the first route answers it. */
export interface User {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly active: boolean
  readonly score: number
}

/** An order as the second route takes it. */
export interface Order {
  readonly sku: string
  readonly quantity: number
  readonly note: string
  readonly tags: readonly string[]
}

export const userParams = {
  type: 'object',
  properties: { id: { type: 'integer', minimum: 1 } },
  required: ['id'],
} as const

export const userResponse = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    email: { type: 'string' },
    active: { type: 'boolean' },
    score: { type: 'number' },
  },
} as const

export const orderBody = {
  type: 'object',
  properties: {
    sku: { type: 'string', minLength: 1, maxLength: 40 },
    quantity: { type: 'integer', minimum: 1, maximum: 1000 },
    note: { type: 'string', maxLength: 200 },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 10 },
  },
  required: ['sku', 'quantity'],
} as const

export const orderResponse = {
  type: 'object',
  properties: { sku: { type: 'string' }, quantity: { type: 'integer' }, accepted: { type: 'boolean' } },
} as const

/** What the handler of the first route does, in every subject. */
export function findUser(id: number): User {
  return { id, name: 'Ada Lovelace', email: 'ada@example.org', active: true, score: 9.75 }
}

/** What the handler of the second route does, in every subject. */
export function acceptOrder(order: Order): { sku: string; quantity: number; accepted: boolean } {
  return { sku: order.sku, quantity: order.quantity, accepted: true }
}

/** What the handler of the third route does, in every subject. */
export function sayHello(): { hello: string } {
  return { hello: 'world' }
}

const order: Order = { sku: 'BK-1843', quantity: 3, note: 'leave at the door', tags: ['gift', 'paper'] }

/** The three workloads, in the order they are run and printed. */
export const workloads: readonly Workload[] = [
  {
    name: 'GET params + response schema',
    method: 'GET',
    path: '/users/1843',
    expected: { status: 200, body: JSON.stringify(findUser(1843)) },
  },
  {
    name: 'POST body schema',
    method: 'POST',
    path: '/orders',
    body: JSON.stringify(order),
    expected: { status: 201, body: JSON.stringify(acceptOrder(order)) },
  },
  {
    name: 'GET plain',
    method: 'GET',
    path: '/hello',
    expected: { status: 200, body: JSON.stringify(sayHello()) },
  },
]
