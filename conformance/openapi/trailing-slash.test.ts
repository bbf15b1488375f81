// The path of a document for the route `/` below a prefix: under the name `fastify`, that of Fastify's documents.
import { fastify } from '@cloister/fastify'
import { openApiDocument } from '@cloister/openapi'
import type { DocumentedApp } from '@cloister/openapi'
import swagger from '@fastify/swagger'
import { cloister } from 'cloister'
import { fastify as fastify5 } from 'fastify5'
import { describe, expect, it } from 'vitest'

/** What the apps of this file need of each framework. */
interface Plain {
  register(plugin: (child: Plain) => Promise<void>, options: object): unknown
  route(options: object): unknown
  get(url: string, handler: () => string): unknown
}

const ok = (): string => 'ok'

/** Routes `/` below a prefix in each form, beside routes that only look like them. */
function fill(app: Plain): void {
  const forms = [undefined, 'both', 'slash', 'no-slash']
  for (const [index, prefixTrailingSlash] of forms.entries()) {
    app.register(
      async (child) => {
        child.route({
          method: ['GET', 'POST'],
          url: '/',
          handler: ok,
          ...(prefixTrailingSlash && { prefixTrailingSlash }),
        })
        child.get('/one', ok)
      },
      { prefix: `/form-${index}` },
    )
  }
  app.register(
    async (child) => {
      for (const url of ['', '/x', '/x/']) child.get(url, ok)
    },
    { prefix: '/own' },
  )
  app.get('/', ok)
}

async function namedBy(app: DocumentedApp & Plain & { ready(): unknown }): Promise<string[]> {
  fill(app)
  await app.ready()
  return Object.keys(openApiDocument(app).paths).sort()
}

/** The paths of the same app in Fastify 5, in the document of its plugin. */
async function namedByFastify(): Promise<string[]> {
  const app = fastify5()
  await app.register(swagger, { openapi: {} })
  fill(app)
  await app.ready()
  // The plugin's types add its decorator to the package `fastify`, not to the one under this name.
  const document: object = Reflect.apply(Reflect.get(app, 'swagger'), app, [])
  return Object.keys(Reflect.get(document, 'paths')).sort()
}

describe('documents name the route / below a prefix', () => {
  it('with the slash under the name fastify, as @fastify/swagger does in Fastify 5', async () => {
    const names = await namedBy(fastify())
    expect(names).toEqual(await namedByFastify())
    expect(names).toEqual(expect.arrayContaining(['/form-0/', '/form-1/', '/form-2/', '/form-3']))
  })

  it('without the slash under the name cloister, or as the option says', async () => {
    const names = await namedBy(cloister())
    expect(names.filter((name) => name.startsWith('/form-') && !name.endsWith('/one'))).toEqual([
      '/form-0',
      '/form-1',
      '/form-2/',
      '/form-3',
    ])
    expect(await namedBy(cloister({ documentedTrailingSlash: 'slash' }))).toEqual(await namedByFastify())
    expect(await namedBy(fastify({ documentedTrailingSlash: 'no-slash' }))).toEqual(names)
  })

  it('by its other path if the document selects only that', async () => {
    for (const app of [cloister(), fastify()]) {
      fill(app)
      await app.ready()
      const paths = (wanted: string): string[] =>
        Object.keys(openApiDocument(app, { select: ({ url }) => url === wanted }).paths)
      expect([paths('/form-0'), paths('/form-0/')]).toEqual([['/form-0'], ['/form-0/']])
    }
  })
})
