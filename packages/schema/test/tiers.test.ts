import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createSchemaEngine } from '../src/index.ts'
import type { CodeGeneration } from '../src/options.ts'
import { HOT_CALLS, Tiers } from '../src/tiers.ts'
import { createValidator } from '../src/validator/create-validator.ts'
import type { Accept } from '../src/validator/decider.ts'

/** Validators that say which of their forms has run. */
function recorded(mode: CodeGeneration, generate?: () => Accept) {
  const made: string[] = []
  let ran = ''
  const form = (name: string) => (): Accept => {
    made.push(name)
    return () => {
      ran = name
      return true
    }
  }
  const tiers = new Tiers(mode)
  const add = (): ((value: unknown) => string) => {
    const { validate } = createValidator({
      tiers,
      acceptors: () => ({ mayAccept: true, acceptor: form('closures') }),
      generate: generate ?? form('code'),
      decider: () => {
        throw new Error('no value is refused')
      },
      mapErrors: (errors) => errors,
    })
    return (value) => {
      validate(value)
      return `${ran} ${String(value)}`
    }
  }
  return { add, made }
}

function call(run: (value: unknown) => string, times: number): string[] {
  return Array.from({ length: times }, (_, index) => run(index))
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the forms of a function', () => {
  it('are closures at first and code after many calls, in a turn of the event loop of its own', async () => {
    const { add, made } = recorded('hot')
    const run = add()
    expect(call(run, HOT_CALLS - 1).every((text) => text.startsWith('closures'))).toBe(true)
    await nextTurn()
    expect(made).toEqual(['closures'])
    expect(call(run, 2)).toEqual(['closures 0', 'closures 1'])
    expect(made).toEqual(['closures'])
    await nextTurn()
    expect(made).toEqual(['closures', 'code'])
    expect(run(7)).toBe('code 7')
  })

  it('change one at a time: one in each turn', async () => {
    const { add, made } = recorded('hot')
    for (const run of [add(), add(), add()]) call(run, HOT_CALLS)
    const generated = (): number => made.filter((name) => name === 'code').length
    expect(generated()).toBe(0)
    await nextTurn()
    expect(generated()).toBe(1)
    await nextTurn()
    expect(generated()).toBe(2)
    await nextTurn()
    expect(generated()).toBe(3)
  })

  it.each([
    ['always', 'code'],
    ['never', 'closures'],
  ] as const)('stay what they are with codeGeneration: %s', async (mode, name) => {
    const { add, made } = recorded(mode)
    const run = add()
    call(run, HOT_CALLS + 1)
    await nextTurn()
    expect(run(1)).toBe(`${name} 1`)
    expect(made).toEqual([name])
  })

  it.each(['hot', 'always'] as const)('are closures where the process forbids code (%s)', async (mode) => {
    vi.stubGlobal('Function', function forbidden() {
      throw new EvalError('Code generation from strings disallowed for this context')
    })
    const { add, made } = recorded(mode)
    const run = add()
    call(run, HOT_CALLS + 1)
    await nextTurn()
    expect(run(1)).toBe('closures 1')
    expect(made).toEqual(['closures'])
  })

  it('stay closures when no code can be made', async () => {
    const { add } = recorded('hot', () => {
      throw new Error('no code')
    })
    const run = add()
    call(run, HOT_CALLS)
    await nextTurn()
    expect(run(0)).toBe('closures 0')
  })

  it('are created as code at once only where code is always wanted', () => {
    const modes = ['hot', 'always', 'never'] as const
    expect(modes.map((mode) => recorded(mode).add()(0))).toEqual(['closures 0', 'code 0', 'closures 0'])
    expect(modes.map((mode) => new Tiers(mode).patience)).toEqual([HOT_CALLS, 0, 0])
  })
})

const BODY = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: 'string', minLength: 2, default: 'none' },
    tags: { type: 'array', items: { type: 'string' } },
    of: { anyOf: [{ type: 'null' }, { type: 'object', properties: { x: { type: 'number' } } }] },
  },
  required: ['id'],
  additionalProperties: false,
}

describe('an engine that changes forms under load', () => {
  it('gives the same verdict, data, text and errors on calls 1 to N + 2', async () => {
    const engine = createSchemaEngine()
    const store = engine.createStore()
    const validate = engine.compileValidator({ schema: BODY, httpPart: 'body', store })
    const serialize = engine.compileSerializer({ schema: BODY, store })
    const strict = engine.compileSerializer({ schema: BODY, store, serialization: 'strict' })
    const outcomes = new Set<string>()
    for (let calls = 0; calls < HOT_CALLS + 2; calls++) {
      const good = { id: '7', tags: [1, 'b'], extra: true, of: null }
      const bad = { id: 'x', name: 'n' }
      const verdicts = [validate(good), validate(bad), validate.errors?.map(({ message }) => message)]
      const texts = [serialize({ ...good, of: { x: 1, y: 2 } }), serialize({ id: 1 })]
      let thrown: unknown
      try {
        strict({ id: 1, tags: ['a', 1] })
      } catch (error) {
        thrown = String(error)
      }
      outcomes.add(JSON.stringify([verdicts, good, bad, texts, thrown]))
      if (calls >= HOT_CALLS - 3) await nextTurn()
    }
    expect([...outcomes]).toEqual([
      '[[true,false,["must be integer"]],{"id":7,"tags":["1","b"],"of":null,"name":"none"},{"id":"x","name":"n"},["{\\"id\\":7,\\"name\\":\\"none\\",\\"tags\\":[\\"1\\",\\"b\\"],\\"of\\":{\\"x\\":1}}","{\\"id\\":1,\\"name\\":\\"none\\"}"],"SerializeError: expected a string, got a number (at /tags/1)"]',
    ])
  })

  it('has nothing to compile when it has not been used', () => {
    const engine = createSchemaEngine()
    const store = engine.createStore()
    engine.compileValidator({ schema: BODY, httpPart: 'body', store })
    engine.compileSerializer({ schema: BODY, store })
    expect(engine.compileNext()).toBe(false)
  })
})
