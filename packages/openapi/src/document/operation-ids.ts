import type { InspectedRoute } from 'cloister/inspect'

import { OpenApiError } from '../errors.ts'
import { labelOf } from './route.ts'

/** A method of a path, before its operation is written. */
export interface Endpoint {
  readonly route: InspectedRoute
  readonly method: string
  readonly path: string
}

/** Names the operations: by the `operationId` of a route, or by method and path. Each name is unique. */
export class OperationIds {
  /** The `operationId` of routes, with the route that has it. */
  readonly #given = new Map<string, InspectedRoute>()
  readonly #taken = new Set<string>()

  /**
   * @param routes - all routes of the document
   * @throws OpenApiError `CLO_ERR_OPENAPI_OPERATION_ID` when two of them have the same name
   */
  constructor(routes: readonly InspectedRoute[]) {
    for (const route of routes) {
      const id = givenId(route)
      if (id === undefined) continue
      const other = this.#given.get(id)
      // A route with several methods is listed once for each of them, always with the same schema object.
      if (other !== undefined && other.written !== route.written) {
        throw new OpenApiError(
          'CLO_ERR_OPENAPI_OPERATION_ID',
          `two routes have the operationId '${id}': ${labelOf(other.description)} and ` +
            `${labelOf(route.description)}; give one of them another operationId, or none, which makes one of ` +
            'its method and path',
        )
      }
      this.#given.set(id, route)
    }
  }

  nameOf({ route, method, path }: Endpoint): string {
    const given = givenId(route)
    if (given === undefined) return this.#take(generatedId(method, path), this.#given)
    return this.#taken.has(given) ? this.#take(`${given}_${method}`, this.#given) : this.#take(given)
  }

  #take(wanted: string, reserved: ReadonlyMap<string, unknown> = new Map()): string {
    let id = wanted
    for (let count = 2; this.#taken.has(id) || reserved.has(id); count += 1) id = `${wanted}_${count}`
    this.#taken.add(id)
    return id
  }
}

function givenId({ written }: InspectedRoute): string | undefined {
  const { operationId } = written
  return typeof operationId === 'string' && operationId !== '' ? operationId : undefined
}

/** Returns a name from method and path: `getUsersById` for `GET /users/{id}`. */
export function generatedId(method: string, path: string): string {
  const words = path
    .replaceAll(/\{([^}]*)\}/g, '/By-$1/')
    .split(/[^a-zA-Z0-9]+/)
    .filter(Boolean)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
  return `${method}${words.length === 0 ? 'Root' : words.join('')}`
}
