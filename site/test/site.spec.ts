// The pages of the built site in Chromium: `npm run test:site`.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { built, fileOf, openSite, picture, violations } from './built-site.ts'

const site = openSite()

const KINDS = [
  '/',
  '/guide/getting-started',
  '/guide/production',
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
        await site.page.emulateMedia({ colorScheme: scheme })
        for (const width of [1280, 375]) {
          await site.page.setViewportSize({ width, height: 900 })
          await site.page.goto(site.origin + url, { waitUntil: 'networkidle' })
          await picture(site, `${url.replaceAll('/', '_')}-${scheme}-${width}`)
          expect(await violations(site), `${scheme} ${width}`).toEqual([])
        }
      }
      expect(site.problems).toEqual([])
    },
  )

  it('has a front page of less than 200 KB, as servers compress it', async () => {
    await site.page.goto(site.origin, { waitUntil: 'load' })
    const urls = await site.page.evaluate(() => [
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
      await site.page.setViewportSize({ width, height: 900 })
      for (const name of pages) {
        await site.page.goto(`${site.origin}/${name.replace(/(index)?\.html$/, '')}`, { waitUntil: 'load' })
        const found = await site.page.evaluate(
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
    // Each page is opened twice, which takes minutes on a busy machine.
  }, 600_000)

  it('shows words in braces as they are written', async () => {
    await site.page.goto(`${site.origin}/errors`, { waitUntil: 'load' })
    expect(await site.page.textContent('.vp-doc')).toContain('Unsupported Media Type: {mediaType}')
  })

  it('shows the rows of a wide table as blocks at 375 pixels, with the names of the columns', async () => {
    const shown = () =>
      site.page.evaluate(() => {
        const cell = document.querySelector('.vp-doc td:nth-child(2)')
        if (cell === null) throw new Error('no table')
        return [getComputedStyle(cell).display, getComputedStyle(cell, '::before').content]
      })
    await site.page.goto(`${site.origin}/errors`, { waitUntil: 'load' })
    expect(await shown()).toEqual(['table-cell', 'none'])
    await site.page.setViewportSize({ width: 375, height: 900 })
    expect(await shown()).toEqual(['block', '"status: "'])
  })

  it('shows callouts where a reader loses data or security', async () => {
    const pages = ['guards', 'validation', 'serialization', 'production', 'idempotency', 'leaving-clients']
    for (const name of pages) {
      await site.page.goto(`${site.origin}/guide/${name}`, { waitUntil: 'load' })
      expect(await site.page.locator('.vp-doc .custom-block').count(), name).toBeGreaterThan(0)
      expect(await site.page.textContent('.vp-doc')).not.toContain('[!')
    }
  })

  it('copies the command on the front page', async () => {
    await site.page.goto(site.origin, { waitUntil: 'networkidle' })
    await site.page.click('.create-command button')
    expect(await site.page.evaluate(() => navigator.clipboard.readText())).toBe('npm create cloister my-api')
  })

  it('finds an option by its name', async () => {
    await site.page.goto(`${site.origin}/guide/getting-started`, { waitUntil: 'networkidle' })
    await site.page.keyboard.press('Control+k')
    await site.page.fill('.VPLocalSearchBox input', 'bodyLimit')
    await site.page.waitForSelector('.VPLocalSearchBox .result')
    expect(await site.page.textContent('.VPLocalSearchBox .results')).toContain('Production')
  })

  it('copies code', async () => {
    await site.page.goto(`${site.origin}/guide/getting-started`, { waitUntil: 'networkidle' })
    await site.page.hover('.vp-doc div[class*=language-]')
    await site.page.click('.vp-doc div[class*=language-] button.copy')
    const shown = await site.page.textContent('.vp-doc div[class*=language-] pre')
    expect((await site.page.evaluate(() => navigator.clipboard.readText())).trim()).toBe(shown?.trim())
  })

  it('has texts for programs', () => {
    const short = readFileSync(path.join(built, 'llms.txt'), 'utf8')
    for (const [, link = ''] of short.matchAll(/\]\(([^)]+)\)/g)) expect(fileOf(link), link).not.toBeNull()
    expect(readFileSync(path.join(built, 'llms-full.txt'), 'utf8').length).toBeGreaterThan(100_000)
  })
})

it('has every page of the folder docs', () => {
  const pages = readdirSync(path.join(import.meta.dirname, '../../docs/guide')).map(
    (file) => `/guide/${file.replace(/(README)?\.md$/, '')}`,
  )
  expect(pages.filter((url) => fileOf(url) === null)).toEqual([])
})
