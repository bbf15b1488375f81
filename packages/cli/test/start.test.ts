import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import module from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findApp } from '../src/find-app.ts'
import { build } from '../../../scripts/lib/build.mjs'

const bin = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const fixtures = fileURLToPath(new URL('./fixtures', import.meta.url))
const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url))

const running = new Set<ChildProcess>()

/** A started command, with what it has printed. */
interface Started {
  readonly child: ChildProcess
  readonly texts: { out: string; err: string }
  /** Waits until the standard output has a text that fits. */
  says(pattern: RegExp): Promise<RegExpExecArray>
}

function start(args: readonly string[], cwd: string = fixtures, env: NodeJS.ProcessEnv = {}): Started {
  const child = spawn(process.execPath, [bin, 'start', ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: 'pipe',
  })
  running.add(child)
  // Each look at what it prints adds one.
  child.setMaxListeners(0)
  const texts = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.err += text))
  const says = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(texts.out)
      if (found !== null) return found
      if (child.exitCode !== null) throw new Error(`the command has ended: ${texts.out}${texts.err}`)
      await Promise.race([once(child.stdout, 'data'), once(child, 'close')])
    }
  }
  return { child, texts, says }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function addressOf(started: Started): Promise<string> {
  return (await started.says(/listening (?:on|at) (http:[^"\s]+)/))[1] ?? ''
}

beforeAll(build)

afterEach(async () => {
  for (const child of running) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'close')
  }
  running.clear()
})

describe('cloister start', () => {
  it('keeps compiled code for the next start where Node can', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'cloister-compiled-'))
    const started = start(['--port', '0'], fixtures, { TMPDIR: folder, TEMP: folder })
    await addressOf(started)
    started.child.kill('SIGTERM')
    await once(started.child, 'close')
    expect(await readdir(folder)).toEqual('enableCompileCache' in module ? ['node-compile-cache'] : [])
    await rm(folder, { recursive: true })
  })

  it('listens, and closes the app when a signal ends it', async () => {
    const started = start(['--port', '0'])
    const address = await addressOf(started)
    expect(await (await fetch(`${address}/users/1`)).json()).toEqual({ id: 1 })
    started.child.kill('SIGTERM')
    expect(await once(started.child, 'close')).toEqual([0, null])
  })

  it.each(['booting.mjs', 'booting-plugin.mjs'])(
    'closes the app of %s when a signal comes while it starts',
    async (file) => {
      for (const stage of ['loading', 'ready', 'listening']) {
        const started = start([file, '--port', '0'])
        await started.says(new RegExp(`^${stage}$`, 'm'))
        started.child.kill('SIGTERM')
        expect(await once(started.child, 'close')).toEqual([0, null])
        expect(started.texts.out.match(/^closed$/gm)).toHaveLength(1)
        expect(started.texts.out).not.toContain('listening on')
        expect(started.texts.err).toBe('')
      }
    },
  )

  it('closes all apps of the file, after their requests', async () => {
    const started = start(['pair.mjs', '--port', '0'])
    const [, internal = ''] = await started.says(/internal at (\S+)/)
    const address = (await started.says(/listening on (\S+)/))[1] ?? ''
    const responses = [address, internal].map(async (one) => (await fetch(one)).text())
    setTimeout(() => started.child.kill('SIGTERM'), 100)
    expect(await Promise.all(responses)).toEqual(['public', 'internal'])
    expect(await once(started.child, 'close')).toEqual([0, null])
    expect(started.texts.out.match(/\w+ closed$/gm)?.toSorted()).toEqual(['internal closed', 'public closed'])
  })

  it.each(['draining.mjs', 'draining-plugin.mjs'])(
    'serves requests while @cloister/operate drains the app of %s',
    async (file) => {
      const started = start([file, '--port', '0'])
      const address = await addressOf(started)
      started.child.kill('SIGTERM')
      await started.says(/is not ready any more/)
      expect(await (await fetch(address)).text()).toBe('ok')
      expect((await fetch(`${address}/ready`)).status).toBe(503)
      expect(started.child.exitCode).toBeNull()
      started.child.kill('SIGTERM')
      expect(await once(started.child, 'close')).toEqual([null, 'SIGTERM'])
    },
  )

  it('takes the port from PORT, and makes an app with a logger for a plugin', async () => {
    const started = start(['--app', 'plugin.mjs'], fixtures, { PORT: '0' })
    const address = await addressOf(started)
    expect(await (await fetch(`${address}/from-plugin`)).text()).toBe('ok')
    await started.says(/"msg":"request completed"/)
  })

  it('takes a file as argument, which may listen by itself', async () => {
    const started = start(['listening.mjs'])
    const address = await addressOf(started)
    expect(await (await fetch(`${address}/own`)).text()).toBe('ok')
    started.child.kill('SIGTERM')
    expect(await once(started.child, 'close')).toEqual([0, null])
  })

  it('starts a file that listens by itself again when it changes, with --watch', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'cloister-own-'))
    const port = await freePort()
    const write = (text: string, listens: boolean): Promise<void> =>
      writeFile(
        path.join(folder, 'app.mjs'),
        `import cloister from 'cloister'\nconst app = cloister().get('/', () => '${text}')\n` +
          (listens ? `await app.listen({ port: ${port} })\n` : '') +
          'export default app\n',
      )
    const responds = async (text: string): Promise<void> =>
      await expect
        .poll(
          async () => {
            const response = await fetch(`http://localhost:${port}/`).catch(() => null)
            return response === null ? null : response.text()
          },
          { timeout: 20_000 },
        )
        .toBe(text)
    try {
      await symlink(modules, path.join(folder, 'node_modules'))
      for (const own of [port, 0]) {
        await write('first', true)
        const started = start(['app.mjs', '--watch', '--port', String(own)], folder)
        await responds('first')
        expect(started.texts.err).toContain('the app listens by itself')
        await write('second', true)
        await responds('second')
        await write(`broken'`, true)
        await write('third', true)
        await responds('third')
        if (own !== 0) {
          await write('fourth', false)
          await responds('fourth')
        }
        started.child.kill('SIGTERM')
        expect(await once(started.child, 'close')).toEqual([0, null])
        expect(await fetch(`http://localhost:${port}/`).catch(() => 'ended')).toBe('ended')
      }
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('prints JSON alone for an app with a logger', async () => {
    const started = start(['plugin.mjs'], fixtures, { PORT: '0' })
    await addressOf(started)
    for (const line of started.texts.out.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow()
  })

  it('takes the source when it is newer than what was compiled', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'cloister-stale-'))
    const write = async (file: string, text: string): Promise<void> => {
      await mkdir(path.join(folder, path.dirname(file)), { recursive: true })
      await writeFile(
        path.join(folder, file),
        `export default async (app) => app.get('/', () => '${text}')\n`,
      )
    }
    try {
      await symlink(modules, path.join(folder, 'node_modules'))
      await write('dist/app.mjs', 'stale')
      await utimes(path.join(folder, 'dist/app.mjs'), 1, 1)
      await write('src/app.mts', 'fresh')
      // Not every Node.js runs the source; either way it is the file that the command takes.
      const { child, texts } = start(['--port', 'none'], folder)
      expect(await once(child, 'close')).toEqual([2, null])
      expect(texts.err).toContain('src/app.mts is newer than dist/app.mjs, and is used')
      expect(findApp(undefined, folder)).toBe(path.join(folder, 'src/app.mts'))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('ends with 3 when the port is taken', async () => {
    const other = createServer().listen(0, 'localhost')
    await once(other, 'listening')
    const address = other.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const { child, texts } = start(['--port', String(port)])
    expect(await once(child, 'close')).toEqual([3, null])
    expect(texts.err).toMatch(/^cloister: the app cannot listen: .*EADDRINUSE/)
    other.close()
  })

  it('--watch starts the app again when its file changes', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'cloister-watch-'))
    const write = (text: string): Promise<void> =>
      writeFile(path.join(folder, 'app.mjs'), `export default async (app) => app.get('/', () => '${text}')\n`)
    try {
      await symlink(modules, path.join(folder, 'node_modules'))
      await write('first')
      const started = start(['--watch', '--port', '0'], folder)
      const first = await addressOf(started)
      expect(await (await fetch(first)).text()).toBe('first')
      started.texts.out = ''
      await write('second')
      const second = await addressOf(started)
      expect(await (await fetch(second)).text()).toBe('second')
      expect(second).toBe(first)
      started.child.kill('SIGTERM')
      await once(started.child, 'close')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('--watch waits for a folder that is not there yet, and sees one that is made again', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'cloister-watch-'))
    const write = async (text: string): Promise<void> => {
      await mkdir(path.join(folder, 'lib'), { recursive: true })
      await writeFile(path.join(folder, 'lib', 'text.mjs'), `export const text = '${text}'\n`)
    }
    const app = `import { text } from './lib/text.mjs'\nexport default async (app) => app.get('/', () => text)\n`
    try {
      await symlink(modules, path.join(folder, 'node_modules'))
      await writeFile(path.join(folder, 'app.mjs'), app)
      const started = start(['--watch', '--port', '0'], folder)
      for (const text of ['first', 'second']) {
        await saysError(started, /text\.mjs/)
        Object.assign(started.texts, { out: '', err: '' })
        await write(text)
        expect(await getOnce(await addressOf(started))).toBe(text)
        await rm(path.join(folder, 'lib'), { recursive: true })
      }
      await saysError(started, /text\.mjs/)
      started.child.kill('SIGTERM')
      expect(await once(started.child, 'close')).toEqual([0, null])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('--watch lets a request in flight end, and waits for no idle connection', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'cloister-watch-'))
    try {
      await symlink(modules, path.join(folder, 'node_modules'))
      const app = path.join(folder, 'app.mjs')
      const source = (received: string): string =>
        `import { cloister } from 'cloister'\nexport const app = cloister()\n` +
        `app.get('/', async () => '${received}')\n` +
        `app.get('/slow', async () => { process.stdout.write('in flight\\n'); await new Promise((go) => setTimeout(go, 500)); return '${received}' })\n`
      await writeFile(app, source('one'))
      const started = start(['--watch', '--port', '0', '--app', 'app.mjs'], folder)
      const address = await addressOf(started)
      expect(await (await fetch(address)).text()).toBe('one')
      const slow = fetch(`${address}/slow`)
      await started.says(/in flight/)
      await writeFile(app, source('two'))
      expect(await (await slow).text()).toBe('one')
      await expect.poll(async () => (await fetch(address)).text(), { timeout: 20_000 }).toBe('two')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('--watch ends an app that is in a loop, at the second signal at once', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'cloister-watch-'))
    try {
      await symlink(modules, path.join(folder, 'node_modules'))
      const loop = `export default async (app) => app.get('/', () => { for (;;); })\n`
      await writeFile(path.join(folder, 'app.mjs'), loop)
      const started = start(['--watch', '--port', '0'], folder)
      const address = await addressOf(started)
      const response = getOnce(address).catch(() => 'cut')
      await new Promise((resolve) => setTimeout(resolve, 300))
      started.child.kill('SIGINT')
      await new Promise((resolve) => setTimeout(resolve, 300))
      expect(started.child.exitCode).toBe(null)
      started.child.kill('SIGINT')
      await once(started.child, 'close')
      expect(await response).toBe('cut')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('--watch refuses no connection while files are replaced, waits for one that does not parse, and writes types', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'cloister-watch-'))
    const replace = async (text: string): Promise<void> => {
      await writeFile(path.join(folder, 'part.txt'), text)
      await rename(path.join(folder, 'part.txt'), path.join(folder, 'routes.mjs'))
    }
    const routes = (name: string): string =>
      `const response = { 200: { type: 'object', properties: { ${name}: { type: 'string' } } } }
export const add = (app) => app.get('/', { schema: { response } }, (request) => ({ ${name}: request.ip }))\n`
    try {
      await symlink(modules, path.join(folder, 'node_modules'))
      await writeFile(
        path.join(folder, 'app.mjs'),
        "import { add } from './routes.mjs'\nexport default async (app) => { add(app) }\n",
      )
      await replace(routes('zero'))
      const started = start(['--watch', '--port', '0', '--types', 'api.d.ts'], folder)
      const address = await addressOf(started)
      const seen = new Set<string>()
      const state = { isOver: false, failures: 0 }
      const client = (async () => {
        while (!state.isOver) {
          const text = await getOnce(address).catch((error: unknown) => {
            state.failures += 1
            return String(error)
          })
          seen.add(text)
        }
      })()
      for (const name of ['one', 'two', 'export const add = [', 'three']) {
        started.texts.out = ''
        await replace(name.includes(' ') ? name : routes(name))
        if (name.includes(' ')) await saysError(started, /routes\.mjs:1\n/)
        else await addressOf(started)
      }
      expect(await getOnce(address)).toMatch(/^\{"three":"(?:::1|127\.0\.0\.1)"\}$/)
      expect(await readFile(path.join(folder, 'api.d.ts'), 'utf8')).toContain('three?: string')
      state.isOver = true
      await client
      expect(state.failures, [...seen].join(', ')).toBe(0)
      started.child.kill('SIGTERM')
      expect(await once(started.child, 'close')).toEqual([0, null])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

/** Sends one request on a connection of its own. */
function getOnce(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request(url, { agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.once('end', () => resolve(text))
    })
      .once('error', reject)
      .end()
  })
}

async function saysError(started: Started, pattern: RegExp): Promise<void> {
  while (!pattern.test(started.texts.err)) await once(started.child.stderr ?? started.child, 'data')
}
