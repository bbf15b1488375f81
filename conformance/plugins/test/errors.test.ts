// Plugins that throw plain objects: the object is the response, with its own status.
import { expect, it } from 'vitest'
import { describePlugin, json, start, type Untyped } from '../subject.ts'

describePlugin('rate-limit', ({ use, createApp }) => {
  it('responds with the body that errorResponseBuilder makes', async () => {
    const app = createApp()
    const errorResponseBuilder = (_request: unknown, { statusCode }: Untyped): object => ({
      statusCode,
      own: true,
    })
    await app.register(use('rate-limit'), { max: 1, errorResponseBuilder })
    app.get('/', () => 'x')
    const url = await start(app)
    await fetch(url)
    const refused = await fetch(url)
    expect([refused.status, await json(refused)]).toEqual([429, { statusCode: 429, own: true }])
  })
})

describePlugin('compress', ({ use, createApp }) => {
  it('responds with the body that onUnsupportedRequestEncoding makes', async () => {
    const app = createApp()
    const onUnsupportedRequestEncoding = (): object => ({ statusCode: 400, own: true })
    await app.register(use('compress'), { onUnsupportedRequestEncoding })
    app.post('/', () => 'x')
    const headers = { 'content-type': 'application/json', 'content-encoding': 'what' }
    const refused = await fetch(await start(app), { method: 'POST', body: '{}', headers })
    expect([refused.status, await json(refused)]).toEqual([400, { statusCode: 400, own: true }])
  })
})
