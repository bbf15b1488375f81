// What newcomers read when they make one of the usual mistakes: what is wrong, where, what to do, and a link. The texts are
// those of docs/evidence/mistakes.md, which `CLOISTER_WRITE=1` writes.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { App, Reply } from '../harness/app-shape.ts'
import { useApps } from '../harness/transports.ts'
import { BOOT, REQUESTS } from './mistake-cases.ts'
import type { Mistake } from './mistake-cases.ts'

const PAGE = path.join(import.meta.dirname, '../../docs/evidence/mistakes.md')
const LINK = /https:\/\/github\.com\/cloisterjs\/cloister\/blob\/main\/docs\/errors\.md#(CLO_ERR_\w+)/
/** A line of the application (an app is made by the harness), the route or the plugin. */
const PLACE = /(?:mistake-cases|subject)\.ts:\d+|GET \/|"\/" \(GET\)|root/
const isWriting = process.env['CLOISTER_WRITE'] === '1'
const page = isWriting ? '' : readFileSync(PAGE, 'utf8')
const anchors = readFileSync(path.join(import.meta.dirname, '../../docs/errors.md'), 'utf8')
const rows: string[] = []

/** An error as it is shown. */
interface Shown {
  readonly message: string
  readonly help: string
}

function shownOf(error: unknown): Shown {
  const message: unknown = Object(error).message
  const help: unknown = Object(error).help
  return { message: String(message), help: typeof help === 'string' ? help : '' }
}

/** Lines of these files move; folders and times differ. */
function settle(text: string): string {
  return text
    .replaceAll(/[^\s'"(]*(?:mistake-cases|mistakes\.test|subject)\.ts:\d+/g, 'app.ts:1')
    .replaceAll(/sealed \d+ ms ago/g, 'sealed 1 ms ago')
    .replaceAll(/\s+/g, ' ')
}

const cell = (text: string): string => settle(text).replaceAll('|', '\\|').replaceAll('<', '&lt;')

function check({ what, todo }: Mistake, { message, help }: Shown): void {
  const link = LINK.exec(help)?.[1] ?? 'no link'
  expect(anchors).toContain(`<a id="${link}"></a>`)
  const whole = `${message} ${help}`
  expect(whole).toMatch(todo)
  expect(whole).toMatch(PLACE)
  const row = `| ${what} | ${cell(message)} | ${cell(help.replace(LINK, `\`errors.md#${link}\``))} |`
  rows.push(row)
  if (!isWriting) expect(page).toContain(row)
}

describe('in development, the error of a usual mistake says what is wrong, where, what to do, and has a link', () => {
  const createApp = useApps()
  beforeEach(() => void vi.stubEnv('NODE_ENV', 'development'))
  afterEach(() => void vi.unstubAllEnvs())

  it.each(BOOT)('$what', async (mistake) => {
    const error = await catchError(async () => {
      const app = createApp(mistake.options)
      await mistake.make(app)
      await app.ready()
    })
    check(mistake, shownOf(error))
  })

  it.each(REQUESTS)('$what', async (mistake) => {
    const { app, errors } = loggingApp(mistake)
    await mistake.make(app)
    await app.inject({ url: '/', ...mistake.request })
    await expect.poll(() => errors.length).toBeGreaterThan(0)
    check(mistake, shownOf(errors[0]))
  })

  it('names no file of the engine, which calls the framework for a request over a socket', async () => {
    const mistake = REQUESTS.find(({ what }) => what === 'a form without a parser')
    if (mistake === undefined) throw new Error('the mistake is there')
    const { app, errors } = loggingApp({ ...mistake, options: { transport: 'auto' } })
    await mistake.make(app)
    const { method = '', headers = {}, payload } = mistake.request ?? {}
    await fetch(await app.listen({ port: 0 }), { method, headers, body: String(payload) })
    await expect.poll(() => errors.length).toBeGreaterThan(0)
    expect(shownOf(errors[0]).help).toMatch(/It is the body of POST \/ /)
    expect(shownOf(errors[0]).help).not.toContain('It comes from')
  })

  it.each([
    [
      'res.json(value)',
      (reply: Reply) => Object(reply).json(1),
      /reply\.send\(value\) sends an object as JSON/,
    ],
    ['res.sendStatus(204)', (reply: Reply) => Object(reply).sendStatus(204), /reply\.code\(204\)\.send\(\)/],
    ['next()', () => failNext(), /a handler gets no next/],
    ['res.set(name, value)', (reply: Reply) => Object(reply).set('a', 'b'), /reply\.header\(name, value\)/],
    ['res.cookie(name, value)', (reply: Reply) => Object(reply).cookie('a', 'b'), /reply\.setCookie/],
    ['const { send } = reply', ({ send }: Reply) => send('x'), /called without its object/],
  ])('%s of other frameworks has help in the log, and nowhere else', async (_what, call, todo) => {
    const { app, errors } = loggingApp({ what: '', todo: /./, make: () => {} })
    app.get('/', (_request, reply) => call(reply))
    expect((await app.inject('/')).payload).not.toContain('reply.')
    expect(errors).toHaveLength(1)
    expect(shownOf(errors[0]).help).toMatch(todo)
  })

  /** Errors of requests are read where developers see them: in the log. */
  function loggingApp({ options }: Mistake): { app: App; errors: unknown[] } {
    const errors: unknown[] = []
    const write = (line: string): void => {
      const { err }: { err?: unknown } = JSON.parse(line)
      if (err !== undefined) errors.push(err)
    }
    return { app: createApp({ ...options, logger: { level: 'info', stream: { write } } }), errors }
  }

  afterAll(() => {
    if (isWriting) writeFileSync(PAGE, `${HEAD}${rows.join('\n')}\n`)
  })
})

describe('outside of development', () => {
  const createApp = useApps()
  afterEach(() => void vi.unstubAllEnvs())

  it.each(['production', 'test'])('with NODE_ENV=%s errors have no help', async (environment) => {
    vi.stubEnv('NODE_ENV', environment)
    const error = await catchError(async () => createApp().get('users', () => 'ok'))
    expect(error).toBeInstanceOf(Error)
    expect(Object.keys(Object(error))).not.toContain('help')
  })

  it('and no client sees it', async () => {
    vi.stubEnv('NODE_ENV', 'development')
    const app = createApp()
    app.get('/', async (_request, reply) => reply.header('x-name', 'a\nb').send('ok'))
    expect((await app.inject('/')).payload).not.toContain('errors.md')
  })
})

/** What JavaScript throws if a handler calls the `next` that it does not get. */
function failNext(): never {
  throw new TypeError('next is not a function')
}

async function catchError(run: () => unknown): Promise<unknown> {
  try {
    await run()
  } catch (error) {
    return error
  }
  return undefined
}

const HEAD = `# Mistakes of newcomers

This page shows the error message for each of ${BOOT.length + REQUESTS.length} common mistakes of newcomers. \`conformance/errors/mistakes.test.ts\` writes the page and compares it. The message is Fastify's where tests written for Fastify may compare it. The help is a separate property of the error, which Node prints and the logger writes, unless \`NODE_ENV\` is \`production\` or \`test\`.

| mistake | message | help |
|---|---|---|
`
