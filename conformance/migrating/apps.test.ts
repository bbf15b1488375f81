// Two small apps, one of each line, on that line and on Cloister: nothing but the factory changes.
import { describeTransports } from '../harness/transports.ts'
import { buildAppOf4x } from './app-of-4x.ts'
import { buildAppOf5x } from './app-of-5x.ts'

describeTransports('an app of the 4.x line', ({ createApp, send, expect, line4 }) => {
  const OF4 = '5.x has no short form of schemas and none of the old names'

  line4(OF4)('lists and adds, and sends what the schema declares', async () => {
    const app = buildAppOf4x(createApp)
    const added = await send(app, { method: 'POST', path: '/books/', body: { title: 'Emma' } })
    expect([added.status, added.json()]).toEqual([201, { id: 2, title: 'Emma' }])
    const listed = await send(app, { path: '/books?limit=1' })
    expect(listed.json()).toEqual([{ id: 1, title: 'Flatland' }])
  })

  line4(OF4)('responds to validation errors by its error handler', async () => {
    const refused = await send(buildAppOf4x(createApp), { path: '/books?limit=many' })
    expect([refused.status, refused.json()]).toEqual([422, { problem: 'querystring/limit must be integer' }])
  })

  line4(OF4)('redirects and reads the path of its route', async () => {
    const app = buildAppOf4x(createApp)
    expect((await send(app, { path: '/books/old' })).headers['location']).toBe('/books')
    expect((await send(app, { path: '/books/where/1' })).json()).toMatchObject({ path: '/books/where/:id' })
  })
})

describeTransports('an app of the 5.x line', ({ createApp, send, expect, since5 }) => {
  const OF5 = '4.x refuses plugins and options of 5.x'

  since5(OF5)('takes a body, fills in what is missing, and sends what the schema declares', async () => {
    const app = buildAppOf5x(createApp)
    const sent = { method: 'POST', path: '/jobs', headers: { 'x-user': 'ada' }, body: { name: 'build' } }
    const added = await send(app, sent)
    expect([added.status, added.json()]).toEqual([201, { name: 'build', tries: 3, by: 'ada' }])
    expect((await send(app, { ...sent, body: { name: '' } })).status).toBe(400)
  })

  since5(OF5)('knows its route, makes its own ids, and responds to what is missing', async () => {
    const app = buildAppOf5x(createApp)
    const found = await send(app, { path: '/jobs/1', headers: { 'request-id': 'theirs' } })
    expect(found.json()).toMatchObject({ url: '/jobs/:id', method: 'GET', id: 'req-1' })
    for (const path of ['/jobs/0', '/nowhere', '/;a=1']) {
      expect((await send(app, { path })).json()).toEqual({ missing: path })
    }
  })
})
