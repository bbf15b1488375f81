// Cases 11, 12 and 14: what happens before the first request.
import type { App } from '../harness/app-shape.ts'
import { isPeer, subjectName } from '../harness/subject.ts'
import { build } from '../../scripts/lib/build.mjs'
import { run } from '../../scripts/lib/run.mjs'
import { peers } from '../outcome-case.ts'
import type { OutcomeCase } from '../outcome-case.ts'

/** A route without any schema, in a process that may not make code from text. It sees the packages as users do. */
async function startWithoutCodeGeneration(): Promise<string> {
  if (!isPeer) await build()
  const program = `
    import factory from '${subjectName}'
    const app = factory()
    app.get('/books/:id', (request, reply) => { reply.send(request.params) })
    const response = await app.inject('/books/1')
    console.log(response.statusCode, response.payload)`
  const flags = ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', program]
  const { code, output } = await run([process.execPath, ...flags], { cwd: import.meta.dirname })
  if (code === 0) return output.trim()
  return output.includes('EvalError') ? 'Code generation from strings disallowed' : output
}

const ROUTES = 500

/** 500 routes with three shared schemas, as generated APIs have them. */
function addRoutes(app: App): void {
  for (const $id of ['book', 'author', 'problem']) {
    app.addSchema({
      $id,
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'integer' }, name: { type: 'string', minLength: 1 } },
    })
  }
  for (let i = 0; i < ROUTES; i++) {
    app.post(`/books-${i}`, {
      schema: {
        querystring: { type: 'object', properties: { page: { type: 'integer', minimum: 1 } } },
        body: { $ref: 'book#' },
        response: { 200: { $ref: 'author#' }, '4xx': { $ref: 'problem#' } },
      },
      handler: () => ({ id: 1 }),
    })
  }
}

/** How many functions are made from text while something runs: that is what a boot with schemas spends its time on. */
async function countCompiled(work: () => Promise<unknown>): Promise<string> {
  const { Function: original } = globalThis
  let made = 0
  globalThis.Function = new Proxy(original, {
    construct(target, args) {
      made++
      return Reflect.construct(target, args)
    },
    apply(target, self, args) {
      made++
      return Reflect.apply(target, self, args)
    },
  })
  try {
    await work()
  } finally {
    globalThis.Function = original
  }
  return made < 10 ? 'fewer than 10' : String(made)
}

/** The start of an app. */
export const bootCases: readonly OutcomeCase[] = [
  {
    number: '11',
    asks: 'a route works under `--disallow-code-generation-from-strings`',
    probe: startWithoutCodeGeneration,
    outcome: {
      ...peers('Code generation from strings disallowed'),
      cloister: '200 {"id":"1"}',
    },
  },
  {
    number: '12',
    asks: `${ROUTES} routes with three shared schemas: functions compiled at boot`,
    probe: async (createApp) => {
      const app = createApp()
      addRoutes(app)
      return countCompiled(async () => app.ready())
    },
    outcome: { fastify4: '2139', fastify5: '2143', cloister: 'fewer than 10' },
  },
  {
    number: '12a',
    asks: "… with `schemaCompilation: 'eager'`",
    probe: async (createApp) => {
      const app = createApp({ schemaCompilation: 'eager' })
      addRoutes(app)
      return countCompiled(async () => app.ready())
    },
    outcome: { ...peers(null), cloister: 'fewer than 10' },
  },
  {
    number: '14',
    asks: 'the error for a `$ref` to a missing schema names the file and line of the route',
    probe: async (createApp) => {
      const app = createApp()
      app.get('/', { schema: { querystring: { $ref: 'bok#' } } }, () => 'x')
      const error: unknown = await app.ready().then(
        () => null,
        (cause: unknown) => cause,
      )
      const { message, stack } = Object(error)
      if (String(message).includes('requests-of-users/boot.ts:')) return 'in the message'
      return String(stack).includes('requests-of-users/boot.ts:') ? 'in the stack' : 'not at all'
    },
    outcome: { ...peers('not at all'), cloister: 'in the message' },
  },
]
