// The built site in Chromium, for the tests of `npm run test:site`. `SCREENSHOTS=folder` keeps pictures of it.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'

export const built = path.join(import.meta.dirname, '../.built')
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const TYPES: Record<string, string> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  json: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
  txt: 'text/plain',
}

/** A file that the page has loaded, with its size as it is and as servers compress it. */
export interface Loaded {
  readonly name: string
  readonly bytes: number
  readonly compressed: number
}

/** What each test of a file has. */
export interface Site {
  origin: string
  context: BrowserContext
  page: Page
  /** What the browser complains about, and requests to other hosts. */
  problems: string[]
  /** What the server has sent in this test, workers and pages alike. */
  loaded: Loaded[]
}

/** The file of a path of the site; `null` if there is none. */
export function fileOf(url: string): string | null {
  const name = decodeURIComponent(new URL(url, 'http://a').pathname)
  const found = [name, `${name}.html`, `${name}/index.html`].find(
    (one) => statSync(path.join(built, one), { throwIfNoEntry: false })?.isFile() === true,
  )
  return found === undefined ? null : path.join(built, found)
}

/** Serves the built site, and opens a page of it before each test. */
export function openSite(): Site {
  const site = { origin: '', problems: [], loaded: [] } as unknown as Site
  let browser: Browser
  const server = createServer((request, response) => {
    const file = fileOf(request.url ?? '/')
    if (file === null) return void response.writeHead(404).end()
    const content = readFileSync(file)
    const compressed = gzipSync(content).byteLength
    site.loaded.push({ name: path.relative(built, file), bytes: content.byteLength, compressed })
    response.writeHead(200, {
      'content-type': TYPES[path.extname(file).slice(1)] ?? 'application/octet-stream',
    })
    response.end(content)
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    site.origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    browser = await launch()
  })
  afterAll(async () => {
    await browser.close()
    server.close()
  })
  beforeEach(async () => {
    site.problems = []
    site.loaded = []
    site.context = await browser.newContext({
      permissions: ['clipboard-read', 'clipboard-write'],
      viewport: { width: 1280, height: 900 },
    })
    site.page = await site.context.newPage()
    site.page.on('console', (message) => {
      if (message.type() === 'error') site.problems.push(message.text())
    })
    site.page.on('pageerror', (error) => site.problems.push(String(error)))
    site.page.on('request', (request) => {
      if (!request.url().startsWith(site.origin) && !/^(data|blob):/.test(request.url()))
        site.problems.push(`asks ${request.url()}`)
    })
  })
  afterEach(() => site.context.close())
  return site
}

function launch(): Promise<Browser> {
  const executablePath = PROGRAMS.find((one) => existsSync(one))
  if (executablePath === undefined)
    throw new Error(`Install Chromium or Chrome; none of ${PROGRAMS.join(', ')} exists.`)
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

/** What axe finds against WCAG 2.1 AA. */
export async function violations({ page }: Site): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const { violations: found } = await Reflect.get(globalThis, 'axe').run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'],
    })
    return found.map(
      ({ id, nodes }: { id: string; nodes: { html: string }[] }) =>
        `${id}: ${nodes.map(({ html }) => html.slice(0, 80)).join(' ')}`,
    )
  })
}

/** Keeps a picture, if pictures are wanted. */
export async function picture({ page }: Site, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder !== undefined) await page.screenshot({ path: path.join(folder, `${name}.png`) })
}
