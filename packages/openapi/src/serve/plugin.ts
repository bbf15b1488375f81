import { createHash } from 'node:crypto'

import { definePlugin } from 'cloister'
import type { Cloister, Context, DefinedPlugin } from 'cloister'

import { OpenApiError } from '../errors.ts'
import { SETTINGS } from '../document/create-document.ts'
import { openApiDocument } from '../openapi-document.ts'
import { checkPluginOptions, documentOptionsOf } from '../options.ts'
import type { OpenApiOptions } from '../options.ts'
import { toYaml } from '../packages.ts'
import type { OpenApiDocument } from '../types.ts'
import { HIDDEN, JSON_PATH, servePage, TYPED, YAML_PATH } from './serve-page.ts'

/**
 * Serves the OpenAPI document of the app, as JSON and YAML, and a page that shows it. The document is created when
 * the app is ready; if something cannot be documented, the boot fails.
 *
 * @throws {@link OpenApiError} like `openApiDocument`, when the app starts
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { openapi } from '@cloister/openapi'
 *
 * const app = cloister()
 * app.register(openapi, { info: { title: 'Books', version: '1.0.0' }, ui: false })
 * app.get('/books', () => [])
 * const response = await app.inject('/openapi.json')
 * ```
 */
export const openapi: DefinedPlugin<{ options: OpenApiOptions }> = definePlugin<{ options: OpenApiOptions }>({
  name: '@cloister/openapi',
  ownOptions: true,
  encapsulate: true,
  plugin: async (app, options) => {
    checkPluginOptions(options)
    const served = new ServedDocument()
    app.addHook('onReady', async () => served.set(openApiDocument(app, documentOptionsOf(options))))
    serveDocument(app, options, served)
    if (options.ui !== false) servePage(app, options, () => served.document)
  },
})

class ServedDocument {
  #document: OpenApiDocument | null = null
  #json = ''
  #etag = ''
  #yaml: string | null = null

  set(document: OpenApiDocument): void {
    this.#document = document
    this.#json = JSON.stringify(document)
    this.#etag = `"${createHash('sha256').update(this.#json).digest('base64url').slice(0, 27)}"`
  }

  /** @throws OpenApiError when the app is not ready */
  get document(): OpenApiDocument {
    if (this.#document !== null) return this.#document
    throw new OpenApiError('CLO_ERR_OPENAPI_OPTION', 'the document is made when the app is ready')
  }

  get json(): string {
    return this.#json
  }

  get yaml(): string {
    return (this.#yaml ??= toYaml(this.document))
  }

  get etag(): string {
    return this.#etag
  }
}

type App = Cloister<Context>

function serveDocument(app: App, options: OpenApiOptions, served: ServedDocument): void {
  const { path = JSON_PATH, yamlPath = YAML_PATH } = options
  const config = { [SETTINGS]: documentOptionsOf(options) }
  const serve = (url: string, type: string, text: () => string): void => {
    app.get(url, { schema: HIDDEN, config }, (request, reply) => {
      reply.headers({ ...TYPED, etag: served.etag, 'cache-control': 'no-cache' })
      if (request.headers['if-none-match'] === served.etag) return reply.code(304).send()
      return reply.type(type).send(text())
    })
  }
  serve(path, 'application/json; charset=utf-8', () => served.json)
  if (yamlPath !== false) serve(yamlPath, 'application/yaml', () => served.yaml)
}
