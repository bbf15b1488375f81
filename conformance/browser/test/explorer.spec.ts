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
    app.addHook('onRequest', async function authenticate(request, reply) {
      if (request.headers['x-key'] === 'wrong') return reply.code(401).send({ message: 'the key is wrong' })
      return undefined
    })
    app.decorateRequest('user', null)
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
  app.register(
    async function shop(child) {
      child.addHook('preHandler', async function loadCart() {})
      child.register(async function orders(inner) {
        const body = {
          type: 'object',
          required: ['kind', 'amount'],
          additionalProperties: false,
          properties: {
            kind: { type: 'string', enum: ['book', 'map'] },
            amount: { type: 'integer', minimum: 1, maximum: 9 },
            gift: { type: 'boolean' },
            note: { type: 'string', maxLength: 200 },
          },
        } as const
        const querystring = { type: 'object', properties: { dry: { type: 'boolean' } } } as const
        inner.post('/orders', { schema: { body, querystring } }, async function order(request) {
          return { got: request.body, query: request.query }
        })
        const form = {
          type: 'object',
          required: ['title', 'cover'],
          properties: { title: { type: 'string' }, cover: { type: 'string', format: 'binary' } },
        } as const
        inner.post(
          '/covers',
          { schema: { body: { content: { 'multipart/form-data': { schema: form } } } } },
          async function addCover(request) {
            return { title: request.body.title, name: request.body.cover.name }
          },
        )
      })
      const tick = { type: 'object', properties: { tick: { type: 'integer' } } } as const
      const response = { 200: { content: { 'text/event-stream': { schema: tick } } } } as const
      child.get('/ticks', { schema: { response } }, async function* ticks() {
        for (let count = 1; ; count++) {
          yield { tick: count }
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
      })
    },
    { prefix: '/shop' },
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
    await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { name, exact: true }).waitFor()
    await page.getByRole('button', { name: 'Send' }).waitFor()
  }

  it('shows what a route runs, with links that open the editor', async () => {
    await choose('GET /users/:id')
    const hooks = page.getByRole('table', { name: 'Hooks' })
    expect(await hooks.getByRole('row').nth(1).innerText()).toMatch(/onRequest\s+authenticate\s+root > auth/)
    const links = await page
      .locator('main a[href^="vscode:"]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
    expect(links.length).toBeGreaterThan(2)
    for (const link of links) {
      const [, file = ''] = /^vscode:\/\/file(.*):\d+$/.exec(link) ?? []
      expect(existsSync(file)).toBe(true)
    }
  })

  it('finds routes by what they run, with the keyboard alone', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'GET /users/:id' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('adduser')
    expect(await page.locator('.count').innerText()).toMatch(/^[12] of \d+ routes$/)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'POST /users' }).waitFor()
    // The filter is kept while the page is loaded again, and so is the place.
    await page.reload()
    await page.getByRole('heading', { name: 'POST /users' }).waitFor()
    expect(await page.getByLabel('Find').inputValue()).toBe('adduser')
  })

  it('sends a request through the socket, and shows the response beside the stages that ran', async () => {
    await choose('POST /users')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('#result .done').waitFor()
    expect(await page.locator('#result .done').innerText()).toMatch(/^201 Created in /)
    const stages = await page.locator('.stage-name').allInnerTexts()
    expect(stages).toEqual([
      'deadline',
      'onRequest',
      'authenticate',
      'readBody',
      'parseBody',
      'validate',
      'expectStatus',
      'handler addUser',
      'checkStatus',
      'serialize',
      'write',
    ])
    expect(await page.locator('#result pre').innerText()).toContain('"name": "Grace"')
  })

  it('shows why a request is refused, and that the handler did not run', async () => {
    await choose('POST /users')
    await page.getByLabel('Body', { exact: true }).fill('{"name":""}')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('#result > .failed').waitFor()
    expect(await page.locator('#result > .failed').innerText()).toMatch(/^400 Bad Request in /)
    expect(await page.locator('.stages').innerText()).not.toContain('handler')
    expect(await page.locator('#result').innerText()).toContain('Refused by the stage validate.')
    // Chromium writes a line about every response of 400 and more.
    expect(complaints.filter((text) => !text.includes('400'))).toEqual([])
  })

  it('names the hook that refuses a request', async () => {
    await choose('GET /users/:id')
    await page.getByLabel('Headers, one a line').fill('x-key: wrong')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Refused by the hook authenticate (onRequest).').waitFor()
  })

  it('draws contexts inside each other, and lights up what a request passes, in order', async () => {
    await choose('POST /shop/orders')
    const rooms = page.locator('.room.lit > .room-name b')
    expect(await rooms.allInnerTexts()).toEqual(['root', 'shop', 'orders'])
    const lit = await page.locator('.chip.lit, .door.lit').allInnerTexts()
    expect(
      lit.map((text) =>
        text
          .replace(/^(\d+)/, '$1 ')
          .replaceAll(/\s+/g, ' ')
          .trim(),
      ),
    ).toEqual(['1 onRequest authenticate', '2 preHandler loadCart', '3 POST /shop/orders'])
    const inside = page.getByRole('region', { name: 'context root > shop > orders', exact: true })
    expect(await inside.getByRole('link').allInnerTexts()).toEqual([
      '3POST /shop/orders',
      'POST /shop/covers',
    ])
    await choose('GET /users/:id')
    expect(await rooms.allInnerTexts()).toEqual(['root', 'users'])
  })

  it('has an address for each route, and goes back', async () => {
    await choose('GET /users/:id')
    await choose('POST /users')
    await page.goBack()
    await page.getByRole('heading', { name: 'GET /users/:id' }).waitFor()
    expect(await page.locator('nav [aria-current]').innerText()).toBe('GET /users/:id')
    await page.goto(`${origin}/_explorer#POST%20/shop/orders`)
    await page.getByRole('heading', { name: 'POST /shop/orders' }).waitFor()
    await page.goto(`${origin}/_explorer#GET%20/none`)
    await page.getByText('There is no route at #GET /none.').waitFor()
  })

  it('shows schemas as tables and as JSON', async () => {
    await choose('POST /shop/orders')
    const rows = page.getByRole('table', { name: 'Schema of body, application/json' }).getByRole('row')
    const texts = (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim())
    expect(texts).toContain('kind string required one of "book", "map"')
    expect(texts).toContain('amount integer required minimum 1 · maximum 9')
    expect(texts).toContain('note string maxLength 200')
    await page.locator('.schema', { hasText: 'body' }).getByText('JSON', { exact: true }).click()
    expect(await page.getByLabel('Schema of body, application/json as JSON').innerText()).toContain(
      '"maximum": 9',
    )
  })

  it('has a form made of the schema: choices, what is required, free queries', async () => {
    await choose('POST /shop/orders')
    expect(await page.getByLabel('kind').locator('option').allInnerTexts()).toEqual(['book', 'map'])
    expect(await page.getByLabel('kind').getAttribute('aria-required')).toBe('true')
    await page.getByLabel('kind').selectOption('map')
    await page.getByLabel('amount').fill('3')
    await page.getByLabel('gift').selectOption('true')
    await page.getByLabel('dry (query)').selectOption('true')
    await page.getByLabel('More query parameters').fill('tag=a b')
    expect(await page.getByLabel('URL').inputValue()).toBe('/shop/orders?dry=true&tag=a+b')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('#result .done').waitFor()
    const body: unknown = JSON.parse(await page.locator('#result pre').innerText())
    expect(body).toMatchObject({ got: { kind: 'map', amount: 3, gift: true }, query: { dry: true } })
  })

  it('sends files', async () => {
    await choose('POST /shop/covers')
    await page.getByLabel('title').fill('Flatland')
    const file = { name: 'cover.png', mimeType: 'image/png', buffer: Buffer.from('png') }
    await page.getByLabel('cover').setInputFiles(file)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('#result .done').waitFor()
    const text = await page.locator('#result pre').innerText()
    expect(JSON.parse(text)).toEqual({ title: 'Flatland', name: 'cover.png' })
  })

  it('shows a stream as it comes, until it is cancelled', async () => {
    await choose('GET /shop/ticks')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('#result pre', { hasText: '"tick":3' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText(/^Cancelled after/).waitFor()
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0)
  })

  it.each([
    [1280, 1480],
    [768, 1480],
    [375, 1480],
  ])('fits into %i pixels, and keeps pictures of it where they are wanted', async (width, height) => {
    await page.setViewportSize({ width, height })
    await choose('POST /shop/orders')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('#result .stage').first().waitFor()
    const tooWide: unknown = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')
    expect(tooWide).toBe(false)
    const folder = process.env['SCREENSHOTS']
    if (folder === undefined) return
    // The lights have come on one after another.
    await page.waitForTimeout(800)
    await page.screenshot({
      path: path.join(folder, `explorer-${colorScheme}-${width}.png`),
    })
  })

  it('prints what it shows, without the list and the form', async () => {
    await choose('POST /shop/orders')
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('nav').isVisible()).toBe(false)
    expect(await page.getByRole('table', { name: 'Hooks' }).isVisible()).toBe(true)
    expect(await page.locator('.plan').isVisible()).toBe(true)
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
