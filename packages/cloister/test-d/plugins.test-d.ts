/* oxlint-disable typescript/ban-ts-comment, eslint/no-unused-expressions -- a type test also says what must not compile */

import type { Buffer } from 'node:buffer'

import { plugin } from '@cloister/plugin'
import type {
  Cloister,
  Ctx,
  FastifyInstance,
  FastifyPluginAsync,
  FastifyPluginCallback,
  FastifyPluginOptions,
} from 'cloister'
import type { AddContentTypeParser } from 'cloister/types'

import { app, definePlugin, is, it, shop } from './support.ts'
import type { Database } from './support.ts'

interface Mailer {
  send(to: string): void
}
declare const mailer: Mailer

it('widens the parent by what a wrapped plugin returns', () => {
  const mail = plugin(async (instance: Cloister) => instance.decorate('mailer', mailer))
  is<Mailer>()(app.register(mail).mailer)
})

it('widens requests and replies of the parent as well', () => {
  const session = plugin((instance: Cloister) =>
    instance.decorateRequest('session', '').decorateReply('end', () => 1),
  )
  app.register(session).get('/', (request, reply) => {
    is<string>()(request.session)
    is<number>()(reply.end())
  })
})

it('leaves the parent alone when the helper is told to encapsulate', () => {
  const mail = plugin(async (instance: Cloister) => instance.decorate('mailer', mailer), {
    encapsulate: true,
  })
  // @ts-expect-error -- the plugin keeps its context
  app.register(mail).mailer
})

it('widens by several plugins, one after the other', () => {
  const one = plugin((instance: Cloister) => instance.decorate('one', 1))
  const two = plugin((instance: Cloister<Ctx<{ one: number }>>) => instance.decorate('two', instance.one + 1))
  const both = app.register(one).register(two)
  is<number>()(both.one)
  is<number>()(both.two)
})

it('refuses a plugin that comes before what it needs', () => {
  const two = plugin((instance: Cloister<Ctx<{ one: number }>>) => instance.decorate('two', instance.one + 1))
  // @ts-expect-error -- nobody decorated 'one'
  app.register(two)
})

it('takes what a defined plugin provides, in the style of statements', () => {
  const mail = definePlugin<{ provides: { app: { mailer: Mailer } } }>({
    name: 'mail',
    plugin(instance) {
      instance.decorate('mailer', mailer)
    },
  })
  is<Mailer>()(app.register(mail).mailer)
})

it('gives a defined plugin what it needs', () => {
  const stock = definePlugin<{
    needs: { app: { db: Database } }
    provides: { app: { stock: () => number } }
  }>({
    plugin: (instance) => instance.decorate('stock', () => instance.db.find('1').stock),
  })
  is<number>()(shop.register(stock).stock())
  // @ts-expect-error -- this app has no database
  app.register(stock)
})

it('checks what a defined plugin returns against what it says it provides', () => {
  definePlugin<{ provides: { app: { mailer: Mailer } } }>({
    // @ts-expect-error -- it provides something else
    plugin: (instance) => instance.decorate('post', mailer),
  })
})

it('gives a defined plugin its options, and asks for them', () => {
  const mail = definePlugin<{ options: { from: string } }>({
    plugin(instance, options) {
      is<string>()(options.from)
    },
  })
  app.register(mail, { from: 'us' })
  // @ts-expect-error -- 'from' is missing
  app.register(mail)
  // @ts-expect-error -- 'from' is a string
  app.register(mail, { from: 1 })
})

it('asks for no options where none is required', () => {
  const quiet: FastifyPluginAsync<{ level?: number }> = async () => {}
  app.register(quiet)
  app.register(quiet, { level: 1, prefix: '/x' })
})

it('takes an interface as the options of a plugin', () => {
  interface Settings {
    readonly path: string
  }
  function mount<Options extends FastifyPluginOptions>(options: Options): Options {
    return options
  }
  const settings: Settings = { path: '/graphql' }
  is<Settings>()(mount(settings))
})

it('takes options from a function of the parent', () => {
  const mail: FastifyPluginAsync<{ from: string }> = async () => {}
  shop.register(mail, (parent) => ({ from: parent.db.find('1').id }))
})

it('registers plugins that are typed for the peer', () => {
  const callback: FastifyPluginCallback<{ depth: number }> = (instance, options, done) => {
    instance.get('/', () => options.depth)
    done()
  }
  shop.register(callback, { depth: 1 })
  shop.register(async (instance: FastifyInstance) => {
    instance.addHook('onRequest', async () => {})
  })
})

it('takes the options of a plugin as the type argument of register, as code for Fastify writes it', () => {
  const limits: FastifyPluginAsync<{ max: number }> = async () => {}
  is<string>()(shop.register<{ max: number }>(limits, { max: 1 }).db.find('1').id)
  shop.register<{ max: number }>(
    async (child, options) => {
      is<string>()(child.db.find('1').id)
      is<number>()(options.max)
    },
    { max: 1 },
  )
  // @ts-expect-error max is a number
  shop.register<{ max: number }>(limits, { max: 'one' })
})

it('registers modules and promises of them', () => {
  const named = { default: async (instance: Cloister) => instance.decorate('x', 1) }
  app.register(named)
  app.register(Promise.resolve(named))
})

it('widens by a wrapped plugin that comes out of a module', () => {
  const named = { default: plugin((instance: Cloister) => instance.decorate('late', 1)) }
  is<number>()(app.register(Promise.resolve(named)).late)
})

it('carries shared schemas out of a wrapped plugin', () => {
  const schemas = plugin((instance: Cloister) =>
    instance.addSchema({
      $id: 'tag',
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
    }),
  )
  app
    .register(schemas)
    .post('/', { schema: { body: { $ref: 'tag#' } } }, (request) => is<string>()(request.body.name))
})

it('follows routes into a plugin in another file', () => {
  const routes = async (instance: Cloister<Ctx<{ readonly db: Database }>>): Promise<void> => {
    instance.get('/stock/:id', (request) => instance.db.find(request.params.id))
  }
  shop.register(routes, { prefix: '/shop' })
})

it('registers plugins that are typed by an instance under any prefix', () => {
  app.register(async (instance: Cloister) => instance.get('/', () => 'x'), { prefix: '/v1' })
  shop.register(async (instance: typeof shop) => is<Database>()(instance.db), { prefix: '/v1' })
  const build = () => app.decorate('mailer', mailer)
  build().register(async (instance: ReturnType<typeof build>) => is<Mailer>()(instance.mailer), {
    prefix: '/v1',
  })
})

it('hands an instance under a prefix to code that is typed by another', () => {
  const addRoutes = (instance: Cloister): void => {
    instance.get('/:id', (request) => is<{ id: string }>()(request.params))
  }
  app.register(async (child) => addRoutes(child), { prefix: '/v1' })
})

it('knows the parameters of the prefix where the prefix is known', () => {
  app.register(
    async (child) => {
      child.get('/:id', (request) => is<{ shelf: string; id: string }>()(request.params))
    },
    { prefix: '/:shelf' },
  )
})

it('takes plugins of generic code', () => {
  const one = <P extends FastifyPluginAsync>(routes: P) => app.register(routes)
  const two = <O extends object>(routes: FastifyPluginAsync<O>, options: O) => app.register(routes, options)
  const three = <T extends Cloister>(instance: T) =>
    instance.register(async (child) => child.get('/', () => 'x'), { prefix: '/v1' })
  return [one, two, three]
})

it('gives the options of body parsers to libraries that read them from the parameters', () => {
  type Add = Parameters<FastifyInstance['addContentTypeParser']>
  const options: Omit<Add[1], 'parseAs'> = { bodyLimit: 10 }
  const of = (parseAs: Add[1]['parseAs'], mediaTypes: Add[0]): void =>
    void app.addContentTypeParser(mediaTypes, { ...options, parseAs }, (_request, body, done) => {
      is<string | Buffer>()(body)
      done(null, body)
    })
  of('buffer', ['text/csv'])
  const given = (add: Parameters<AddContentTypeParser>): void => is<Add>()(add)
  void given
  const parsed: Add[2] = async (_request, body) => body.length
  app
    .addContentTypeParser('a/a', options, async (_request, stream) =>
      is<number | undefined>()(stream.receivedEncodedLength),
    )
    .addContentTypeParser('a/b', async (_request, stream) =>
      is<number | undefined>()(stream.receivedEncodedLength),
    )
    .addContentTypeParser('a/c', { parseAs: 'string' }, async (_request, body) => is<string>()(body))
    .addContentTypeParser('a/d', { parseAs: 'buffer', bodyLimit: 1 }, async (_request, body) =>
      is<Buffer>()(body),
    )
    .addContentTypeParser(/^a\//, { parseAs: 'string' }, parsed)
  // @ts-expect-error text is no bytes
  app.addContentTypeParser('a/e', { parseAs: 'string' }, async (_request, body: Buffer) => body)
  // @ts-expect-error the parser gets a stream
  app.addContentTypeParser('a/f', async (_request, body: Buffer) => body)
  // @ts-expect-error bodies are text or bytes
  app.addContentTypeParser('a/g', { parseAs: 'json' }, async (_request, body) => body)
})
