// Paths: how their parameters are decoded, and which route they lead to.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../packages/schema/test/growth.ts'
import type { App } from '../harness/app-shape.ts'
import { sendInject } from '../harness/send.ts'
import { isPeer } from '../harness/subject.ts'
import { useApps } from '../harness/transports.ts'
import { fuzz, fuzzGrowth, limits, timeout } from './fuzz.ts'

/** Matches a path. One that no request can have is looked up as that of a route, and may be none. */
function find(app: App, url: string): unknown {
  try {
    return app.findRoute({ method: 'GET', url })
  } catch (error) {
    return error
  }
}

const segment = fc.string({ unit: fc.constantFrom(...'aé%20%2F%zz%C3%A4+.~'.split('')), maxLength: 20 })

describe.skipIf(isPeer)('fuzz: path decoding', () => {
  const createApp = useApps()

  fuzz('path', 'gives the text that decodeURIComponent reads, or 400', segment, async (text) => {
    const written = Buffer.from(text)
      .toString()
      .replace(/[^!-~]/gu, encodeURIComponent)
    if (written === '' || /[/?#;\\]/.test(written)) return
    const app = createApp({ maxParamLength: 1000 })
    app.get('/p/:text', (request) => request.params)
    const response = await sendInject(app, { path: `/p/${written}` })
    let expected: string | undefined
    try {
      expected = decodeURIComponent(written)
    } catch {
      expected = undefined
    }
    // Dots are segments of their own for the URL that is injected.
    if (written === '.' || written === '..' || /^(?:\.|%2e)+$/i.test(written)) return
    if (expected === undefined) expect([written, response.status]).toEqual([written, 400])
    else expect([written, response.json()]).toEqual([written, { text: expected }])
    await app.close()
  })

  const app = createApp({ maxParamLength: 1e6 })
  app.get('/p/:text', () => '')
  app.get('/*', () => '')
  fuzzGrowth('path', (text) => find(app, `/p/${text}`))
})

/** Which of the routes a path leads to: texts before parameters before the rest, segment by segment. */
function naiveMatch(routes: readonly string[], path: string): string | undefined {
  const parts = path.slice(1).split('/')
  const walk = (left: readonly (readonly [string, readonly string[]])[], at: number): string | undefined => {
    if (at === parts.length) return left.find(([, segments]) => segments.length === at)?.[0]
    const part = parts[at] ?? ''
    const next = (wanted: (own: string) => boolean): (readonly [string, readonly string[]])[] =>
      left.filter(([, segments]) => segments[at] !== undefined && wanted(segments[at] ?? ''))
    const byText = next((own) => own === part)
    const byParameter = part === '' ? [] : next((own) => own.startsWith(':'))
    return (
      (byText.length > 0 ? walk(byText, at + 1) : undefined) ??
      (byParameter.length > 0 ? walk(byParameter, at + 1) : undefined) ??
      next((own) => own === '*')[0]?.[0]
    )
  }
  return walk(
    routes.map((route) => [route, route.slice(1).split('/')]),
    0,
  )
}

describe.skipIf(isPeer)('fuzz: the router', () => {
  const createApp = useApps()
  const text = fc.constantFrom('a', 'ab', 'b', 'abc')
  const own = fc.oneof({ weight: 3, arbitrary: text }, { weight: 2, arbitrary: fc.constant(':p') })
  const route = fc
    .tuple(fc.array(own, { minLength: 1, maxLength: 3 }), fc.boolean())
    .map(([parts, isOpen]) => `/${[...parts, ...(isOpen ? ['*'] : [])].join('/')}`)
  const path = fc.array(text, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join('/')}`)
  const cases = fc.tuple(fc.uniqueArray(route, { minLength: 1, maxLength: 6 }), path)

  it('leads to the route that a search by segments finds', { timeout }, async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ([routes, wanted]) => {
        const app = createApp()
        for (const url of routes) app.get(url, () => url)
        const response = await sendInject(app, { path: wanted })
        const found = response.status === 404 ? undefined : response.text
        expect([routes, wanted, found]).toEqual([routes, wanted, naiveMatch(routes, wanted)])
        await app.close()
      }),
      limits(),
    )
  })

  const app = createApp({ maxParamLength: 1e6 })
  const routes = ['/:a-:b/:c.:d', '/a/:b/*', '/a/:b(^[a-z]+$)', '/:a/b', '/:a/:b/:c/:d', '/*', '/a/b/c/d/e']
  for (const url of routes) app.get(url, () => url)
  fuzzGrowth('route', (text) => find(app, `/${text}`))

  it('CVE-2024-45813: takes time in proportion to two parameters of one segment', { timeout }, () => {
    const two = createApp({ maxParamLength: 1e6 })
    two.get('/:a-:b-', () => '')
    // Sizes at which even an expression of quadratic time ends soon.
    expect(growthOf((size) => find(two, `/${'-'.repeat(size)}a`), 1024, 4)).toBeLessThan(1.6)
  })
})
