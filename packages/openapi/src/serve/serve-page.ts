import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'

import type { Cloister, Context } from 'cloister'

import type { OpenApiOptions } from '../options.ts'
import type { OpenApiDocument } from '../types.ts'
import { findAssets, findPackage } from './assets.ts'
import { htmlOf, linksHtmlOf, linkTo, LINKS_POLICY, policyOf, relativeTo } from './html.ts'
import { PAGES, startScript } from './pages.ts'

export const HIDDEN = { hide: true } as const
/** Browsers must not guess another type for these responses. */
export const TYPED = { 'x-content-type-options': 'nosniff' } as const
/** Only the page's own origin may use it and its scripts; others may use the document if the app allows it. */
const OWN = { ...TYPED, 'cross-origin-resource-policy': 'same-origin' } as const
export const JSON_PATH = '/openapi.json'
export const YAML_PATH = '/openapi.yaml'
const PAGE_PATH = '/docs'
const DEFAULT_PAGE = 'scalar'

type App = Cloister<Context>
type ReadDocument = () => OpenApiDocument

interface Html {
  readonly text: string
  /** Its content security policy. */
  readonly policy: string
}

/**
 * Serves the page that the options choose. The default page is often not installed in production: then this page
 * links to the document.
 *
 * @throws OpenApiError `CLO_ERR_OPENAPI_PACKAGE` when the package of a page that is named is not installed
 */
export function servePage(app: App, options: OpenApiOptions, read: ReadDocument): void {
  const { ui } = options
  const isInstalled = findPackage(PAGES[DEFAULT_PAGE].packageName) !== undefined
  if (ui === undefined && !isInstalled) serveLinks(app, options, read)
  else serveViewer(app, options, read)
}

function serveViewer(app: App, options: OpenApiOptions, read: ReadDocument): void {
  const { path = JSON_PATH, ui, uiPath = PAGE_PATH } = options
  const name = ui === undefined || ui === false ? DEFAULT_PAGE : ui
  const page = PAGES[name]
  const assets = findAssets(page, name)
  const folder = uiPath.replace(/\/$/, '')
  const script = startScript(page, relativeTo(`${folder}/start.js`, path))
  serveHtml(app, uiPath, (base) => {
    const nonce = randomBytes(16).toString('base64url')
    return { text: htmlOf(read().info.title, base, assets, nonce), policy: policyOf(page, read(), nonce) }
  })
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

function serveLinks(app: App, options: OpenApiOptions, read: ReadDocument): void {
  const { path = JSON_PATH, yamlPath = YAML_PATH, uiPath = PAGE_PATH } = options
  const paths = yamlPath === false ? [path] : [path, yamlPath]
  const folder = uiPath.replace(/\/$/, '')
  serveHtml(app, uiPath, (base) => {
    const links = paths.map((target) => linkTo(base, folder, target))
    const text = linksHtmlOf(read(), links, PAGES[DEFAULT_PAGE].packageName)
    return { text, policy: LINKS_POLICY }
  })
}

/** Serves HTML with a slash at the end of the path and without; `base` leads from the URL to the page's folder. */
function serveHtml(app: App, uiPath: string, htmlAt: (base: string) => Html): void {
  const folder = uiPath.replace(/\/$/, '')
  const below = relativeTo(folder, folder)
  const serveAt = (url: string): unknown =>
    app.get(url, { schema: HIDDEN }, (request, reply) => {
      // Links are relative to the last slash of the URL, and clients may write one at its end.
      const { text, policy } = htmlAt(/^[^?;]*\/(?:[?;]|$)/.test(request.url) ? '.' : below)
      return reply
        .type('text/html; charset=utf-8')
        .headers({ ...OWN, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
        .header('content-security-policy', policy)
        .send(text)
    })
  serveAt(uiPath)
  const other = uiPath === folder ? `${folder}/` : folder
  if (other !== '' && !app.hasRoute({ method: 'GET', url: app.prefix + other })) serveAt(other)
}
