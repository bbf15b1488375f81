// `preParsing` hooks that state that they only decode bodies.
import { Readable } from 'node:stream'
import { describeTransports } from '../harness/transports.ts'

const post = (headers: Record<string, string> = {}) => ({
  method: 'POST',
  path: '/',
  headers: { 'content-type': 'application/json', ...headers },
  body: '{"a":1}',
})

describeTransports('hooks that only decode bodies', ({ createApp, send, ours, expect }) => {
  const run = ours('the peers know no such hooks')

  run('run for requests with Content-Encoding and no others', async () => {
    const app = createApp()
    const seen: string[] = []
    const decode = async (_request: unknown, _reply: unknown, payload: unknown): Promise<unknown> => {
      seen.push('decode')
      for await (const chunk of Object(payload)) seen.push(String(chunk))
      return Readable.from([Buffer.from('{"a":2}')])
    }
    app.addHook('preParsing', Object.assign(decode, { [Symbol.for('cloister.decodes')]: true }))
    app.post('/', (request, reply) => void reply.send(request.body))
    expect((await send(app, post())).json()).toEqual({ a: 1 })
    expect(seen).toEqual([])
    expect((await send(app, post({ 'content-encoding': 'own' }))).json()).toEqual({ a: 2 })
    expect(seen).toEqual(['decode', '{"a":1}'])
  })

  run('run for every request beside a hook that reads all bodies, in order', async () => {
    const app = createApp()
    const seen: string[] = []
    const hook = (name: string) => async (): Promise<void> => void seen.push(name)
    app.addHook('preParsing', hook('all'))
    app.addHook('preParsing', Object.assign(hook('decode'), { [Symbol.for('cloister.decodes')]: true }))
    app.post('/', (request, reply) => void reply.send(request.body))
    expect((await send(app, post())).json()).toEqual({ a: 1 })
    expect(seen).toEqual(['all', 'decode'])
  })
})
