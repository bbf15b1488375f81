import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'

import { definePlugin } from 'cloister'
import type { Cloister, Context, DefinedPlugin } from 'cloister'

import { OpenApiError } from '../errors.ts'
import { SETTINGS } from '../document/create-document.ts'
import { openApiDocument } from '../openapi-document.ts'
import { checkPluginOptions, documentOptionsOf } from '../options.ts'
import type { OpenApiOptions } from '../options.ts'
import { toYaml } from '../packages.ts'
import type { OpenApiDocument } from '../types.ts'
import { findAssets } from './assets.ts'
import { htmlOf, policyOf, relativeTo } from './html.ts'
import { PAGES, startScript } from './pages.ts'

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
  encapsulate: true,
  plugin: async (app, options) => {
    checkPluginOptions(options)
    const served = new ServedDocument()
    app.addHook('onReady', async () => served.set(openApiDocument(app, documentOptionsOf(options))))
    serveDocument(app, options, served)
    if (options.ui !== false) servePage(app, options, served)
  },
})

const HIDDEN = { hide: true } as const
/** Browsers must not guess another type for these responses. */
const TYPED = { 'x-content-type-options': 'nosniff' } as const
/** Only the page's own origin may use it and its scripts; others may use the document if the app allows it. */
const OWN = { ...TYPED, 'cross-origin-resource-policy': 'same-origin' } as const
const JSON_PATH = '/openapi.json'

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
  const { path = JSON_PATH, yamlPath = '/openapi.yaml' } = options
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

function servePage(app: App, options: OpenApiOptions, served: ServedDocument): void {
  const { path = JSON_PATH, ui = 'scalar', uiPath = '/docs' } = options
  const page = PAGES[ui === false ? 'scalar' : ui]
  const assets = findAssets(page, String(ui))
  const folder = uiPath.replace(/\/$/, '')
  const base = relativeTo(folder, folder)
  const script = startScript(page, relativeTo(`${folder}/start.js`, path))
  const servePageAt = (url: string): unknown =>
    app.get(url, { schema: HIDDEN }, (request, reply) => {
      const nonce = randomBytes(16).toString('base64url')
      const { info } = served.document
      return (
        reply
          .type('text/html; charset=utf-8')
          .headers({ ...OWN, 'cache-control': 'no-store' })
          .header('content-security-policy', policyOf(page, served.document, nonce))
          .header('referrer-policy', 'no-referrer')
          // Links are relative to the last slash of the URL, and clients may write one at its end.
          .send(htmlOf(info.title, /^[^?;]*\/(?:[?;]|$)/.test(request.url) ? '.' : base, assets, nonce))
      )
    })
  servePageAt(uiPath)
  const other = uiPath === folder ? `${folder}/` : folder
  if (other !== '' && !app.hasRoute({ method: 'GET', url: app.prefix + other })) servePageAt(other)
  app.get(`${folder}/start.js`, { schema: HIDDEN }, (_request, reply) =>
    reply
      .headers({ ...OWN, 'cache-control': 'no-cache' })
      .type('text/javascript; charset=utf-8')
      .send(script),
  )
  for (const { file, location, integrity } of assets) {
    const etag = `"${integrity}"`
    app.get(`${folder}/${file.name}`, { schema: HIDDEN }, async (request, reply) => {
      reply.headers({ ...OWN, etag, 'cache-control': 'no-cache' })
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      return reply.type(`${file.type}; charset=utf-8`).send(await readFile(location))
    })
  }
}
