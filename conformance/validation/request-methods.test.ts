import { callFunction, callMember } from '../call-member.ts'
import type { App, Request } from '../harness/app-shape.ts'
import { code } from '../harness/subject.ts'
import { describeBehind } from '../harness/transports.ts'

const SCHEMA = { type: 'object', properties: { v: { type: 'integer' } }, required: ['v'] }

describeBehind('validation by hand in a request', ({ createApp, send, it, expect }) => {
  /** Runs `step` in a handler of a route with schemas, and gives what it returned. */
  const inRequest = async (step: (request: Request) => unknown, app: App = createApp()): Promise<unknown> => {
    let result: unknown
    const schema = { querystring: SCHEMA, body: { type: 'object', properties: { w: { type: 'boolean' } } } }
    app.post('/', { schema }, async (request) => {
      result = await step(request)
      return 'ran'
    })
    const response = await send(app, { method: 'POST', path: '/?v=1', body: {} })
    expect(response.text).toBe('ran')
    return result
  }

  it('compiles a schema to a function with .errors', async () => {
    const result = await inRequest((request) => {
      const validate = callMember(request, 'compileValidationSchema', SCHEMA)
      const data = { v: '5' }
      const verdicts = [callFunction(validate, data), callFunction(validate, {})]
      return { verdicts, data, errors: Reflect.get(Object(validate), 'errors') }
    })
    expect(result).toEqual({
      verdicts: [true, false],
      data: { v: 5 },
      errors: [expect.objectContaining({ keyword: 'required' })],
    })
  })

  it('compiles a schema once', async () => {
    const result = await inRequest((request) => {
      const first = callMember(request, 'compileValidationSchema', SCHEMA)
      return [
        callMember(request, 'compileValidationSchema', SCHEMA) === first,
        callMember(request, 'getValidationFunction', SCHEMA) === first,
      ]
    })
    expect(result).toEqual([true, true])
  })

  it('gives the function of a part of the route', async () => {
    const result = await inRequest((request) => {
      const query = callMember(request, 'getValidationFunction', 'querystring')
      const body = callMember(request, 'getValidationFunction', 'body')
      return [
        callFunction(query, { v: 1 }),
        callFunction(query, {}),
        callFunction(body, { w: true }),
        callFunction(body, { w: 'word' }),
      ]
    })
    expect(result).toEqual([true, false, true, false])
  })

  it('gives nothing for a part without a schema, and for a schema not compiled', async () => {
    const result = await inRequest((request) => [
      callMember(request, 'getValidationFunction', 'headers') ?? null,
      callMember(request, 'getValidationFunction', { type: 'object' }) ?? null,
    ])
    expect(result).toEqual([null, null])
  })

  it('validates input by a schema', async () => {
    const result = await inRequest((request) => [
      callMember(request, 'validateInput', { v: 1 }, SCHEMA),
      callMember(request, 'validateInput', {}, SCHEMA),
    ])
    expect(result).toEqual([true, false])
  })

  it('validates input by a part of the route', async () => {
    const result = await inRequest((request) => [
      callMember(request, 'validateInput', { v: 1 }, 'querystring'),
      callMember(request, 'validateInput', {}, 'querystring'),
    ])
    expect(result).toEqual([true, false])
  })

  it('throws when the part has no schema and none is given', async () => {
    const result = await inRequest((request) => {
      try {
        callMember(request, 'validateInput', {}, 'headers')
        return 'no error'
      } catch (error) {
        return Reflect.get(Object(error), 'code')
      }
    })
    expect(result).toBe(code('REQ_INVALID_VALIDATION_INVOCATION'))
  })

  it('hands the part to a custom compiler', async () => {
    const app = createApp()
    const seen: unknown[] = []
    app.setValidatorCompiler(({ schema, httpPart, method }) => {
      seen.push([schema, httpPart, method])
      return () => true
    })
    const own = { type: 'string' }
    await inRequest((request) => callMember(request, 'compileValidationSchema', own, 'headers'), app)
    expect(seen).toContainEqual([own, 'headers', 'POST'])
  })

  it('resolves shared schemas', async () => {
    const app = createApp().addSchema({ $id: 'shared', ...SCHEMA })
    const schema = { $ref: 'shared#' }
    const result = await inRequest(
      (request) => [
        callMember(request, 'validateInput', { v: '1' }, schema),
        callMember(request, 'validateInput', {}, schema),
      ],
      app,
    )
    expect(result).toEqual([true, false])
  })

  it('uses the validatorCompiler of the route', async () => {
    const app = createApp()
    let result: unknown
    app.post('/', { validatorCompiler: () => () => 'from the route' }, (request) => {
      result = callMember(request, 'validateInput', {}, { type: 'object' })
      return 'ran'
    })
    await send(app, { method: 'POST', path: '/' })
    expect(result).toBe('from the route')
  })

  it('works in hooks too, and for a route without schemas', async () => {
    const app = createApp()
    const verdicts: unknown[] = []
    app.addHook('preHandler', (request, _reply, done) => {
      verdicts.push(callMember(request, 'validateInput', request.body, SCHEMA))
      done()
    })
    app.post('/', () => 'ran')
    await send(app, { method: 'POST', path: '/', body: { v: 1 } })
    await send(app, { method: 'POST', path: '/', body: {} })
    expect(verdicts).toEqual([true, false])
  })
})
