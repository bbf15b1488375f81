import { describe, expect, it } from 'vitest'
import type { AjvSettings } from '../../src/options.ts'
import { readPolicy } from '../../src/validator/policy.ts'

const custom = (customOptions: object) => readPolicy({ customOptions })

describe('without settings of Ajv', () => {
  it('acceptors and refusers of our own decide, and coerce, fill and remove as the baseline has it', () => {
    const policy = readPolicy()
    expect(policy).toMatchObject({ checked: true, lenient: false, opaque: false, onlyAjv: undefined })
    expect(policy.patterns).toEqual({ maxLengthGuards: true })
    expect(policy.acceptor).toMatchObject({
      defaults: true,
      remove: true,
      removesByBranch: false,
      unions: true,
      isAjvDecider: false,
    })
    expect(policy.acceptor?.coercers.unwraps).toBe(true)
  })

  it('undeclared properties refuse a branch where they are removed by branch', () => {
    expect(readPolicy({}, 'branch').acceptor?.removesByBranch).toBe(true)
    expect(readPolicy({}, 'each').acceptor?.removesByBranch).toBe(false)
    for (const removeAdditional of [false, 'all'] as const)
      expect(readPolicy({ customOptions: { removeAdditional } }, 'branch').acceptor?.removesByBranch).toBe(
        false,
      )
  })
})

describe('options that acceptors follow', () => {
  it('change what they do', () => {
    expect(custom({ useDefaults: false }).acceptor?.defaults).toBe(false)
    expect(custom({ removeAdditional: false }).acceptor?.remove).toBe(false)
    expect(custom({ removeAdditional: 'all' }).acceptor?.remove).toBe('all')
    expect(custom({ removeAdditional: undefined }).acceptor?.remove).toBe(false)
    expect(custom({ allErrors: true }).acceptor?.unions).toBe(false)
    expect(custom({ allErrors: true }).patterns).toEqual({ maxLengthGuards: false })
  })

  it.each([
    ['array', true, 3],
    [true, false, 3],
    [false, false, undefined],
    [undefined, false, undefined],
  ] as const)('set the coercion: %s', (coerceTypes, unwraps, coerced) => {
    const coercers = custom({ coerceTypes }).acceptor?.coercers
    expect(coercers?.unwraps).toBe(unwraps)
    expect(coercers?.get(['integer'])?.value('3')).toBe(coerced)
  })

  it.each([
    { useDefaults: false },
    { coerceTypes: true },
    { removeAdditional: 'all' },
    { allErrors: true },
    { verbose: true },
    { messages: false },
    { strictTypes: undefined, formats: undefined },
  ] as const)('leave the decision to our own code: %j', (customOptions) => {
    const policy = custom(customOptions)
    expect([policy.checked, policy.onlyAjv, policy.acceptor?.isAjvDecider]).toEqual([true, undefined, false])
  })
})

describe('settings with which Ajv decides', () => {
  const EVERY_VALUE: readonly (readonly [AjvSettings, string])[] = [
    [{ plugins: [() => {}] }, 'ajv.plugins'],
    [{ onCreate: () => {} }, 'ajv.onCreate'],
    [{ mode: 'JTD' }, "ajv.mode: 'JTD'"],
    [{ customOptions: { ownProperties: true } }, 'ajv.customOptions.ownProperties'],
    [{ customOptions: { allErrors: true, verbose: true, formats: {} } }, 'ajv.customOptions.formats'],
    [{ customOptions: { useDefaults: 'empty' } }, 'ajv.customOptions.useDefaults'],
    [{ customOptions: { removeAdditional: 'failing' } }, 'ajv.customOptions.removeAdditional'],
    [{ onCreate: () => {}, customOptions: { strict: false } }, 'ajv.onCreate'],
  ]

  it.each(EVERY_VALUE)('about every value: %o', (settings, name) => {
    const policy = readPolicy(settings)
    expect([policy.acceptor, policy.onlyAjv]).toEqual([undefined, name])
  })

  it.each([
    { strictTypes: false },
    { strictRequired: true },
    { inlineRefs: false },
    { validateSchema: false },
  ] as const)('about what acceptors refuse: %j', (customOptions) => {
    const policy = custom(customOptions)
    expect([policy.checked, policy.lenient, policy.acceptor?.isAjvDecider]).toEqual([false, false, true])
    expect(policy.onlyAjv).toBe(`ajv.customOptions.${Object.keys(customOptions)[0]}`)
  })

  it('are no plugins where the list is empty', () => {
    expect(readPolicy({ plugins: [] })).toMatchObject({ checked: true, opaque: false })
  })
})

describe('without strict mode', () => {
  it.each([
    { strict: false },
    { strict: false, logger: false, allowUnionTypes: true, allowMatchingProperties: true },
    { strict: false, coerceTypes: false, messages: false },
  ] as const)('schemas of 2020-12 are decided by our own code: %j', (customOptions) => {
    const policy = custom(customOptions)
    expect([policy.checked, policy.lenient, policy.acceptor?.isAjvDecider]).toEqual([false, true, false])
  })

  it.each<readonly [AjvSettings]>([
    [{ customOptions: { strict: 'log' } }],
    [{ customOptions: { strict: true } }],
    [{ customOptions: { logger: false } }],
    [{ customOptions: { strict: false, inlineRefs: false } }],
    [{ customOptions: { strict: false }, plugins: [() => {}] }],
  ])('that holds for no other settings: %o', (settings) => {
    expect(readPolicy(settings).lenient).toBe(false)
  })
})

describe('what the application has of its own', () => {
  it.each<readonly [AjvSettings, boolean]>([
    [{ plugins: [() => {}] }, true],
    [{ onCreate: () => {} }, true],
    [{ mode: 'JTD' }, true],
    [{ customOptions: { keywords: [] } }, true],
    [{ customOptions: { schemas: [] } }, true],
    [{ customOptions: { schemaId: '$id' } }, true],
    [{ customOptions: { meta: false } }, true],
    [{ customOptions: { strict: false, allErrors: true } }, false],
  ])('may lead to every visible schema: %o', (settings, opaque) => {
    expect(readPolicy(settings).opaque).toBe(opaque)
  })

  it('may be an engine of regular expressions, which is not checked', () => {
    const regExp = Object.assign((source: string, flags: string) => new RegExp(source, flags), { code: 'x' })
    expect(custom({ code: { regExp } }).patterns).toBeUndefined()
    expect(custom({ code: { lines: true } }).patterns).toEqual({ maxLengthGuards: true })
    expect(readPolicy({ mode: 'JTD' }).patterns).toBeUndefined()
  })
})
