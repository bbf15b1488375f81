// The playground of the built site in Chromium: `npm run test:site`.
import { describe, expect, it } from 'vitest'
import { openSite, picture, violations } from './built-site.ts'

const site = openSite()

const EXPECTED: Record<string, string> = {
  Validation: '201',
  Contexts: '200',
  Unions: '400',
  Errors: '409',
  Events: '200',
}

/** Opens the playground and waits until its first result is shown. */
async function open(): Promise<void> {
  await site.page.goto(`${site.origin}/playground`)
  await site.page.waitForSelector('.playground[data-state=ready]')
}

/** Replaces the code of the editor. */
async function write(code: string): Promise<void> {
  await site.page.click('.cm-content')
  await site.page.keyboard.press('Control+a')
  await site.page.keyboard.insertText(code)
}

const run = () => site.page.click('button:text-is("Run")')
const tab = (name: string) => site.page.click(`[role=tab]:has-text("${name}")`)

/** An app whose first response takes a while, and says which version of the code wrote it. */
const slow = (version: string, milliseconds: number) => `import { cloister } from 'cloister'
const app = cloister()
app.get('/', async () => {
  await new Promise((resolve) => setTimeout(resolve, ${milliseconds}))
  return { version: '${version}' }
})
export default app
`

describe('the playground', () => {
  it('loads less than 2 MB until its first result is shown, and the compiler only when the editor is used', async () => {
    await open()
    await site.page.waitForSelector('.panel .status')
    const untilUsable = [...site.loaded]
    const sum = (of: 'bytes' | 'compressed') => untilUsable.reduce((all, one) => all + one[of], 0)
    if (process.env['SHOW'] !== undefined) console.log(sum('bytes'), sum('compressed'), untilUsable)
    expect(untilUsable.some(({ name }) => /run-app\.worker/.test(name))).toBe(true)
    expect(untilUsable.filter(({ name }) => /types/.test(name))).toEqual([])
    // As the files are; servers compress them to less than a third.
    expect(sum('bytes')).toBeLessThan(2_000_000)
    expect(sum('compressed')).toBeLessThan(700_000)
    await site.page.click('.cm-content')
    await expect.poll(() => site.loaded.some(({ name }) => /types\.worker/.test(name))).toBe(true)
  })

  it.each(Object.keys(EXPECTED))(
    'runs the example %s, and the compiler has nothing against it',
    async (name) => {
      const { page } = site
      await open()
      await page.click(`.examples button:has-text("${name}")`)
      await page.waitForFunction(
        (status) => document.querySelector('.panel .status strong')?.textContent === status,
        EXPECTED[name],
      )
      await page.waitForSelector('.playground[data-state=ready]')
      await tab('OpenAPI')
      expect(JSON.parse((await page.textContent('.panel pre')) ?? '')).toHaveProperty('openapi')
      // A wrong line at the end is marked, so that the compiler has read the rest.
      await page.click('.cm-content')
      await page.keyboard.press('Control+End')
      await page.keyboard.insertText('\nconst wrong: number = app.version\n')
      await page.waitForSelector('.cm-lintRange-error')
      expect(await page.locator('.cm-lintRange-error').allInnerTexts()).toEqual(['wrong'])
      await page.keyboard.press('Control+z')
      await run()
      await page.waitForSelector('.playground[data-state=ready]')
      for (const shown of ['Response', 'Stages'] as const) {
        await tab(shown)
        for (const scheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme: scheme })
          for (const width of [1280, 375]) {
            await page.setViewportSize({ width, height: 900 })
            if (name === 'Validation') expect(await violations(site), `${scheme} ${width}`).toEqual([])
            await picture(site, `playground-${name}-${shown}-${scheme}-${width}`)
          }
        }
      }
      expect(site.problems).toEqual([])
    },
  )

  it('shows the result of the last run, whatever an earlier one still says', async () => {
    await open()
    await site.page.fill('#pg-url', '/')
    await site.page.selectOption('#pg-method', 'GET')
    await write(slow('first', 700))
    await run()
    await site.page.waitForSelector('.playground[data-state=sending]')
    await write(slow('second', 0))
    await run()
    await site.page.waitForSelector('.panel .body')
    for (let count = 0; count < 10; count++) {
      expect(await site.page.textContent('.panel .body')).toContain('second')
      await site.page.waitForTimeout(100)
    }
    expect(await site.page.getAttribute('.playground', 'data-state')).toBe('ready')
  })

  it('shows nothing of the run before when the next one fails', async () => {
    await open()
    await write('const app = ;')
    await run()
    await site.page.waitForSelector('.failure')
    expect(await site.page.locator('.panel .status').count()).toBe(0)
    for (const name of ['Stages', 'Routes and hooks', 'OpenAPI']) {
      await tab(name)
      expect((await site.page.textContent('.panel'))?.trim()).toBe('')
    }
  })

  it('says that the code has changed since the run, and runs it anew when the request is sent', async () => {
    await open()
    await site.page.fill('#pg-url', '/')
    await site.page.selectOption('#pg-method', 'GET')
    await write(slow('changed', 0))
    await site.page.waitForSelector('.panel.stale >> text=The code has changed since this run.')
    expect(await violations(site)).toEqual([])
    await site.page.click('button:text-is("Send")')
    await site.page.waitForSelector('.panel .body >> text=changed')
    expect(await site.page.locator('.panel.stale').count()).toBe(0)
  })

  it("sends the example's request again with Run, and brings it back when it was changed", async () => {
    await open()
    await site.page.click('.cm-content')
    await site.page.keyboard.press('Control+Home')
    await site.page.keyboard.insertText('// changed\n')
    await run()
    await site.page.waitForSelector('.panel .status >> text=POST /books')
    await site.page.fill('#pg-url', '/none')
    await run()
    await site.page.waitForSelector('.panel .status >> text=404')
    expect(await site.page.textContent('.panel .status')).toContain('POST /none')
    await site.page.click('button:has-text("Back to the example\'s request")')
    await run()
    await site.page.waitForSelector('.panel .status >> text=201')
  })

  it.each([
    ['a syntax error', 'const app = 1\nconst a: = 5\n', 'Line 2, column 10', 'a: = 5'],
    ['one that only the browser finds', 'let a = 1\nlet a = 2\nexport default a', 'Line', 'let a = 1'],
    [
      'a call that throws',
      "import { cloister } from 'cloister'\nconst app = cloister()\nthrow new Error('why')\nexport default app",
      'Line 3',
      'why',
    ],
  ])('says where %s is, and goes there', async (_what, code, place, line) => {
    await open()
    await write(code)
    await run()
    await site.page.waitForSelector(`.failure button:has-text("${place}")`)
    await site.page.click('.failure button')
    expect(await site.page.textContent('.cm-activeLine')).toContain(line)
    await site.page.waitForSelector('.cm-lint-marker-error, .cm-activeLine')
  })

  it('marks a syntax error in the editor', async () => {
    await open()
    await write('const app = 1\nconst a: = 5\n')
    await site.page.waitForSelector('.cm-lintRange-error')
    expect(
      await site.page.locator('.cm-line', { has: site.page.locator('.cm-lintRange-error') }).innerText(),
    ).toBe('const a: = 5')
  })

  it('shows each stage with what it does and how long it took, and hooks below theirs', async () => {
    await open()
    await site.page.click('.examples button:has-text("Contexts")')
    await site.page.waitForSelector('.panel .status >> text=200')
    await site.page.waitForSelector('.playground[data-state=ready]')
    await tab('Stages')
    const rows = await site.page.locator('.panel tbody tr').evaluateAll((all) =>
      all.map((row) => ({
        name: row.querySelector('code')?.textContent ?? '',
        isHook: row.className === 'hook',
        times: [...row.querySelectorAll('td')].map((cell) => Number.parseFloat(cell.textContent ?? '')),
      })),
    )
    const stages = rows.filter(({ isHook }) => !isHook)
    expect(stages.map(({ name }) => name)).toEqual(expect.arrayContaining(['onRequest', 'handler', 'write']))
    expect(rows.some(({ isHook }) => isHook)).toBe(true)
    // The stages follow each other: each lasts until the next one begins.
    for (const [index, { times }] of stages.entries()) {
      const [at = 0, took = 0] = times
      const next = stages[index + 1]?.times[0]
      if (next !== undefined) expect(at + took).toBeCloseTo(next, 1)
    }
  })

  it('ends a stream when Cancel is chosen', async () => {
    await open()
    await site.page.click('.examples button:has-text("Events")')
    await site.page.click('button:has-text("Cancel")')
    await site.page.waitForSelector('.playground[data-state=ready]')
    expect(await site.page.textContent('.panel')).not.toContain('"count":8')
  })

  it('keeps code in its link, and runs foreign code when it is asked to', async () => {
    await open()
    await site.page.click('button:has-text("Copy a link")')
    await site.page.waitForURL(/#code=/)
    const link = site.page.url()
    const other = await site.context.newPage()
    await other.goto(link)
    await other.waitForSelector('.playground[data-state=foreign]')
    expect(await other.locator('.panel .status').count()).toBe(0)
    await other.click('button.brand:has-text("Run")')
    await other.waitForSelector('.panel .status')
  })
})
