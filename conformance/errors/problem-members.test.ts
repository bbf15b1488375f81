// The members of problem details, and the header Vary, in cases that few requests have.
import { describeTransports } from '../harness/transports.ts'

const REASON = 'the peers have no problem details'

const throwing = (fields: object) => (): never => {
  throw Object.assign(new Error('broken'), fields)
}

describeTransports('problem details: members', ({ createApp, send, expect, ours, unlessFetch }) => {
  ours(REASON)('have a type below problemTypeBase only for errors with a code', async () => {
    const app = createApp({ problemDetails: true, problemTypeBase: 'https://example.com/problems#' })
    app.get('/plain', throwing({}))
    app.get('/coded', throwing({ code: 'a b' }))
    expect((await send(app, { path: '/plain' })).json()).toMatchObject({ type: 'about:blank' })
    expect((await send(app, { path: '/coded' })).json()).toMatchObject({
      type: 'https://example.com/problems#a%20b',
    })
  })

  unlessFetch('a URL of the platform is encoded', ours(REASON))(
    'have an instance that is a reference, whatever the target has in it',
    async () => {
      const app = createApp({ problemDetails: true })
      for (const [path, instance] of [
        ['/a"b|c<d>', '/a%22b%7Cc%3Cd%3E'],
        ['/a%4', '/a%254'],
        ['/a%4g', '/a%254g'],
        ['/a%41', '/a%41'],
        ['/a~b(c)', '/a~b(c)'],
      ] as const) {
        expect((await send(app, { path })).json()).toMatchObject({ instance })
      }
    },
  )

  ours(REASON)('list no violations of an error that names no part, or has no list', async () => {
    const app = createApp({ problemDetails: true })
    app.get('/part', throwing({ statusCode: 400, validation: [{ message: 'no' }] }))
    app.get('/list', throwing({ statusCode: 400, validation: 'no', validationContext: 'body' }))
    for (const path of ['/part', '/list']) {
      const response = await send(app, { path })
      expect([response.status, response.json()]).toEqual([
        400,
        { type: 'about:blank', title: 'Bad Request', status: 400, detail: 'broken', instance: path },
      ])
    }
  })

  ours(REASON)('list what validators of an application found, in one shape', async () => {
    const app = createApp({ problemDetails: true })
    const found = [
      'is wrong',
      7,
      { keyword: 7, message: 7, instancePath: 7, params: 7 },
      { message: 'by keys', path: ['a', 0] },
      { message: 'by objects', path: [{ key: 'a/b' }, { key: '~' }] },
      { message: 'of a text', path: 'a' },
      { keyword: 'own', message: 'whole', instancePath: '/a', params: { b: 1 } },
    ]
    app.get('/', throwing({ statusCode: 400, validation: found, validationContext: 'query' }))
    const empty = { part: 'query', pointer: '', keyword: '', message: '', params: {} }
    expect((await send(app, { path: '/' })).json()).toMatchObject({
      errors: [
        { ...empty, message: 'is wrong' },
        empty,
        empty,
        { ...empty, message: 'by keys', pointer: '/a/0' },
        { ...empty, message: 'by objects', pointer: '/a~1b/~0' },
        { ...empty, message: 'of a text' },
        { part: 'query', pointer: '/a', keyword: 'own', message: 'whole', params: { b: 1 } },
      ],
    })
  })

  ours(REASON)('list 100 violations at most, with pointers of 1000 characters at most', async () => {
    const app = createApp({ problemDetails: true })
    const validation = Array.from({ length: 101 }, () => ({ instancePath: 'x'.repeat(1001), message: 'no' }))
    app.get('/', throwing({ statusCode: 400, validation, validationContext: 'body' }))
    const { errors } = Object((await send(app, { path: '/' })).json())
    expect([errors.length, errors[0].pointer.length]).toEqual([100, 1000])
  })
})

describeTransports('problem details: Vary', ({ createApp, send, expect, ours }) => {
  for (const [own, sent] of [
    ['Accept', 'Accept'],
    ['accept', 'accept'],
    ['Origin,ACCEPT', 'Origin,ACCEPT'],
    ['Origin \t,\t Accept', 'Origin \t,\t Accept'],
    ['Accept, Origin', 'Accept, Origin'],
    ['*', '*'],
    ['Origin, *', 'Origin, *'],
    ['Accept-Language', 'Accept-Language, Accept'],
    [['Origin', 'Cookie'], 'Origin, Cookie, Accept'],
  ] as const) {
    ours(REASON)(`is ${JSON.stringify(sent)} where it was ${JSON.stringify(own)}`, async () => {
      const app = createApp({ problemDetails: 'accepted' })
      app.get('/', (_request, reply) => {
        reply.header('vary', own)
        throw new Error('broken')
      })
      expect((await send(app, { path: '/' })).headers['vary']).toBe(sent)
    })
  }
})
