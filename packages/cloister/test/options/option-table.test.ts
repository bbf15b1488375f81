import { runInThisContext } from 'node:vm'
import { describe, expect, it } from 'vitest'

import { checkOptions } from '../../src/options/check-options.ts'
import { OPTIONS } from '../../src/options/option-table.ts'

/** The error that options are refused with. */
function refusal(options: unknown): { readonly code?: string; readonly message: string } | undefined {
  try {
    checkOptions(options)
    return undefined
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
}

const rows = [...OPTIONS]
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

describe('every option of the table', () => {
  it.each(rows.filter(([, row]) => row.default != null))('admits its default: %s', (_name, row) => {
    expect(row.kind.read(row.default)).toEqual(row.default)
  })

  it.each(rows.filter(([, { kind }]) => kind.checked !== 'unknown'))(
    'refuses a value of a wrong type: %s',
    (name, row) => {
      const error = refusal({ [name]: Symbol('wrong') })
      expect(error?.code).toBe(row.refuse === undefined ? 'CLO_ERR_INIT_OPTS_INVALID' : row.refuse('').code)
      if (row.refuse === undefined)
        expect(error?.message).toContain(`'${name}' must be ${row.kind.expected}, got symbol`)
    },
  )

  it.each(rows.filter(([, { example }]) => example !== undefined))(
    'has an example that is accepted, if it has one: %s',
    (name, { example = '' }) => {
      const given: unknown = runInThisContext(`(${example})`)
      expect(isObject(given) && Object.keys(given)).toEqual([name])
      expect(checkOptions(given)).toHaveProperty(name)
    },
  )

  it.each(rows)('says in sentences what it does: %s', (_name, { doc }) => {
    expect(doc).toMatch(/^[A-Z][a-z]+s .*\.$/)
  })
})

describe('a number', () => {
  it('can be a string of digits, as in environment variables', () => {
    expect(checkOptions({ requestTimeout: '5000', maxParamLength: '7' })).toMatchObject({
      requestTimeout: 5000,
      maxParamLength: 7,
    })
    expect(refusal({ requestTimeout: '5s' })?.message).toContain('must be an integer of at least 0, got "5s"')
  })

  it.each(['handlerTimeout', 'pluginTimeout', 'closeGraceMs'])(
    'is refused where a timer could not wait that long and would fire at once: %s',
    (name) => {
      expect(refusal({ [name]: 2_147_483_647 })).toBe(undefined)
      expect(refusal({ [name]: 2_147_483_648 })?.message).toContain(
        `'${name}' must be an integer of at least 0 and at most 2147483647, got 2147483648`,
      )
    },
  )
})
