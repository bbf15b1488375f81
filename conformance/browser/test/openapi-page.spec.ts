// The page of an OpenAPI document in Chromium: it shows the routes, and its policy is never violated.
import { existsSync } from 'node:fs'
import { openapi } from '@cloister/openapi'
import { cloister } from 'cloister'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const program = PROGRAMS.find((one) => existsSync(one))

describe('the page of an OpenAPI document in a browser', () => {
  const app = cloister({ strict: true })
  let browser: Browser
  let origin: string

  beforeAll(async () => {
    if (program === undefined) throw new Error(`no Chromium among ${PROGRAMS.join(', ')}`)
    app.register(openapi, { info: { title: 'Books', version: '1.0.0' }, ui: 'swagger-ui' })
    app.get(
      '/books/:id',
      {
        schema: {
          summary: 'Read a book',
          params: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
          response: { 200: { type: 'object', properties: { title: { type: 'string' } } } },
        },
      },
      () => ({ title: 'Emma' }),
    )
    origin = String(await app.listen({ port: 0, host: '127.0.0.1' }))
    browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
  })
  afterAll(async () => {
    await browser.close()
    await app.close()
  })

  it('shows the routes without an error in the console, a violated policy or another host', async () => {
    const page = await browser.newPage()
    const problems: string[] = []
    page.on('console', (line) => {
      if (line.type() === 'error') problems.push(line.text())
    })
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.protocol.startsWith('http') && url.origin !== new URL(origin).origin)
        problems.push(request.url())
    })
    await page.goto(`${origin}/docs`)
    await page.getByText('Read a book').first().waitFor()
    await page
      .getByText(/books.*{id}/)
      .first()
      .waitFor()
    await page.waitForLoadState('networkidle')
    expect(problems).toEqual([])
  })
})
