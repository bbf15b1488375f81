import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../src/run.ts'

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url))
const before = `import { cloister, definePlugin } from 'cloister'
import { bearerAuth } from '@cloister/bearer-auth'
const db = definePlugin({ name: 'db', encapsulate: false, plugin: async (app) => void app.decorate('db', null) })
export const app = cloister()
app.register(db)
app.addSchema({ $id: 'user', type: 'object' })
app.addHook('onRequest', async function count() {})
app.get('/health', function health() { return 'ok' })
app.register(async function admin(child) {
  await child.register(bearerAuth, { keys: ['change-me'] })
  child.get('/stats', { preHandler: async function limit() {} }, () => 'a < b')
  child.register(async function inner(deep) {
    deep.addHook('preHandler', async function deeper() {})
    deep.all('/all', () => 'all')
    deep.get('/<b>"&#', () => 'odd')
  })
}, { prefix: '/admin' })
app.get('/old', { schema: { querystring: { type: 'object', properties: { a: { type: 'string' } } } } }, () => 'old')
app.post('/users', { schema: { body: { $ref: 'user#' }, response: { 200: { type: 'string' } } } }, () => 'ok')
`
const after = before
  .replace("  await child.register(bearerAuth, { keys: ['change-me'] })\n", '')
  .replace('response: { 200:', 'response: { 201:')
  .replace("body: { $ref: 'user#' }", "body: { type: 'object', properties: { name: { type: 'string' } } }")
  .replace(/app\.get\('\/old'.*\n/, "app.get('/new', () => 'new')\n")
const guarded = `import { cloister } from 'cloister'
export const app = cloister()
app.addGuard('user', function session() { return 1 }, { security: { bearer: ['read', 'write'] } })
app.get('/me', () => 'ok')
`
const subscribing = `import { cloister } from 'cloister'
import { memoryState } from '@cloister/state'
import { subscribes, topics } from '@cloister/state/topics'
export const app = await cloister().register(topics, { state: memoryState() })
const names = ['news', 'prices/:symbol', 'weather']
const [news, prices, weather] = names.map((name) =>
  app.topic(name, { schema: {}, keep: { count: 10, ms: 1000 } }))
app.get('/events', { schema: { ...subscribes(news, prices), 'x-stability': 'beta' } }, () => 'ok')
`

let folder: string
const git = (...args: string[]): unknown =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], {
    cwd: folder,
    stdio: 'pipe',
  })

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cli-draw-'))
  symlinkSync(modules, path.join(folder, 'node_modules'))
  writeFileSync(path.join(folder, '.gitignore'), 'node_modules\n')
  writeFileSync(path.join(folder, 'app.mjs'), before)
  // A module is loaded once in a process.
  writeFileSync(path.join(folder, 'drawn.mjs'), before)
  writeFileSync(path.join(folder, 'guarded.mjs'), guarded)
  writeFileSync(path.join(folder, 'subscribing.mjs'), subscribing)
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-q', '-m', 'one')
  writeFileSync(path.join(folder, 'app.mjs'), after)
  writeFileSync(path.join(folder, 'guarded.mjs'), guarded.replace("['read', 'write']", "['read']"))
  const other = subscribing
    .replace('subscribes(news, prices)', 'subscribes(prices, weather)')
    .replace('count: 10', 'count: 5')
    .replace('beta', 'stable')
  writeFileSync(path.join(folder, 'subscribing.mjs'), other)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The texts in an SVG image, which is well-formed. */
function textsOf(svg: string): string[] {
  const open: string[] = []
  for (const [, end, name = '', rest = ''] of svg.matchAll(/<(\/?)([a-z]+)((?:[^>"]|"[^"]*")*)>/g)) {
    if (end === '/') expect(open.pop()).toBe(name)
    else if (!rest.endsWith('/')) open.push(name)
  }
  expect(open).toEqual([])
  expect(svg).not.toMatch(/NaN|undefined|Infinity/)
  return [...svg.matchAll(/<text class="\w+"[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text ?? '')
}

describe('cloister explain', () => {
  it('draws the contexts as boxes in boxes with --svg', async () => {
    const { code, output } = await run(['explain', '--svg', '--app', 'drawn.mjs'], folder)
    expect(code).toBe(0)
    expect(textsOf(output)).toEqual([
      'root',
      'hooks: onRequest count',
      'decorators: app.db',
      'schemas: user',
      'GET /health',
      'GET /old',
      'POST /users',
      'admin /admin',
      'hooks: onRequest verifyBearerAuth',
      'GET /admin/stats (preHandler limit)',
      'inner /admin',
      'hooks: preHandler deeper',
      'ALL /admin/all',
      'GET /admin/&lt;b&gt;"&amp;#',
    ])
    expect(output.match(/<rect /g)).toHaveLength(3)
  })

  it('keeps each box within the one around it', async () => {
    const { output } = await run(['explain', '--svg', '--app', 'drawn.mjs'], folder)
    const boxes = [...output.matchAll(/<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"/g)].map(
      (match) => match.slice(1).map(Number),
    )
    for (const [index, [x = 0, y = 0, width = 0, height = 0]] of boxes.entries()) {
      const [left = 0, top = 0, outerWidth = 0, outerHeight = 0] = boxes[index - 1] ?? [-1, -1, 1e6, 1e6]
      expect(x).toBeGreaterThan(left)
      expect(y).toBeGreaterThan(top)
      expect(x + width).toBeLessThan(left + outerWidth)
      expect(y + height).toBeLessThan(top + outerHeight)
    }
  })

  it('draws them as subgraphs with --mermaid', async () => {
    const { code, output } = await run(['explain', '--mermaid', '--app', 'drawn.mjs'], folder)
    expect(code).toBe(0)
    expect(output).toBe(`flowchart TB
  subgraph room0["root"]
    room0walls[/"hooks: onRequest count<br/>decorators: app.db<br/>schemas: user"/]
    room0route1["GET /health"]
    room0route2["GET /old"]
    room0route3["POST /users"]
    subgraph room4["admin /admin"]
      room4walls[/"hooks: onRequest verifyBearerAuth"/]
      room4route5["GET /admin/stats (preHandler limit)"]
      subgraph room6["inner /admin"]
        room6walls[/"hooks: preHandler deeper"/]
        room6route7["ALL /admin/all"]
        room6route8["GET /admin/#lt;b#gt;#quot;&#35;"]
      end
    end
  end
`)
  })

  it('lists with --diff what routes gained and lost, and ends with 1 where one lost something', async () => {
    const { code, output, errors } = await run(['explain', '--diff', 'main', '--app', 'app.mjs'], folder)
    expect({ code, errors }).toEqual({ code: 1, errors: '' })
    const [stats] = /GET \/admin\/stats[^]*?(?=\n\S)/.exec(output) ?? []
    expect(stats).toBe('GET /admin/stats  app.mjs:10\n  - guard bearer: onRequest verifyBearerAuth')
    const [users] = /POST \/users[^]*?(?=\n\S)/.exec(output) ?? []
    expect(users).toBe(`POST /users  app.mjs:18
  - schema of the response 200
  + schema of the response 201
  ~ schema of the body`)
    expect(output).toContain('GET /new (new)  app.mjs:17\n  + hook onRequest count\n')
    expect(output).toContain('GET /old (gone)\n  - hook onRequest count\n  - schema of the querystring\n')
    expect(output).not.toContain('/health')
  })

  it('lists the scope that a guard lost as another guard', async () => {
    const { code, output } = await run(['explain', '--diff', 'main', '--app', 'guarded.mjs'], folder)
    expect(code).toBe(1)
    expect(output).toContain(`GET /me  guarded.mjs:4
  - guard user (bearer read write): onRequest session
  + guard user (bearer read): onRequest session`)
  })

  it('lists the topics of a route, and what else its schema says', async () => {
    const { code, output } = await run(['explain', '--diff', 'main', '--app', 'subscribing.mjs'], folder)
    expect(code).toBe(1)
    expect(output).toContain(`GET /events  subscribing.mjs:8
  - x-subscribes news
  + x-subscribes weather
  ~ x-subscribes prices/:symbol
  ~ x-stability`)
  })

  it('prints the differences as JSON, and none with 0', async () => {
    const { code, output } = await run(['explain', '--diff', 'main', '--json', '--app', 'drawn.mjs'], folder)
    expect({ code, changes: JSON.parse(output) }).toEqual({ code: 0, changes: [] })
  })

  it.each([
    [['explain']],
    [['explain', 'GET']],
    [['explain', '--svg', '--mermaid']],
    [['explain', 'GET', '/', '--svg']],
    [['explain', '--diff', 'nowhere', '--app', 'drawn.mjs']],
  ])('refuses %j', async (args) => {
    const { code, errors } = await run(args, folder)
    expect(code).toBe(2)
    expect(errors).toMatch(/explain takes a method and a URL, or one of|'nowhere' is no revision of git/)
  })
})
