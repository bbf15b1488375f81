/**
 * The three routes of the HTTP benchmark, said once for every subject.
 * Every subject must respond with the same status, content type, length and bytes.
 */

import type { AppKind } from './app-kinds.ts'

/** One request that the load sends again and again. */
export interface Workload {
  readonly name: string
  /** the application that it is sent to; one that has routes and nothing else unless it says so */
  readonly app?: AppKind
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** headers beside those that every request has, names in lower case */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string
  /** the media type of the body; JSON unless it says so */
  readonly type?: string
  readonly expected: Expected
}

/** The response that every subject must send. */
export interface Expected {
  readonly status: number
  readonly body: string
  /** the media type; JSON unless it says so */
  readonly type?: string
  /** the body comes in chunks of any size, without a length */
  readonly chunked?: boolean
  /** what its head must contain, in lower case */
  readonly demands?: readonly string[]
}

/** A user as the first route sends it. */
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

/** The media type of responses that are not text. */
export const BYTES_TYPE = 'application/octet-stream'

/** 16 KB that are no text, whole and as a stream gives them. */
export const bytes: Buffer = Buffer.alloc(16_384, 'cloister')
export const streamed: readonly Buffer[] = [0, 1, 2, 3].map((part) =>
  bytes.subarray(part * 4096, (part + 1) * 4096),
)

export const searchQuery = {
  type: 'object',
  properties: { tag: { type: 'array', items: { type: 'string' } }, limit: { type: 'integer' } },
} as const

/** What the route that takes a document does, in every subject. */
export function countItems(body: unknown): { items: number } {
  const items = typeof body === 'object' && body !== null && 'items' in body ? body.items : undefined
  return { items: Array.isArray(items) ? items.length : 0 }
}

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

/** An order with all that a shop would write, in some 300 bytes of JSON. */
export const longOrder: Order & Readonly<Record<string, unknown>> = {
  ...order,
  note: 'leave at the door, and ring twice if nothing moves behind the windows',
  customer: { id: 1843, name: 'Ada Lovelace', email: 'ada@example.org' },
  address: { street: '12 St James Square', city: 'London', zip: 'SW1Y 4JH' },
  price: 12.5,
  express: true,
}

/** The three workloads over encrypted connections. */
export const tlsWorkloads = (): readonly Workload[] =>
  workloads.map((workload) => ({ ...workload, app: 'tls', name: `TLS: ${workload.name}` }))

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
