// An app with one route for each library, which documents and types of clients are made from.
import { cloister } from 'cloister'

import { LIBRARIES, LIBRARY_NAMES, pathOf } from './libraries.ts'

interface AnyRoute {
  post(url: string, options: object, handler: (request: object) => unknown): unknown
}

export function createApp(): ReturnType<typeof cloister> {
  const app = cloister()
  const routes: AnyRoute = app
  for (const library of LIBRARY_NAMES) {
    routes.post(`${pathOf(library)}/:id`, { schema: LIBRARIES[library] }, (request) => {
      const { params, query, headers, body } = Object(request)
      const sum: unknown = params.id + query.page + query.tags.length + headers['x-count'] + body.age
      return { email: 'ada@example.org', at: new Date(0), n: query.on === false ? sum : Number.NaN }
    })
  }
  return app
}
