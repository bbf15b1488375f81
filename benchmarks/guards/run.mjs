// node benchmarks/guards/run.mjs [slices] [calls]   after `npm run build`
//
// CPU of one request (inject) behind five synchronous guards, beside five hooks that do the same and decorations for their
// values, and beside neither. The apps are in this process and take turns; the least of the slices counts.
import { cloister } from 'cloister'

const NAMES = ['one', 'two', 'three', 'four', 'five']
const [slices = 40, calls = 4000] = process.argv.slice(2).map(Number)

/** @typedef {ReturnType<typeof cloister>} App */

/** @param {Record<string, unknown>} request */
const read = (request) => ({ sum: NAMES.reduce((sum, name) => sum + Number(request[name]), 0) })

/** @param {{ readonly url: string }} request */
const valueOf = (request) => request.url.length

/** @type {Readonly<Record<string, (app: App) => void>>} */
const APPS = {
  neither: (app) => {
    app.get('/', (request) => ({ sum: NAMES.length * valueOf(request) }))
  },
  'five hooks': (app) => {
    for (const name of NAMES) {
      app.decorateRequest(name, 0)
      app.addHook('onRequest', (request, _reply, done) => {
        Object(request)[name] = valueOf(request)
        done()
      })
    }
    app.get('/', (request) => read(Object(request)))
  },
  'five guards': (app) => {
    for (const name of NAMES) app.addGuard(name, valueOf)
    app.get('/', (request) => read(Object(request)))
  },
}

const subjects = await Promise.all(
  Object.entries(APPS).map(async ([name, fill]) => {
    const app = cloister()
    fill(app)
    await app.ready()
    return { name, app, costs: /** @type {number[]} */ ([]) }
  }),
)

for (let slice = 0; slice < slices; slice++) {
  for (const [index] of subjects.entries()) {
    const subject = subjects[(index + slice) % subjects.length]
    if (subject !== undefined) subject.costs.push(await measure(subject.app))
  }
}

/**
 * Returns the CPU time of one call in microseconds.
 *
 * @param {App} app
 */
async function measure(app) {
  const start = process.cpuUsage()
  for (let call = 0; call < calls; call++) {
    const { statusCode, body } = await app.inject('/')
    if (statusCode !== 200 || body !== '{"sum":5}') throw new Error(body)
  }
  const { user, system } = process.cpuUsage(start)
  return (user + system) / calls
}

const least = subjects.map(({ name, costs }) => ({
  name,
  // The first quarter warms up.
  us: Math.min(...costs.slice(Math.ceil(slices / 4))),
}))
const hooks = least.find(({ name }) => name === 'five hooks')?.us ?? Number.NaN
for (const { name, us } of least) {
  console.log(`${name.padEnd(12)} ${us.toFixed(2)} µs  ${(us / hooks).toFixed(3)}x of five hooks`)
}
