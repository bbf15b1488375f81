import type { PageName } from '../options.ts'

/** A file of a package that a page loads. */
export interface PageFile {
  /** Name under the path of the page. */
  readonly name: string
  readonly path: string
  readonly type: 'text/javascript' | 'text/css'
}

/** How a library shows a document. */
export interface Page {
  readonly packageName: string
  readonly files: readonly PageFile[]
  /** Starts the library in the browser; `url` and `nonce` are variables there. */
  readonly start: string
  /** What its content security policy allows in addition to that of all pages. */
  readonly policy: string
}

/** The libraries that can show a document. Fonts, analytics and requests to other hosts are off. */
export const PAGES: Readonly<Record<PageName, Page>> = {
  scalar: {
    packageName: '@scalar/api-reference',
    files: [{ name: 'scalar.js', path: 'dist/browser/standalone.js', type: 'text/javascript' }],
    start: `Scalar.createApiReference('#page', {
    url,
    proxyUrl: '',
    telemetry: false,
    withDefaultFonts: false,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
  })`,
    // It writes `style` attributes, which are less dangerous than `<style>` elements.
    policy: "; style-src-attr 'unsafe-inline'",
  },
  'swagger-ui': {
    packageName: 'swagger-ui-dist',
    files: [
      { name: 'swagger-ui.css', path: 'swagger-ui.css', type: 'text/css' },
      { name: 'swagger-ui.js', path: 'swagger-ui-bundle.js', type: 'text/javascript' },
    ],
    start: `SwaggerUIBundle({ url, dom_id: '#page', deepLinking: true, validatorUrl: null })`,
    policy: '',
  },
  redoc: {
    packageName: 'redoc',
    files: [{ name: 'redoc.js', path: 'bundles/redoc.standalone.js', type: 'text/javascript' }],
    start: `Redoc.init(url, { nonce }, document.getElementById('page'))`,
    // Its search runs in a worker that it creates from a blob.
    policy: '; worker-src blob:',
  },
}

/**
 * Returns the script of a page. Libraries create `<style>` elements while they run, and the policy of the page only
 * allows those with its nonce; so each element gets it.
 */
export function startScript({ start }: Page, documentUrl: string): string {
  return `(() => {
  const nonce = document.currentScript.nonce
  const url = new URL(${JSON.stringify(documentUrl)}, document.currentScript.src).href
  const create = document.createElement
  document.createElement = function createElement(name, options) {
    const element = create.call(this, name, options)
    if (String(name).toLowerCase() === 'style') element.nonce = nonce
    return element
  }
  addEventListener('DOMContentLoaded', () => {
    ${start}
  })
})()
`
}
