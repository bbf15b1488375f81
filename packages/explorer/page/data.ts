import type { AppDescription, MissingRoute, RouteDescription, RouteExplanation } from 'cloister'
import type { ContextDescription } from 'cloister/types'

import type { RequestForm } from '../src/request-form.ts'
import type { KnownKind } from '../src/route-kinds.ts'
import type { StageTime } from '../src/traces.ts'

/** What the server says of the app. */
export interface AppData {
  readonly app: AppDescription
  readonly editorUrl: string
  /** Path of the page. */
  readonly own: string
  /** The WebSocket routes and the routes with a stream of events. */
  readonly kinds: readonly KnownKind[]
}

/** What the server says of a route. */
export interface RouteData {
  readonly explanation: RouteExplanation | MissingRoute
  readonly form: RequestForm
}

const base = location.pathname.replace(/\/+$/, '')

/** Reads what the app is. */
export function readApp(): Promise<AppData> {
  return read<AppData>('app.json')
}

/** Reads what a route is. */
export function readRoute({ method, url, constraints }: RouteDescription): Promise<RouteData> {
  const query = new URLSearchParams({ method, url, constraints: JSON.stringify(constraints) })
  return read<RouteData>(`route.json?${query.toString()}`)
}

/** Reads the stages of a request that was sent with this id. */
export function readTrace(id: string): Promise<readonly StageTime[]> {
  return read<readonly StageTime[]>(`traces/${id}`)
}

async function read<Data>(path: string): Promise<Data> {
  const response = await fetch(`${base}/${path}`, { headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(`the server responded with ${response.status}: ${await response.text()}`)
  const data: unknown = await response.json()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server part of this package has written it
  return data as Data
}

/** Returns the contexts from the root on, with how deep each is. */
export function contextsOf(
  root: ContextDescription,
  depth = 0,
): { readonly context: ContextDescription; readonly depth: number }[] {
  return [{ context: root, depth }, ...root.children.flatMap((child) => contextsOf(child, depth + 1))]
}

/** The texts of a list in an explanation whose members the framework does not know; none if it is no list. */
export function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
