import { afterEach, describe, expect, it, vi } from 'vitest'
import { createSchemaEngine, SchemaError } from '../src/index.ts'
import type { SchemaEngineOptions } from '../src/options.ts'

const ROUTE = { method: 'POST', url: '/things', callSite: 'app.ts:5' }

function errorOf(options: SchemaEngineOptions, schema: unknown): unknown {
  const engine = createSchemaEngine(options)
  const store = engine.createStore()
  store.add({ $id: 'shared', type: 'object', properties: { a: { type: 'string', format: 'own' } } })
  try {
    engine.compileValidator({ schema, httpPart: 'body', store, route: ROUTE })
    return undefined
  } catch (error) {
    return error
  }
}

const WAY_OUT =
  'give the route a validator of its own with validatorCompiler, or let code be generated (defined at app.ts:5)'
const OBJECT = { type: 'object' }

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('what only Ajv validates, where no code is generated', () => {
  it.each<[string, SchemaEngineOptions['ajv']]>([
    ['ajv.customOptions.$data', { customOptions: { $data: true } }],
    ['ajv.customOptions.strict', { customOptions: { coerceTypes: false, strict: true } }],
    ['ajv.customOptions.formats', { customOptions: { formats: { date: /x/ } } }],
    ['ajv.customOptions.keywords', { customOptions: { keywords: ['type'] } }],
    ['ajv.customOptions.useDefaults', { customOptions: { useDefaults: 'empty' } }],
    ['ajv.customOptions.removeAdditional', { customOptions: { removeAdditional: 'failing' } }],
    ['ajv.plugins', { plugins: [(ajv) => ajv] }],
    ['ajv.onCreate', { onCreate: () => {} }],
    ["ajv.mode: 'JTD'", { mode: 'JTD' }],
  ])('is an error at boot that names the option: %s', (name, ajv = {}) => {
    const error = errorOf({ codeGeneration: 'never', ajv }, OBJECT)
    expect(error).toBeInstanceOf(SchemaError)
    expect(error).toMatchObject({
      code: 'CODE_FORBIDDEN',
      message: `schema of body of route POST /things: only Ajv validates with the option \`${name}\`, it generates code for that, and \`codeGeneration\` is 'never'. Leave the option out, ${WAY_OUT}`,
    })
  })

  it('is an error at boot that names the keyword and its place', () => {
    expect(errorOf({ codeGeneration: 'never' }, { ...OBJECT, $async: true })).toMatchObject({
      code: 'CODE_FORBIDDEN',
      message: expect.stringContaining('only Ajv validates with the keyword "$async", it generates code'),
    })
    const value = { properties: { at: { const: new Date(0) } } }
    expect(errorOf({ codeGeneration: 'never' }, value)).toMatchObject({
      message: expect.stringContaining('only Ajv validates with a value that JSON cannot carry'),
    })
  })

  it('says that the process forbids code', () => {
    vi.stubGlobal('Function', function forbidden() {
      throw new EvalError('Code generation from strings disallowed for this context')
    })
    expect(errorOf({ ajv: { customOptions: { $data: true } } }, OBJECT)).toMatchObject({
      code: 'CODE_FORBIDDEN',
      message: expect.stringContaining('and this process forbids code made of text. Leave the option out'),
    })
  })

  it.each<[string, SchemaEngineOptions]>([
    [
      'options that our own code follows',
      { codeGeneration: 'never', ajv: { customOptions: { allErrors: true } } },
    ],
    ['generated code', { ajv: { customOptions: { $data: true } } }],
  ])('is no error with %s', (_name, options) => {
    expect(errorOf(options, OBJECT)).toBe(undefined)
  })
})
