// `cloister migrate --from express` on whole projects, with both lines of Express.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { build } from '../../../scripts/lib/build.mjs'

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const modules = here('../../../node_modules')
const bin = here('../dist/main.js')
const MANIFEST = '{\n\t"name": "shop",\n\t"dependencies": {\n\t\t"express": "*"\n\t}\n}\n'
const USERS = `const { Router } = require('express')
const users = Router()
users.get('/', (req, res) => res.json([{ name: 'ada' }]))
users.route('/:id').get((req, res) => res.json({ id: req.params.id })).delete((req, res) => res.sendStatus(204))
module.exports = users
`
const APP = `const express = require('express')
const app = express()
app.use(express.json())
app.post('/echo', (req, res) => res.status(201).json(req.body))
const api = express.Router()
api.use('/users', require('./routes/users'))
app.use(['/api', '/v1'], api)
const admin = express()
admin.all('/health', (req, res) => res.send('well'))
app.use('/admin', admin)
app.use((req, res) => res.status(404).send('not here'))
module.exports = app
`

let folder: string
const write = (name: string, text: string): void => {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
  writeFileSync(path.join(folder, name), text)
}
const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8')
const link = (name: string, target: string): void => {
  mkdirSync(path.dirname(path.join(folder, 'node_modules', name)), { recursive: true })
  symlinkSync(target, path.join(folder, 'node_modules', name))
}
const migrate = (...args: string[]): { status: number | null; output: string } => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [bin, '--from', 'express', '--force', ...args],
    { cwd: folder, encoding: 'utf8' },
  )
  return { status, output: stdout + stderr }
}

beforeAll(build)
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cli-express-'))
  write('package.json', MANIFEST)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe.each([
  { line: 'Express 5', express: `${modules}/express` },
  { line: 'Express 4', express: `${modules}/express-4/node_modules/express` },
])('cloister migrate --from express: $line', ({ express }) => {
  beforeEach(() => {
    link('express', express)
    link('cloister', here('../../cloister'))
  })

  it('lists the routes of the app, of its routers and of apps within it, with their lines', () => {
    write('app.js', APP)
    write('routes/users.js', USERS)
    const { status, output } = migrate('--dry-run')
    expect(status, output).toBe(0)
    expect(output).toContain('app.js: 8 routes of Express')
    for (const row of [
      /POST +\/echo +app\.js:4\n/,
      /GET +\/api\/users +routes\/users\.js:3\n/,
      /GET +\/v1\/users\/:id +routes\/users\.js:4\n/,
      /DELETE +\/api\/users\/:id +routes\/users\.js:4\n/,
      /ALL +\/admin\/health +app\.js:9\n/,
    ]) {
      expect(output).toMatch(row)
    }
    expect(existsSync(path.join(folder, 'cloister.mjs'))).toBe(false)
  })

  it('writes a file that serves what the app served, and takes it back', async () => {
    write('app.js', APP)
    write('routes/users.js', USERS)
    const { status, output } = migrate()
    expect(status, output).toBe(0)
    expect(JSON.parse(read('package.json'))).toMatchObject({
      dependencies: { express: '*', cloister: expect.any(String) },
    })
    const server = spawn(process.execPath, ['cloister.mjs'], {
      cwd: folder,
      env: { ...process.env, PORT: '0', HOST: '127.0.0.1' },
    })
    try {
      const address = await addressOf(server.stdout)
      const echo = await fetch(`${address}/echo`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"a":1}',
      })
      expect([echo.status, await echo.json()]).toEqual([201, { a: 1 }])
      expect(await (await fetch(`${address}/api/users/7`)).json()).toEqual({ id: '7' })
      expect((await fetch(`${address}/v1/users/7`, { method: 'DELETE' })).status).toBe(204)
      expect(await (await fetch(`${address}/admin/health`)).text()).toBe('well')
      const missing = await fetch(`${address}/nothing`)
      expect([missing.status, await missing.text()]).toEqual([404, 'not here'])
    } finally {
      server.kill()
      await once(server, 'close')
    }
    expect(migrate('--undo').status).toBe(0)
    expect(read('package.json')).toBe(MANIFEST)
    expect(existsSync(path.join(folder, 'cloister.mjs'))).toBe(false)
  })

  it('takes an ES module, a function that makes the app, and says where the file listens', () => {
    write(
      'app.mjs',
      `import express from 'express'
import { createServer } from 'node:http'
export function createApp() {
  const app = express()
  app.get(/^\\/files/, (req, res) => res.send('x'))
  createServer(app).listen(3000)
  return app
}
`,
    )
    const { status, output } = migrate('--app', 'app.mjs')
    expect(status, output).toBe(0)
    expect(output).toContain('app.mjs:6 listens itself')
    expect(read('cloister.mjs')).toContain("import { createApp as createExpress } from './app.mjs'")
    expect(read('cloister.mjs')).toContain("app.mount('/', await createExpress())")
  })
})

describe('cloister migrate --from express', () => {
  it('says what to export where a file exports no app, and changes nothing', () => {
    link('express', `${modules}/express`)
    write('app.js', "const app = require('express')()\napp.listen(3000)\n")
    const { status, output } = migrate()
    expect(status).toBe(3)
    expect(output).toContain('app.js exports no Express app. Export it')
    expect(read('package.json')).toBe(MANIFEST)
  })

  it('shows why a file cannot be loaded', () => {
    link('express', `${modules}/express`)
    write('app.js', "require('./missing')\n")
    const { status, output } = migrate()
    expect(status).toBe(3)
    expect(output).toContain("Cannot find module './missing'")
  })
})

async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of output) {
    text += String(chunk)
    const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? []
    if (found !== undefined) return found
  }
  throw new Error(`it ended before it listened: ${text}`)
}
