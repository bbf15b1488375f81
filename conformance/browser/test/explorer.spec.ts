// The page of `@cloister/explorer` in Chromium, over a socket. `SCREENSHOTS=folder` keeps pictures of it.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { explorer } from '@cloister/explorer'
import { cloister, definePlugin } from 'cloister'
import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const auth = definePlugin({
  name: 'auth',
  encapsulate: false,
  plugin: async (app) => {
    app.addHook('onRequest', async function authenticate() {})
  },
})

function createApp() {
  const user = {
    $id: 'user',
    type: 'object',
    required: ['id', 'name'],
    properties: { id: { type: 'integer' }, name: { type: 'string', minLength: 1 } },
  } as const
  const app = cloister({ strict: true }).addSchema(user)
  app.register(explorer)
  app.register(auth)
  app.register(
    async function users(child) {
      const params = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } } as const
      child.get(
        '/:id',
        { schema: { params, response: { 200: { $ref: 'user#' } } } },
        async function readUser() {
          return { id: 1, name: 'Ada' }
        },
      )
      const body = {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string', minLength: 1 } },
      } as const
      child.post(
        '/',
        { schema: { body, response: { 201: { $ref: 'user#' } } } },
        async function addUser(_request, reply) {
          return reply.code(201).send({ id: 2, name: 'Grace' })
        },
      )
    },
    { prefix: '/users' },
  )
  return app
}

let browser: Browser
beforeAll(async () => {
  const executablePath = process.env['CHROMIUM'] ?? PROGRAMS.find((file) => existsSync(file))
  if (executablePath === undefined)
    throw new Error('there is no Chromium; install it, or name it in CHROMIUM')
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
})
afterAll(() => browser.close())

describe.each(['light', 'dark'] as const)('the explorer, %s', (colorScheme) => {
  const app = createApp()
  const complaints: string[] = []
  let page: Page
  let origin = ''
  beforeAll(async () => {
    origin = await app.listen({ port: 0 })
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    complaints.length = 0
    page = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 900 } })
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', ({ message }) => complaints.push(message))
    await page.goto(`${origin}/_explorer`)
  })
  afterEach(() => page.close())

  async function choose(name: string): Promise<void> {
    await page.getByRole('button', { name, exact: true }).click()
    await page.getByRole('button', { name: 'Send' }).waitFor()
  }

  it('shows what a route runs, with links that open the editor', async () => {
    await choose('GET /users/:id')
    const hooks = page.getByRole('table', { name: 'Hooks' })
    expect(await hooks.getByRole('row').nth(1).innerText()).toMatch(/onRequest\s+authenticate\s+root > auth/)
    const links = await page
      .locator('main a')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
    expect(links.length).toBeGreaterThan(2)
    for (const link of links) {
      const [, file = ''] = /^vscode:\/\/file(.*):\d+$/.exec(link) ?? []
      expect(existsSync(file)).toBe(true)
    }
  })

  it('finds routes by what they run, with the keyboard alone', async () => {
    await page.getByRole('button', { name: 'GET /users/:id' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('adduser')
    expect(await page.locator('.count').innerText()).toMatch(/^[12] of \d+ routes$/)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'POST /users' }).waitFor()
  })

  it('sends a request through the socket, and shows the response beside the stages that ran', async () => {
    await choose('POST /users')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('#result .done').waitFor()
    expect(await page.locator('#result .done').innerText()).toMatch(/^201 Created in /)
    const stages = await page.locator('.stages li').allInnerTexts()
    expect(stages.map((text) => text.split(' ')[0])).toEqual([
      'deadline',
      'onRequest',
      'readBody',
      'parseBody',
      'validate',
      'expectStatus',
      'handler',
      'checkStatus',
      'serialize',
      'write',
    ])
    expect(await page.locator('#result pre').innerText()).toContain('"name": "Grace"')
    const folder = process.env['SCREENSHOTS']
    if (folder !== undefined)
      await page.screenshot({ path: path.join(folder, `explorer-${colorScheme}.png`), fullPage: true })
  })

  it('shows why a request is refused, and that the handler did not run', async () => {
    await choose('POST /users')
    await page.getByLabel('Body').fill('{"name":""}')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('#result .failed').waitFor()
    expect(await page.locator('#result .failed').innerText()).toMatch(/^400 Bad Request in /)
    expect(await page.locator('.stages').innerText()).not.toContain('handler')
    // Chromium writes a line about every response of 400 and more.
    expect(complaints.filter((text) => !text.includes('400'))).toEqual([])
  })

  it('has no violation that axe finds, and no complaint of the browser', async () => {
    await choose('POST /users')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('#result .done').waitFor()
    const found: unknown = await page.evaluate(
      `${axe};axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))`,
    )
    expect(found).toEqual([])
    expect(complaints).toEqual([])
  })
})
