import { describe, expect, it } from 'vitest'
import { STRICT_RULES } from '../../src/document/schema-rules.ts'
import type { AjvSettings } from '../../src/options.ts'
import { readPolicy } from '../../src/validator/policy.ts'

const custom = (customOptions: object) => readPolicy({ customOptions })

describe('without settings of Ajv', () => {
  it('our own code decides, and coerces, fills and removes as the baseline has it', () => {
    const policy = readPolicy()
    expect(policy).toMatchObject({ checked: true, lenient: false, opaque: false, onlyAjv: undefined })
    expect(policy.patterns).toEqual({ maxLengthGuards: true })
    expect(policy.settings).toEqual({
      coercion: 'array',
      defaults: true,
      remove: true,
      allErrors: false,
      errorLimit: undefined,
      removesByBranch: false,
      narrowsUnions: false,
      verbose: false,
      messages: true,
      finiteNumbers: true,
      exactIntegers: false,
      inlineRefs: true,
      loopRequired: 200,
    })
  })

  it('undeclared properties refuse a branch where they are removed by branch', () => {
    expect(readPolicy({}, { unionRemoval: 'branch' }).settings?.removesByBranch).toBe(true)
    expect(readPolicy({}, { unionRemoval: 'each' }).settings?.removesByBranch).toBe(false)
    for (const removeAdditional of [false, 'all'] as const) {
      const { settings } = readPolicy({ customOptions: { removeAdditional } }, { unionRemoval: 'branch' })
      expect(settings?.removesByBranch).toBe(false)
    }
  })

  it('integers are those of JavaScript, unless exact ones are wanted, or those of 64 bits', () => {
    const exactIntegersWith = (integers: 'number' | 'exact' | 'bigint'): unknown =>
      readPolicy({}, { integers }).settings?.exactIntegers
    expect([exactIntegersWith('number'), exactIntegersWith('exact'), exactIntegersWith('bigint')]).toEqual([
      false,
      true,
      'notInt64',
    ])
  })

  it('errors of unions are marked where those of one branch are wanted', () => {
    expect(readPolicy({}, { unionErrors: 'branch' }).settings?.narrowsUnions).toBe(true)
  })

  it('errors are limited, unless all are wanted', () => {
    expect(readPolicy({}, { errorLimit: 7 }).settings?.errorLimit).toBe(7)
    expect(readPolicy({ customOptions: { allErrors: true } }, { errorLimit: 7 }).settings?.errorLimit).toBe(
      undefined,
    )
  })
})

describe('options that our own code follows', () => {
  it('change what it does', () => {
    expect(custom({ useDefaults: false }).settings?.defaults).toBe(false)
    expect(custom({ removeAdditional: false }).settings?.remove).toBe(false)
    expect(custom({ removeAdditional: 'all' }).settings?.remove).toBe('all')
    expect(custom({ removeAdditional: undefined }).settings?.remove).toBe(false)
    expect(custom({ allErrors: true }).settings?.allErrors).toBe(true)
    expect(custom({ allErrors: true }).patterns).toEqual({ maxLengthGuards: false })
    expect(custom({ verbose: true, messages: false }).settings).toMatchObject({
      verbose: true,
      messages: false,
    })
    expect(custom({ strict: false }).settings?.finiteNumbers).toBe(false)
    expect(custom({ strict: true, inlineRefs: 5, loopRequired: 3 }).settings).toMatchObject({
      finiteNumbers: true,
      inlineRefs: 5,
      loopRequired: 3,
    })
  })

  it.each([
    ['array', 'array'],
    [true, true],
    [false, false],
    [undefined, false],
  ] as const)('set the coercion: %s', (coerceTypes, coercion) => {
    expect(custom({ coerceTypes }).settings?.coercion).toBe(coercion)
  })

  it.each([
    { useDefaults: false },
    { coerceTypes: true },
    { removeAdditional: 'all' },
    { allErrors: true },
    { verbose: true },
    { messages: false },
    { strictTypes: undefined, formats: undefined },
    { $data: undefined, discriminator: undefined, unicodeRegExp: undefined, validateFormats: undefined },
    { formats: {} },
    { formats: { own: /x/, untested: true } },
    { keywords: ['kind', 'modifier', 'example', { keyword: ['own', 'other'] }] },
    { strictTypes: false, strictTuples: 'log', strictRequired: false, logger: false },
    { allowUnionTypes: true, allowMatchingProperties: true },
    { $data: false, addUsedSchema: false, discriminator: false, inlineRefs: true, loopEnum: 200, meta: true },
    { ownProperties: false, unicodeRegExp: true, validateFormats: true, validateSchema: true },
  ] as const)('are decided by our own code: %j', (customOptions) => {
    const policy = custom(customOptions)
    expect([policy.checked, policy.onlyAjv]).toEqual([true, undefined])
  })
})

describe('settings with which Ajv decides', () => {
  const EVERY_VALUE: readonly (readonly [AjvSettings, string])[] = [
    [{ plugins: [() => {}] }, 'ajv.plugins'],
    [{ onCreate: () => {} }, 'ajv.onCreate'],
    [{ mode: 'JTD' }, "ajv.mode: 'JTD'"],
    [{ customOptions: { ownProperties: true } }, 'ajv.customOptions.ownProperties'],
    [{ customOptions: { verbose: true, formats: { url: true } } }, 'ajv.customOptions.formats'],
    [{ customOptions: { keywords: ['maximum'] } }, 'ajv.customOptions.keywords'],
    [{ customOptions: { keywords: ['a', 'a'] } }, 'ajv.customOptions.keywords'],
    [{ customOptions: { keywords: ['not a name'] } }, 'ajv.customOptions.keywords'],
    [{ customOptions: { keywords: [{ keyword: 'example' }] } }, 'ajv.customOptions.keywords'],
    [{ customOptions: { useDefaults: 'empty' } }, 'ajv.customOptions.useDefaults'],
    [{ customOptions: { removeAdditional: 'failing' } }, 'ajv.customOptions.removeAdditional'],
    [{ onCreate: () => {}, customOptions: { strict: false } }, 'ajv.onCreate'],
  ]

  it.each(EVERY_VALUE)('about every value: %o', (settings, name) => {
    const policy = readPolicy(settings)
    expect([policy.settings, policy.onlyAjv]).toEqual([undefined, name])
  })

  it.each([
    { strictTypes: true },
    { strict: true, allowUnionTypes: true },
    { strictRequired: true },
    { inlineRefs: false },
    { validateSchema: false },
    { logger: console, strict: 'log' },
  ] as const)('about what looks do not accept: %j', (customOptions) => {
    const policy = custom(customOptions)
    expect([policy.checked, policy.lenient, policy.settings !== undefined]).toEqual([false, false, true])
    expect(policy.onlyAjv).toBe(`ajv.customOptions.${Object.keys(customOptions)[0]}`)
  })

  it('include options that the engine does not know', () => {
    const policy = custom({ ofLaterVersions: true })
    expect([policy.settings, policy.onlyAjv]).toEqual([undefined, 'ajv.customOptions.ofLaterVersions'])
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
    { strict: false, formats: { own: true }, keywords: ['kind'] },
    { strict: 'log' },
    { strict: 'log', logger: false },
    { strict: false, logger: console },
    { strictSchema: false, strictTypes: false, strictTuples: false, logger: console },
    { strictSchema: false },
  ] as const)('schemas are decided by our own code: %j', (customOptions) => {
    const policy = custom(customOptions)
    expect([policy.checked, policy.lenient, policy.settings !== undefined]).toEqual([false, true, true])
    expect(policy.onlyAjv).toBeUndefined()
  })

  it.each<readonly [AjvSettings]>([
    [{ customOptions: { strict: 'log', logger: console } }],
    [{ customOptions: { strict: false, strictSchema: 'log', logger: console } }],
    [{ customOptions: { strict: false, strictTypes: 'log', logger: console } }],
    [{ customOptions: { strict: false, strictTuples: 'log', logger: console } }],
    [{ customOptions: { strict: false, strictRequired: 'log', logger: console } }],
    [{ customOptions: { strict: 'log', strictSchema: false, logger: console } }],
    [{ customOptions: { strictSchema: false, strictTypes: false, logger: console } }],
    [{ customOptions: { strictSchema: false, strictTuples: false, logger: console } }],
    [{ customOptions: { strict: false, strictSchema: true } }],
    [{ customOptions: { strict: true, strictSchema: false } }],
    [{ customOptions: { strict: false, strictTypes: true } }],
    [{ customOptions: { strict: true } }],
    [{ customOptions: { logger: false } }],
    [{ customOptions: { strict: false, inlineRefs: false } }],
    [{ customOptions: { strict: false }, plugins: [() => {}] }],
  ])('that holds for no other settings: %o', (settings) => {
    expect(readPolicy(settings).lenient).toBe(false)
  })
})

describe('what the application has of its own', () => {
  it('may be names of keywords and formats, which schemas may then have', () => {
    const { rules } = custom({ keywords: ['kind', { keyword: 'own' }], formats: { free: true, even: /x/ } })
    expect(rules).toMatchObject({
      annotations: new Set(['kind']),
      keywords: new Set(['own']),
      untestedFormats: new Set(['free']),
      formats: new Set(['even']),
    })
    expect(readPolicy({ customOptions: { keywords: ['kind'] }, onCreate: () => {} }).rules).toBe(STRICT_RULES)
  })

  it.each<readonly [AjvSettings, boolean]>([
    [{ plugins: [() => {}] }, true],
    [{ onCreate: () => {} }, true],
    [{ mode: 'JTD' }, true],
    [{ customOptions: { keywords: [{ keyword: 'own' }] } }, true],
    [{ customOptions: { keywords: ['kind'], formats: { own: /x/ } } }, false],
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
