// The start of an app in one file: the CPU time and the memory of a new process, from its start to the first response.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'

const TIMES = 11

const SCHEMA = `{
  querystring: { type: 'object', properties: { times: { type: 'integer', minimum: 1, maximum: 3, default: 1 } } },
  response: { 200: { type: 'array', items: { type: 'object', properties: { hello: { type: 'string' } } } } },
}`
const GREET = '(hello, times) => Array.from({ length: times }, () => ({ hello }))'
const ASK = `await (await app.fetch(new Request('http://localhost/hello/world?times=2'))).text()`
const CLOISTER = `import { cloister } from 'cloister'
const app = cloister()
app.get('/hello/:name', { schema: ${SCHEMA} }, (request) => (${GREET})(request.params.name, request.query.times))
const text = ${ASK}`

/** The app of each subject, and the conditions under which it is bundled. */
const SUBJECTS = {
  'Cloister, the build for workers': { code: CLOISTER, conditions: ['workerd', 'import'] },
  'Cloister, the build for Node': { code: CLOISTER, conditions: ['node', 'import', 'default'] },
  Hono: {
    code: `import { Hono } from 'hono'
const app = new Hono()
app.get('/hello/:name', (c) => c.json((${GREET})(c.req.param('name'), Number(c.req.query('times')))))
const text = ${ASK}`,
    conditions: ['import'],
  },
  'Hono + zod': {
    code: `import { Hono } from 'hono'
import { z } from 'zod'
import { zValidator } from '@hono/zod-validator'
const app = new Hono()
const query = z.object({ times: z.coerce.number().int().min(1).max(3).default(1) })
app.get('/hello/:name', zValidator('query', query), (c) =>
  c.json((${GREET})(c.req.param('name'), c.req.valid('query').times)))
const text = ${ASK}`,
    conditions: ['import'],
  },
  'Fastify 5': {
    code: `import { fastify } from 'fastify5'
const app = fastify()
app.get('/hello/:name', { schema: ${SCHEMA} }, (request) => (${GREET})(request.params.name, request.query.times))
const text = (await app.inject('/hello/world?times=2')).body`,
    conditions: ['node', 'import', 'default'],
  },
}

const REPORT = `
if (text !== '[{"hello":"world"},{"hello":"world"}]') throw new Error(text)
const { user, system } = process.cpuUsage()
console.log(JSON.stringify({ cpu: (user + system) / 1000, rss: process.memoryUsage.rss() / 1e6 }))
process.exit(0)
`

/** Measures each subject in new processes; the least of them is printed. @param {string} node */
export async function measureStarts(node) {
  // Below the benchmarks, where bundlers find the frameworks.
  const folder = mkdtempSync(path.join(import.meta.dirname, 'start-'))
  try {
    /** @type {(string | number)[][]} */
    const rows = []
    for (const [name, { code, conditions }] of Object.entries(SUBJECTS)) {
      const entry = path.join(folder, 'entry.mjs')
      const file = path.join(folder, `${rows.length}.mjs`)
      writeFileSync(entry, code + REPORT)
      const build = await rolldown({
        input: entry,
        platform: 'node',
        resolve: { conditionNames: conditions },
        logLevel: 'silent',
      })
      await build.write({ file, format: 'esm', minify: true, codeSplitting: false })
      const runs = Array.from({ length: TIMES }, () => {
        /** @type {{ cpu: number, rss: number }} */
        const found = JSON.parse(execFileSync(node, [file], { encoding: 'utf8' }))
        return found
      })
      const least = (/** @type {'cpu' | 'rss'} */ what) =>
        Math.min(...runs.map((one) => one[what])).toFixed(0)
      rows.push([name, (readFileSync(file).length / 1000).toFixed(0), least('cpu'), least('rss')])
    }
    return rows
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
