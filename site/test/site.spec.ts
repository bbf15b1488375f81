// The built site in Chromium: `npm run test:site`. `SCREENSHOTS=folder` keeps pictures of it.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const built = path.join(import.meta.dirname, '../.built')
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

let server: Server
let origin: string
let browser: Browser
let context: BrowserContext
let page: Page
let problems: string[]

function fileOf(url: string): string | null {
  const name = decodeURIComponent(new URL(url, 'http://a').pathname)
  const found = [name, `${name}.html`, `${name}/index.html`].find(
    (one) => statSync(path.join(built, one), { throwIfNoEntry: false })?.isFile() === true,
  )
  return found === undefined ? null : path.join(built, found)
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const file = fileOf(request.url ?? '/')
    if (file === null) return void response.writeHead(404).end()
    response.writeHead(200, {
      'content-type': TYPES[path.extname(file).slice(1)] ?? 'application/octet-stream',
    })
    response.end(readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const program = PROGRAMS.find((one) => existsSync(one))
  if (program === undefined)
    throw new Error(`Install Chromium or Chrome; none of ${PROGRAMS.join(', ')} exists.`)
  browser = await chromium.launch({
    executablePath: program,
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
})
afterAll(async () => {
  await browser.close()
  server.close()
})
beforeEach(async () => {
  problems = []
  context = await browser.newContext({
    permissions: ['clipboard-read', 'clipboard-write'],
    viewport: { width: 1280, height: 900 },
  })
  page = await context.newPage()
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !/^(data|blob):/.test(request.url()))
      problems.push(`asks ${request.url()}`)
  })
})
afterEach(() => context.close())

/** What axe finds against WCAG 2.1 AA. */
async function violations(): Promise<string[]> {
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

async function picture(name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder !== undefined) await page.screenshot({ path: path.join(folder, `${name}.png`) })
}

const KINDS = [
  '/',
  '/guide/getting-started',
  '/recipes/cors',
  '/options',
  '/errors',
  '/reference/api/interfaces/CloisterInstance',
  '/why/',
  '/evidence/',
  '/benchmarks',
]

describe('the site', () => {
  it.each(KINDS)(
    'shows %s without errors, other hosts or barriers, light and dark, wide and narrow',
    async (url) => {
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme })
        for (const width of [1280, 375]) {
          await page.setViewportSize({ width, height: 900 })
          await page.goto(origin + url, { waitUntil: 'networkidle' })
          await picture(`${url.replaceAll('/', '_')}-${scheme}-${width}`)
          expect(await violations(), `${scheme} ${width}`).toEqual([])
        }
      }
      expect(problems).toEqual([])
    },
  )

  it('has a front page of less than 200 KB, as servers compress it', async () => {
    await page.goto(origin, { waitUntil: 'load' })
    const urls = await page.evaluate(() => [
      location.href,
      ...[...document.querySelectorAll('script[src], link[rel*=stylesheet], link[rel=modulepreload]')].map(
        (element) => Reflect.get(element, 'src') || Reflect.get(element, 'href'),
      ),
    ])
    const sizes = urls.map((url: string) => gzipSync(readFileSync(fileOf(url) ?? '')).byteLength)
    expect(sizes.length).toBeGreaterThan(3)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000)
  })

  it('cuts off no code at 1280 and 375 pixels, no page, and no table at 1280', async () => {
    const pages = readdirSync(built, { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('.html') && !/^(404|playground|reference\/)/.test(name))
    expect(pages.length).toBeGreaterThan(80)
    const cut: string[] = []
    for (const [width, selector] of [
      [1280, '.vp-doc pre, .vp-doc table'],
      [375, '.vp-doc pre'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      for (const name of pages) {
        await page.goto(`${origin}/${name.replace(/(index)?\.html$/, '')}`, { waitUntil: 'load' })
        const found = await page.evaluate(
          (blocks) => [
            ...[...document.querySelectorAll(blocks)]
              .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
              .map(({ tagName, scrollWidth }) => `${tagName} ${scrollWidth}`),
            ...(document.documentElement.scrollWidth > innerWidth ? ['the page'] : []),
          ],
          selector,
        )
        cut.push(...found.map((what) => `${width} ${name}: ${what}`))
      }
    }
    expect(cut).toEqual([])
  })

  it('copies the command on the front page', async () => {
    await page.goto(origin, { waitUntil: 'networkidle' })
    await page.click('.create-command button')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('npm create cloister my-api')
  })

  it('finds an option by its name', async () => {
    await page.goto(`${origin}/guide/getting-started`, { waitUntil: 'networkidle' })
    await page.keyboard.press('Control+k')
    await page.fill('.VPLocalSearchBox input', 'bodyLimit')
    await page.waitForSelector('.VPLocalSearchBox .result')
    expect(await page.textContent('.VPLocalSearchBox .results')).toContain('Production')
  })

  it('copies code', async () => {
    await page.goto(`${origin}/guide/getting-started`, { waitUntil: 'networkidle' })
    await page.hover('.vp-doc div[class*=language-]')
    await page.click('.vp-doc div[class*=language-] button.copy')
    const shown = await page.textContent('.vp-doc div[class*=language-] pre')
    expect((await page.evaluate(() => navigator.clipboard.readText())).trim()).toBe(shown?.trim())
  })

  it('has texts for programs', () => {
    const short = readFileSync(path.join(built, 'llms.txt'), 'utf8')
    for (const [, link = ''] of short.matchAll(/\]\(([^)]+)\)/g)) expect(fileOf(link), link).not.toBeNull()
    expect(readFileSync(path.join(built, 'llms-full.txt'), 'utf8').length).toBeGreaterThan(100_000)
  })
})

const EXPECTED: Record<string, string> = {
  Validation: '201',
  Contexts: '200',
  Unions: '400',
  Errors: '409',
  Events: '200',
}

describe('the playground', () => {
  it.each(Object.keys(EXPECTED))(
    'runs the example %s, and the compiler has nothing against it',
    async (name) => {
      await page.goto(`${origin}/playground`)
      await page.waitForSelector('.playground[data-state=ready]')
      await page.click(`.examples button:has-text("${name}")`)
      await page.waitForFunction(
        (status) => document.querySelector('.panel .status strong')?.textContent === status,
        EXPECTED[name],
      )
      await page.waitForSelector('.playground[data-state=ready]')
      await page.click('[role=tab]:has-text("Stages")')
      expect(await page.textContent('.panel')).toContain(name === 'Unions' ? 'validate' : 'handler')
      await page.click('[role=tab]:has-text("OpenAPI")')
      expect(JSON.parse((await page.textContent('.panel pre')) ?? '')).toHaveProperty('openapi')
      await page.waitForTimeout(1500)
      expect(await page.locator('.squiggly-error').count()).toBe(0)
      await page.click('[role=tab]:has-text("Response")')
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme })
        for (const width of [1280, 375]) {
          await page.setViewportSize({ width, height: 900 })
          if (name === 'Validation') expect(await violations(), `${scheme} ${width}`).toEqual([])
          await picture(`playground-${name}-${scheme}-${width}`)
        }
      }
      expect(problems).toEqual([])
    },
  )

  it('ends a stream when Cancel is chosen', async () => {
    await page.goto(`${origin}/playground`)
    await page.waitForSelector('.playground[data-state=ready]')
    await page.click('.examples button:has-text("Events")')
    await page.click('button:has-text("Cancel")')
    await page.waitForSelector('.playground[data-state=ready]')
    expect(await page.textContent('.panel .body')).not.toContain('"count":8')
  })

  it('marks what the compiler has against the text', async () => {
    await page.goto(`${origin}/playground`)
    await page.waitForSelector('.playground[data-state=ready]')
    await page.click('.monaco-editor .view-lines')
    await page.keyboard.press('Control+End')
    await page.keyboard.insertText('\nconst wrong: number = app.version\n')
    await page.waitForSelector('.squiggly-error')
  })

  it('keeps code in its link, and runs foreign code when it is asked to', async () => {
    await page.goto(`${origin}/playground`)
    await page.waitForSelector('.playground[data-state=ready]')
    await page.click('button:has-text("Copy a link")')
    await page.waitForURL(/#code=/)
    const link = page.url()
    const other = await context.newPage()
    await other.goto(link)
    await other.waitForSelector('.playground[data-state=foreign]')
    expect(await other.locator('.panel .status').count()).toBe(0)
    await other.click('button.brand:has-text("Run")')
    await other.waitForSelector('.panel .status')
  })
})

it('has every page of the folder docs', () => {
  const pages = readdirSync(path.join(import.meta.dirname, '../../docs/guide')).map(
    (file) => `/guide/${file.replace(/(README)?\.md$/, '')}`,
  )
  expect(pages.filter((url) => fileOf(url) === null)).toEqual([])
})
