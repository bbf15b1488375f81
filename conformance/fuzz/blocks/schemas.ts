import { join } from 'node:path'
import { cloister } from 'cloister'
import { inspectRoutes } from 'cloister/inspect'
import { openLibrary } from '../../../examples/bookshelf/src/library/library.ts'
import { schemas } from '../../../examples/bookshelf/src/plugins/shared-schemas.ts'
import { adminRoutes } from '../../../examples/bookshelf/src/routes/admin.ts'
import { publicRoutes } from '../../../examples/bookshelf/src/routes/public.ts'
import { createApp as createMinimal } from '../../../examples/minimal/src/app.ts'
import { createApp as createForRuntimes } from '../../../examples/runtimes/src/app.ts'
import { readGroups, readRemotes } from '../../draft7/suite.ts'
import { shapes, type Named } from './shapes.ts'

/** The official suite, from the root of the repository: a bundle of this file may be anywhere. */
const SUITE = join('conformance', 'draft7', 'suite')

type Inspected = Parameters<typeof inspectRoutes>[0]

/** What is asked of an app here. */
interface App extends Inspected {
  ready(): PromiseLike<unknown>
  close(): PromiseLike<unknown>
  getSchemas(): object
}

/** The bookshelf over an empty library. */
function createBookshelf() {
  const app = cloister({ strict: true }).register(schemas).decorate('library', openLibrary(':memory:'))
  return app.register(publicRoutes).register(adminRoutes, { key: 'a-key-of-many-characters' })
}

/** What the routes of an app ask of requests and responses. */
async function ofApp(example: string, app: App): Promise<Named[]> {
  await app.ready()
  const shared = Object.values(app.getSchemas())
  const own = shared.map((schema, index) => ({ name: `${example}: shared ${index}`, schema }))
  const routes = inspectRoutes(app).flatMap(({ description: { method, url }, schema }) => {
    const { body, querystring, params, headers, response } = schema
    const responses = [...(response ?? [])].flatMap(([, { schema: one, content }]) => [
      one,
      ...(content?.values() ?? []),
    ])
    return [body, querystring, params, headers, ...responses]
      .filter((part) => part !== undefined)
      .map((part) => ({ name: `${example}: ${method} ${url}`, schema: part, shared }))
  })
  await app.close()
  return [
    ...own.map((one) => ({ ...one, shared: shared.filter((schema) => schema !== one.schema) })),
    ...routes,
  ]
}

/** The schemas of the examples, of the official suite of draft 7, those kept for the fuzz targets, and `shapes`. */
export async function allSchemas(kept: readonly string[]): Promise<Named[]> {
  const shared = readRemotes(join(SUITE, 'remotes'))
  const suite = readGroups(join(SUITE, 'tests', 'draft7')).map(({ file, description, schema }) => ({
    name: `${file}: ${description}`,
    schema,
    shared,
  }))
  return [
    ...suite,
    ...kept.map((text) => ({ name: text, schema: Object(JSON.parse(text)).schema, shared })),
    ...(await ofApp('bookshelf', createBookshelf())),
    ...(await ofApp('minimal', createMinimal())),
    ...(await ofApp('runtimes', createForRuntimes())),
    ...shapes(),
  ]
}
