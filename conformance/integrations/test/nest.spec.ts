import { expect, it } from 'vitest'
import { describeIntegration, json, post, type Untyped } from '../subject.ts'

describeIntegration('@nestjs/platform-fastify', ({ use, closeAfter }) => {
  use('reflect-metadata')

  /**
   * Decorators applied by hand, as the compiler of an application would: `[method, decorators of the method,
   * decorators of its parameters]`.
   */
  const decorate = (
    target: Untyped,
    classDecorators: Untyped[],
    methods: [string, Untyped[], Untyped[]][],
  ): void => {
    for (const [name, decorators, parameters] of methods) {
      for (const [index, decorator] of parameters.entries()) decorator(target.prototype, name, index)
      const descriptor = Object.getOwnPropertyDescriptor(target.prototype, name)
      for (const decorator of decorators) decorator(target.prototype, name, descriptor)
    }
    for (const decorator of classDecorators) decorator(target)
  }

  const makeModule = (): Untyped => {
    const nest = use('@nestjs/common')
    class Books {
      find(id: string): unknown {
        if (id === '0') throw new nest.NotFoundException('no such book')
        return { id }
      }

      add(body: Untyped): unknown {
        return { added: body }
      }

      broken(): unknown {
        throw new Error('broken')
      }

      stream(): unknown {
        return new nest.StreamableFile(Buffer.from('a file'))
      }

      raw(reply: Untyped): void {
        reply.code(202).header('x-own', '1').send({ raw: true })
      }
    }
    decorate(
      Books,
      [nest.Controller('books')],
      [
        ['find', [nest.Get(':id')], [nest.Param('id')]],
        ['add', [nest.Post(), nest.HttpCode(201)], [nest.Body()]],
        ['broken', [nest.Get('is/broken')], []],
        ['stream', [nest.Get('as/stream'), nest.Header('content-type', 'text/plain')], []],
        ['raw', [nest.Get('as/raw')], [nest.Res()]],
      ],
    )
    class Guard {
      canActivate(context: Untyped): boolean {
        return context.switchToHttp().getRequest().headers['x-blocked'] === undefined
      }
    }
    class Root {
      configure(consumer: Untyped): void {
        consumer
          .apply((_request: unknown, response: Untyped, next: () => void) => {
            response.setHeader('x-middleware', 'yes')
            next()
          })
          .forRoutes('*')
      }
    }
    nest.Module({
      controllers: [Books],
      providers: [{ provide: use('@nestjs/core').APP_GUARD, useClass: Guard }],
    })(Root)
    return Root
  }

  const startNest = async (): Promise<{ url: string; app: Untyped }> => {
    const { NestFactory } = use('@nestjs/core')
    const { FastifyAdapter } = use('@nestjs/platform-fastify')
    const app = await NestFactory.create(makeModule(), new FastifyAdapter({ forceCloseConnections: true }), {
      logger: false,
      abortOnError: false,
    })
    closeAfter(app)
    app.enableCors({ origin: 'https://shop.example' })
    app.setGlobalPrefix('api', { exclude: [] })
    await app.listen(0, '127.0.0.1')
    return { url: `http://127.0.0.1:${app.getHttpServer().address().port}/api`, app }
  }

  it('routes to controllers, with parameters, bodies and statuses', async () => {
    const { url } = await startNest()
    expect(await (await fetch(`${url}/books/7`)).json()).toEqual({ id: '7' })
    const added = await post(`${url}/books`, { title: 'T' })
    expect(added).toEqual({ status: 201, body: { added: { title: 'T' } } })
    const form = await fetch(`${url}/books`, { method: 'POST', body: new URLSearchParams({ a: 'b' }) })
    expect(await form.json()).toEqual({ added: { a: 'b' } })
  })

  it('sends its own responses for exceptions, unknown routes and unexpected errors', async () => {
    const { url } = await startNest()
    const missing = await fetch(`${url}/books/0`)
    expect(missing.status).toBe(404)
    expect(await missing.json()).toEqual({ statusCode: 404, error: 'Not Found', message: 'no such book' })
    const unknown = await fetch(`${url}/nowhere`)
    expect(unknown.status).toBe(404)
    expect((await json(unknown)).message).toBe('Cannot GET /api/nowhere')
    const broken = await fetch(`${url}/books/is/broken`)
    expect(broken.status).toBe(500)
    expect(await broken.json()).toEqual({ statusCode: 500, message: 'Internal server error' })
    const malformed = await fetch(`${url}/books`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{',
    })
    expect(malformed.status).toBe(400)
  })

  it('runs guards, middleware and CORS', async () => {
    const { url } = await startNest()
    const blocked = await fetch(`${url}/books/7`, { headers: { 'x-blocked': '1' } })
    expect(blocked.status).toBe(403)
    const response = await fetch(`${url}/books/7`, { headers: { origin: 'https://shop.example' } })
    expect(response.headers.get('x-middleware')).toBe('yes')
    expect(response.headers.get('access-control-allow-origin')).toBe('https://shop.example')
  })

  it('streams files and hands out the reply of the platform', async () => {
    const { url } = await startNest()
    expect(await (await fetch(`${url}/books/as/stream`)).text()).toBe('a file')
    const raw = await fetch(`${url}/books/as/raw`)
    expect(raw.status).toBe(202)
    expect(raw.headers.get('x-own')).toBe('1')
    expect(await raw.json()).toEqual({ raw: true })
  })
})
