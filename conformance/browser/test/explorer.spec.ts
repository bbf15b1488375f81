// The page of `@cloister/explorer` in Chromium, over a socket. `SCREENSHOTS=folder` keeps pictures of it.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { explorer } from '@cloister/explorer'
import { websocket } from '@cloister/websocket'
import { cloister, definePlugin, sse } from 'cloister'
import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds on the page. */
const FOUND_BY_AXE = `${axe};axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))`

/** The words of the page that a line breaks within, except in its code, where each character counts. */
const BROKEN_WORDS = `(() => {
  const broken = []
  const walker = document.createTreeWalker(document.getElementById('root'), NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.parentElement.closest('pre, textarea, select, .hidden, .events code') !== null) continue
    const text = node.data
    const range = document.createRange()
    let above = null
    for (let at = 0; at < text.length; at++) {
      range.setStart(node, at)
      range.setEnd(node, at + 1)
      const box = range.getClientRects()[0]
      const isNew = above !== null && box !== undefined && box.top > above.bottom - 2
      if (isNew && /[a-zA-Z0-9]/.test(text[at - 1]) && /[a-z0-9]/.test(text[at])) broken.push(text)
      if (box !== undefined) above = box
    }
  }
  return broken
})()`

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
      child.addHook('preHandler', async function loadCart(request, reply) {
        if (request.url.endsWith('/closed')) return reply.code(403).send({ message: 'the room is closed' })
        return undefined
      })
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
      child.get('/ticks', { schema: { response } }, async function* ticks(request) {
        const last = Number(request.headers['last-event-id'] ?? 0)
        for (let count = last + 1; ; count++) {
          yield sse({ data: { tick: count }, event: 'tick', id: count })
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
      })
      const incoming = {
        type: 'object',
        required: ['text'],
        properties: { text: { type: 'string', pattern: '^[a-z]{2,8}$' } },
      } as const
      const outgoing = { type: 'object', properties: { echo: { type: 'string' } } } as const
      const sockets = await child.register(websocket)
      sockets.ws(
        '/rooms/:room',
        { schema: { incoming, outgoing }, protocols: ['notes.1'] },
        async function talk(socket, request) {
          for await (const { text } of socket) await socket.send({ echo: `${request.params.room}: ${text}` })
        },
      )
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

  async function choose(name: string, button = 'Send'): Promise<void> {
    await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { name, exact: true }).waitFor()
    await page.getByRole('button', { name: button, exact: true }).waitFor()
  }

  /** Keeps a picture where they are wanted, when the lights have come on one after another. */
  async function keep(name: string): Promise<void> {
    const folder = process.env['SCREENSHOTS']
    if (folder === undefined) return
    await page.waitForTimeout(1500)
    await page.screenshot({ path: path.join(folder, `${name}-${colorScheme}.png`) })
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

  it('shows events with their ids as they come, until the stream is closed, and opens it again there', async () => {
    await choose('GET /shop/ticks events', 'Open')
    expect(await page.getByRole('table', { name: 'Schema of each event, data' }).isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Open' }).click()
    const events = page.locator('.events tbody tr')
    await events.nth(2).waitFor()
    expect((await events.nth(2).locator('td').allInnerTexts()).slice(0, 3)).toEqual([
      '3',
      'tick',
      '{"tick":3}',
    ])
    // The picture shows the way of a request whose response goes on.
    await page.locator('.way li', { hasText: 'handler ticks' }).waitFor()
    await page.getByRole('button', { name: 'Close the stream' }).click()
    await page.getByText(/^Cancelled after/).waitFor()
    expect(await page.getByRole('button', { name: 'Close the stream' }).count()).toBe(0)
    const last = Number(await events.last().locator('td').first().innerText())
    await page.getByRole('button', { name: `Open again after event ${last}` }).click()
    await page.getByRole('cell', { name: String(last + 1), exact: true }).waitFor()
    expect(await events.first().locator('td').first().innerText()).toBe(String(last + 1))
  })

  it('opens a WebSocket, sends the sample message and shows what comes back', async () => {
    await choose('WS /shop/rooms/:room', 'Connect')
    for (const side of ['incoming', 'outgoing'])
      expect(await page.getByRole('table', { name: `Schema of ${side} message` }).isVisible()).toBe(true)
    await page.getByLabel('room (path)').fill('blue')
    await page.getByLabel('Subprotocol').selectOption('notes.1')
    expect(await page.getByRole('button', { name: 'Send the message' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByText('Connected, with the protocol notes.1.').waitFor()
    await page.locator('.way li', { hasText: 'handler talk' }).waitFor()
    await page.locator('.chip.lit', { hasText: 'authenticate' }).locator('.ms').waitFor()
    await page.getByRole('button', { name: 'Send the message' }).click()
    const received = page.locator('.messages .received pre')
    await received.waitFor()
    expect(JSON.parse(await received.innerText())).toEqual({
      echo: expect.stringMatching(/^blue: [a-z]{2,8}$/),
    })
    await page.getByLabel('Message', { exact: true }).fill('{"text":"NOT SMALL"}')
    await page.getByRole('button', { name: 'Send the message' }).click()
    await page.getByText(/^Closed with 1008: message 2: \/text must match/).waitFor()
    expect(await page.locator('.messages li').evaluateAll((all) => all.map((one) => one.className))).toEqual([
      'sent',
      'received',
      'sent',
      'closed',
    ])
    expect(complaints).toEqual([])
    // The cookie of the handshake is gone.
    expect(await page.context().cookies()).toEqual([])
  })

  it('says what refuses a handshake', async () => {
    await choose('WS /shop/rooms/:room', 'Connect')
    await page.getByLabel('room (path)').fill('closed')
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByText('The handshake was refused. Refused by the hook loadCart (preHandler).').waitFor()
    await page.locator('.chip.refused', { hasText: 'loadCart' }).waitFor()
  })

  it('draws the way of a request with its times into the picture, and what refused it', async () => {
    await choose('POST /shop/orders')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('.way li').first().waitFor()
    expect(await page.locator('.outcome').innerText()).toMatch(/^POST \/shop\/orders → 200 OK in [\d.]+ ms$/)
    const steps = await page
      .locator('.chip.lit, .way li')
      .evaluateAll((all) => all.map((one) => one.textContent?.replace(/\s+/g, ' ').trim() ?? ''))
    const ordered = steps.toSorted((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10))
    const names = ordered.map((text) => text.replace(/^\d+ ?/, '').replace(/ \d+\.\d+ ms$/, ''))
    expect(names).toEqual([
      'deadline',
      'onRequest authenticate',
      'readBody',
      'parseBody',
      'validate',
      'preHandler loadCart',
      'handler order',
      'serialize',
      'write',
    ])
    for (const text of ordered) expect(text).toMatch(/ \d+\.\d\d ms$/)
    await page.getByLabel('Headers, one a line').fill('x-key: wrong')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('.chip.refused', { hasText: 'authenticate' }).waitFor()
    expect(await page.locator('.chip.unreached').innerText()).toContain('loadCart')
    expect(await page.locator('.door.unreached').innerText()).toContain('/shop/orders')
  })

  it('shows the picture alone and large, until Escape', async () => {
    await choose('POST /shop/orders')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('.way li').first().waitFor()
    const heightOf = async () => (await page.locator('.way li').first().boundingBox())?.height ?? 0
    const before = await heightOf()
    await page.getByRole('button', { name: 'Large picture' }).click()
    expect(await page.locator('nav').isVisible()).toBe(false)
    expect(await heightOf()).toBeGreaterThan(1.3 * before)
    expect(await page.evaluate(FOUND_BY_AXE)).toEqual([])
    await keep('explorer-large')
    await page.keyboard.press('Escape')
    expect(await page.locator('nav').isVisible()).toBe(true)
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
    expect(await page.evaluate(BROKEN_WORDS)).toEqual([])
    await keep(`explorer-${width}`)
    await choose('WS /shop/rooms/:room', 'Connect')
    await page.getByLabel('room (path)').fill('blue')
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByRole('button', { name: 'Send the message' }).click()
    await page.locator('.messages .received').waitFor()
    expect(await page.evaluate(BROKEN_WORDS)).toEqual([])
    expect(await page.evaluate(FOUND_BY_AXE)).toEqual([])
    await page.locator('.messages').scrollIntoViewIfNeeded()
    await keep(`explorer-socket-${width}`)
    await choose('GET /shop/ticks events', 'Open')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.locator('.events tbody tr').nth(2).waitFor()
    await page.getByRole('button', { name: 'Close the stream' }).click()
    expect(await page.evaluate(BROKEN_WORDS)).toEqual([])
    expect(await page.evaluate(FOUND_BY_AXE)).toEqual([])
    await page.locator('.events').scrollIntoViewIfNeeded()
    await keep(`explorer-events-${width}`)
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
    expect(await page.evaluate(FOUND_BY_AXE)).toEqual([])
    expect(complaints).toEqual([])
  })
})
