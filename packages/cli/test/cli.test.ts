import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { build } from '../../../scripts/lib/build.mjs'
import { printTable } from '../src/text.ts'
import { bin, cloister, fixtures } from './run-command.ts'

function parse(text: string): unknown {
  return JSON.parse(text)
}

beforeAll(build)

describe('cloister routes', () => {
  it('lists the routes with handler, context and place', async () => {
    const { code, out, err } = await cloister(['routes'])
    expect(err).toBe('')
    expect(code).toBe(0)
    expect(out.split('\n')).toEqual([
      expect.stringMatching(/^GET {3}\/users\/:id {2}readUser {2}root > users {2}app\.mjs:\d+$/),
      expect.stringMatching(/^POST {2}\/users {6}addUser {3}root > users {2}app\.mjs:\d+$/),
      expect.stringMatching(/^POST {2}\/users\/ {5}addUser {3}root > users {2}app\.mjs:\d+$/),
      '',
    ])
  })

  it('lists the routes of an app that listens by itself, and runs beside the command', async () => {
    const other = createServer().listen(0, 'localhost')
    await once(other, 'listening')
    try {
      const address = other.address()
      const PORT = String(typeof address === 'object' && address !== null ? address.port : 0)
      const { code, out, err } = await cloister(['routes', '--app', 'listening.mjs'], fixtures, { PORT })
      expect([code, err, out]).toEqual([0, '', expect.stringMatching(/^GET {2}\/own /)])
    } finally {
      other.close()
    }
  })

  it('lists the hooks of each route on demand', async () => {
    const { out } = await cloister(['routes', '--hooks', '--grep', 'readuser'])
    expect(out.split('\n')).toEqual([
      expect.stringMatching(/^GET/),
      expect.stringMatching(/^ {4}onRequest {2}authenticate {2}root > auth {2}app\.mjs:7$/),
      '',
    ])
  })

  it('prints JSON for programs', async () => {
    const { code, out } = await cloister(['routes', '--json', '--grep', '/:id'])
    expect(code).toBe(0)
    expect(parse(out)).toMatchObject([
      { method: 'GET', url: '/users/:id', automatic: false },
      { method: 'HEAD', url: '/users/:id', automatic: true },
    ])
  })

  it('shortens the names of plugins that are functions without a name', async () => {
    const { out } = await cloister(['routes', '--app', 'unnamed.mjs'])
    expect(out).toMatch(
      /^GET {2}\/ {2}hello {2}root > async \(child\) => \{ child\.get\('\/', \S+… {2}unnamed\.mjs:\d+\n$/,
    )
    const { out: json } = await cloister(['routes', '--json', '--app', 'unnamed.mjs'])
    expect(json).toContain('function hello()')
  })

  it('looks for the text in what it prints, not in the folders above', async () => {
    const { code } = await cloister(['routes', '--grep', 'fixtures'])
    expect(code).toBe(1)
  })

  it('ends with 1 when no route has the text', async () => {
    const { code, out, err } = await cloister(['routes', '--grep', 'books'])
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: "cloister: no route has the text 'books'\n" })
  })
})

describe('cloister explain', () => {
  it('says what requests of a route run and use', async () => {
    const { code, out } = await cloister(['explain', 'GET', '/users/1'])
    expect(code).toBe(0)
    expect(out).toMatch(/^GET \/users\/:id\n {2}params {5}id=1\n/)
    expect(out).toMatch(/\n {4}onRequest {2}authenticate {2}root > auth {2}app\.mjs:7\n/)
    expect(out).toMatch(/\n {4}params {4}own schema {2}app\.mjs:\d+ {2}by the engine, closures\n/)
  })

  it('prints JSON for programs', async () => {
    const { code, out } = await cloister(['explain', 'get', '/users/1', '--json'])
    expect(code).toBe(0)
    expect(parse(out)).toMatchObject({ kind: 'route', url: '/users/:id', params: { id: '1' } })
  })

  it('ends with 1 for a URL without a route, and names the nearest', async () => {
    const { code, out, err } = await cloister(['explain', 'GET', '/user/1'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(
      /^cloister: no route for GET \/user\/1; the nearest:\n {2}GET \/users\/:id {2}app\.mjs:/,
    )
    expect(err).toContain("      it has 'users' where the URL has 'user'\n")
    const bare = await cloister(['explain', 'GET', 'users/1/'])
    expect(bare.err).toContain('  GET /users/:id  app.mjs:15\n      the URL does not begin with a slash\n')
    const json = await cloister(['explain', 'GET', '/user/1', '--json'])
    expect(json.code).toBe(1)
    expect(parse(json.out)).toMatchObject({ kind: 'missing' })
  })
})

describe('a reader', () => {
  it.each(['--help', 'routes'])('that ends before all of %s is written gets no error', async (command) => {
    const child = spawn(process.execPath, [bin, command], { cwd: fixtures, stdio: 'pipe' })
    child.stdout.destroy()
    let err = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
    const [code] = await once(child, 'close')
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })
})

describe('a terminal', () => {
  const route = { url: `/a-path/${'of-many-segments/'.repeat(8)}`, handler: 'h'.repeat(60) }
  const table = (width: number): string[] =>
    printTable(
      [
        ['GET', route.url, route.handler, 'root > users', '/srv/app/src/routes/users.mjs:123'],
        ['POST', '/', 'add', 'root', 'app.mjs:1'],
      ],
      { folder: '/', width, colours: false },
    )
      .trimEnd()
      .split('\n')

  it.each([60, 80, 120, 200])('gets tables that are at most as wide: %i columns', (width) => {
    const lines = table(width)
    expect(lines.every((line) => line.length <= width)).toBe(true)
    expect(lines[0]).toMatch(/^GET .*….*:123$/)
  })

  it('gets everything where there is no width, and cuts no column to nothing', () => {
    expect(table(Infinity)[0]).toContain(route.url)
    expect(table(1)[0]).toMatch(/^GET {3}\/a-path…  h{7}…/)
  })

  it('gets colours, unless NO_COLOR is set; a pipe gets them only with FORCE_COLOR', async () => {
    const colour = '\u001B['
    const outputs = await Promise.all(
      [{}, { FORCE_COLOR: '1' }, { FORCE_COLOR: '1', NO_COLOR: '1' }, { FORCE_COLOR: '0' }].map((env) =>
        cloister(['routes'], fixtures, env),
      ),
    )
    expect(outputs.map(({ out }) => out.includes(colour))).toEqual([false, true, false, false])
  })
})

describe('the app file', () => {
  it.each([
    ['a factory of a CommonJS module', 'factory.cjs', '/from-factory'],
    ['an app under its name, with a timer that never ends', 'named.mjs', '/from-name'],
    ['a plugin', 'plugin.mjs', '/from-plugin'],
  ])('may export %s', async (_what, file, url) => {
    const { code, out, err } = await cloister(['routes', '--app', file])
    expect(err).toBe('')
    expect({ code, has: out.includes(url) }).toEqual({ code: 0, has: true })
  })

  it('that exports no app ends the command with 3, and says what to export', async () => {
    const { code, err } = await cloister(['routes', '--app', 'no-app.mjs'])
    expect(code).toBe(3)
    expect(err).toContain('exports no app: it exports settings, and the app would be of the type undefined')
    expect(err).toContain('export default app')
  })

  it('with an app that cannot start ends the command with 3 and the reason', async () => {
    const { code, err } = await cloister(['routes', '--app', 'failing.mjs'])
    expect(code).toBe(3)
    expect(err).toContain('no database')
  })

  it('with an app that cannot start: doctor says where and in which plugin, as the other commands', async () => {
    const { err } = await cloister(['routes', '--app', 'failing.mjs'])
    const { code, out } = await cloister(['doctor', '--app', 'failing.mjs'])
    expect(code).toBe(1)
    const where = /failing\.mjs:5:9\n(?:.*\n)* *in plugin root > .* \(registered at .*failing\.mjs:4\)\n/
    expect(err).toMatch(where)
    expect(out).toMatch(where)
  })

  it('prints file, line and code of a syntax error in a file that the app imports', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'cli-broken-'))
    const broken = path.join(folder, 'users.mjs')
    await writeFile(path.join(folder, 'app.mjs'), "import './users.mjs'\n")
    await writeFile(broken, 'export const users = [1\n\nexport const one = 1\n')
    try {
      const { code, err } = await cloister(['routes'], folder)
      expect(code).toBe(3)
      expect(err).toContain(`cannot be loaded: ${broken}:3\nexport const one = 1\n`)
      const { out } = await cloister(['doctor', '--json'], folder)
      expect(parse(out)).toMatchObject([{ check: 'start', callSite: `${broken}:3` }])
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it.each([
    ['that does not exist', ['routes', '--app', 'none.mjs'], /there is no file .*none\.mjs/],
    ['that is a folder', ['routes', '--app', 'fixtures'], /[/\\]fixtures is a folder; give the file/],
    ['that is not found', ['routes'], /no app\.js, src\/app\.js or dist\/app\.js/],
  ])('%s ends the command with 3', async (_what, args, message) => {
    const { code, err } = await cloister(args, path.dirname(fixtures))
    expect(code).toBe(3)
    expect(err).toMatch(message)
  })
})

describe('cloister migrate without @cloister/migrate', () => {
  it('ends with 3 and the one line that runs it, with the arguments of the user', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'cli-alone-'))
    try {
      const modules = path.join(folder, 'node_modules')
      const installed = path.join(modules, '@cloister/cli')
      const source = path.resolve(fixtures, '../..')
      await mkdir(path.join(modules, '@cloister'), { recursive: true })
      await cp(path.join(source, 'dist'), path.join(installed, 'dist'), { recursive: true })
      await cp(path.join(source, 'package.json'), path.join(installed, 'package.json'))
      for (const name of ['@cloister/openapi', '@cloister/schema', 'cloister'])
        await symlink(path.resolve(source, '../..', 'node_modules', name), path.join(modules, name))
      for (const name of ['@commander-js', 'commander'])
        await symlink(path.join(source, 'node_modules', name), path.join(modules, name))
      const args = ['migrate', '--dry-run', '--app', 'my app.js']
      const found = await cloister(args, folder, {}, path.join(installed, 'dist/main.js'))
      expect(found).toEqual({
        code: 3,
        out: '',
        err: 'cloister: migrate is a package of its own, which is not installed; this runs it: npx @cloister/migrate --dry-run --app "my app.js"\n',
      })
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('the arguments', () => {
  it.each([
    [['fly'], "unknown command 'fly'"],
    [['rotes'], 'Did you mean routes?'],
    [['explain', 'GET'], 'explain takes a method and a URL, or one of --svg, --mermaid and --diff'],
    [['routes', '--colour'], "unknown option '--colour'"],
    [['explain', 'GET', '/', '--hooks'], "unknown option '--hooks'"],
    [['routes', 'users'], "too many arguments for 'routes'"],
    [['start', '--port', '99999'], "--port is '99999'; give a number from 0 to 65535"],
  ])('%j end with 2 and the usage', async (args, message) => {
    const { code, out, err } = await cloister(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/^cloister: /)
    expect(err).toContain(message)
  })

  it('--version prints the version of the package', async () => {
    const { code, out } = await cloister(['--version'])
    expect({ code, isVersion: /^\d+\.\d+\.\d+\n$/.test(out) }).toEqual({ code: 0, isVersion: true })
  })

  it('--help and none print the usage', async () => {
    for (const args of [['--help'], [], ['help']]) {
      const { code, out } = await cloister(args)
      expect({ code, start: out.slice(0, 15) }).toEqual({ code: 0, start: 'Usage: cloister' })
      expect(out).toContain('Exit codes: 0 done')
    }
    const { out } = await cloister(['routes', '--help'])
    expect(out).toContain('--grep <text>')
  })
})
