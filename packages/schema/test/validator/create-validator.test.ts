import { setImmediate as nextTurn } from 'node:timers/promises'
import { Ajv, type ErrorObject } from 'ajv'
import { describe, expect, it } from 'vitest'
import { NestingError } from '../../src/nesting.ts'
import type { Accept, Decider } from '../../src/validator/decider.ts'
import {
  createAsyncValidator,
  createValidator,
  type LazyValidator,
  type ValidatorParts,
} from '../../src/validator/create-validator.ts'
import { HOT_CALLS, Tiers } from '../../src/tiers.ts'

const ERROR: ErrorObject = {
  instancePath: '',
  schemaPath: '#/type',
  keyword: 'type',
  params: {},
  message: 'no',
}
/** What engines throw when the stack is full. */
const overflow = (): never => {
  throw new RangeError('Maximum call stack size exceeded')
}
const nested = (levels: number): unknown => {
  let value: unknown = {}
  for (let level = 0; level < levels; level++) value = { value }
  return value
}

/** A decider that counts its values and takes the texts among them. */
function recordedDecider(): Decider & { readonly seen: unknown[] } {
  const seen: unknown[] = []
  return {
    seen,
    errorsOf: (data, holder) => {
      seen.push(holder?.value ?? data)
      return typeof data === 'string' ? null : [ERROR]
    },
    errorsOfPart: () => null,
  }
}

interface Given extends Partial<ValidatorParts> {
  readonly acceptor: () => Accept | undefined
  readonly decider: () => Decider
}

/** A validator of which the test gives some parts; the others change nothing. */
function create({ acceptor, ...parts }: Given): LazyValidator {
  return createValidator({
    tiers: null,
    acceptors: () => {
      const accept = acceptor()
      return accept && { mayAccept: true, acceptor: () => accept }
    },
    generate: () => {
      throw new Error('no code')
    },
    mapErrors: (errors) => errors,
    ...parts,
  })
}

describe('a validator', () => {
  it('asks the acceptor first, and the decider about what that refuses', () => {
    const decider = recordedDecider()
    const { validate } = create({
      acceptor: () => (data) => data === 1,
      decider: () => decider,
    })
    expect([validate(1), validate(2), validate.errors]).toEqual([true, false, [ERROR]])
    expect([validate('text'), validate.errors]).toEqual([true, null])
    expect(decider.seen).toEqual([2, 'text'])
  })

  it('has no errors of a call before', () => {
    const { validate } = create({ acceptor: () => (data) => data === 1, decider: recordedDecider })
    expect([validate(2), validate.errors]).toEqual([false, [ERROR]])
    expect([validate(1), validate.errors]).toEqual([true, null])
  })

  it('passes every value to the decider where there is no acceptor', () => {
    const decider = recordedDecider()
    const { validate } = create({ acceptor: () => undefined, decider: () => decider })
    const holder = { value: 5 }
    expect([validate('a'), validate(5, holder)]).toEqual([true, false])
    expect(decider.seen).toEqual(['a', 5])
  })

  it('passes the holder on, to the acceptor and to the decider', () => {
    const holders: unknown[] = []
    const { validate } = create({
      acceptor: () => (_data, holder) => {
        holders.push(holder)
        return false
      },
      decider: () => ({
        errorsOf: (_data, holder) => {
          holders.push(holder)
          return null
        },
        errorsOfPart: () => null,
      }),
    })
    const holder = { value: 1 }
    expect(validate(1, holder)).toBe(true)
    expect(holders).toEqual([holder, holder])
  })

  it('changes the errors of the decider where they are mapped, and only those', () => {
    const mapped: unknown[] = []
    const decider = recordedDecider()
    const { validate } = create({
      acceptor: () => () => false,
      decider: () => decider,
      mapErrors: (errors, data, by) => {
        mapped.push([errors, data, by === decider])
        return [...errors, ERROR]
      },
    })
    expect([validate(1), validate.errors]).toEqual([false, [ERROR, ERROR]])
    expect([validate('a'), validate.errors]).toEqual([true, null])
    expect(mapped).toEqual([[[ERROR], 1, true]])
  })

  it('makes its parts once, when they are needed or when it is prepared', () => {
    const made: string[] = []
    const make = (hasAcceptor: boolean) => {
      made.length = 0
      return create({
        acceptor: () => {
          made.push('acceptor')
          return hasAcceptor ? (data) => data === 1 : undefined
        },
        decider: () => {
          made.push('decider')
          return recordedDecider()
        },
      })
    }
    const lazy = make(true)
    expect(made).toEqual([])
    lazy.validate(1)
    expect(made).toEqual(['acceptor'])
    lazy.validate(2)
    lazy.validate(2)
    expect(made).toEqual(['acceptor', 'decider'])
    const prepared = make(true)
    prepared.prepare()
    prepared.prepare()
    expect(made).toEqual(['acceptor'])
    prepared.prepareRefusal()
    prepared.validate(2)
    expect(made).toEqual(['acceptor', 'decider'])
    make(false).prepare()
    expect(made).toEqual(['acceptor', 'decider'])
  })

  it('passes every value to the decider where no acceptor is useful', () => {
    const decider = recordedDecider()
    const refused = (): never => {
      throw new Error('nothing accepts')
    }
    const { validate } = createValidator({
      tiers: null,
      acceptors: () => ({ mayAccept: false, acceptor: refused }),
      generate: refused,
      decider: () => decider,
      mapErrors: (errors) => errors,
    })
    expect([validate('a'), validate(5)]).toEqual([true, false])
    expect(decider.seen).toEqual(['a', 5])
  })

  it('runs the code that takes the place of the acceptor', async () => {
    const { validate } = create({
      tiers: new Tiers('hot'),
      acceptor: () => () => false,
      generate: () => (data) => data === 1,
      decider: recordedDecider,
    })
    for (let calls = 0; calls < HOT_CALLS; calls++) expect(validate(1)).toBe(false)
    await nextTurn()
    expect([validate(1), validate(2)]).toEqual([true, false])
  })

  it('throws what the acceptor and the decider throw', () => {
    const failing = (): never => {
      throw new TypeError('a getter')
    }
    const deep = nested(200)
    const inAcceptor = create({ acceptor: () => failing, decider: recordedDecider })
    expect(() => inAcceptor.validate(deep)).toThrow('a getter')
    const inDecider = create({
      acceptor: () => undefined,
      decider: () => ({ errorsOf: failing, errorsOfPart: failing }),
    })
    expect(() => inDecider.validate(deep)).toThrow('a getter')
    // A flat value cannot have filled the stack: the application has.
    const inApplication = create({
      acceptor: () => overflow,
      decider: () => ({ errorsOf: overflow, errorsOfPart: overflow }),
    })
    expect(() => inApplication.validate({ a: 1 })).toThrow(RangeError)
  })
})

describe('a validator whose stack was filled by a value', () => {
  const filled = (errorsOf: Decider['errorsOf']) =>
    create({ acceptor: () => overflow, decider: () => ({ errorsOf, errorsOfPart: () => null }) })

  it('asks the decider, which counts levels', () => {
    const seen: unknown[] = []
    const { validate } = filled((data, holder) => {
      seen.push(data, holder)
      return null
    })
    const value = nested(200)
    const holder = { value }
    validate.errors = [ERROR]
    expect([validate(value, holder), validate.errors]).toEqual([true, null])
    expect(seen).toEqual([value, holder])
    const refusing = filled(() => [ERROR])
    expect([refusing.validate(value), refusing.validate.errors]).toEqual([false, [ERROR]])
  })

  it('asks the decider about a flat value too, whose caller has filled the stack', () => {
    const { validate } = filled(() => null)
    expect(validate({ a: 1 })).toBe(true)
  })

  it('refuses the value where no walk comes to its end', () => {
    const tooDeep = (): never => {
      throw new NestingError()
    }
    const reasons = [
      [overflow, 'must be nested less deeply: there is no room on the stack to validate it'],
      [tooDeep, 'must be nested less deeply: at most 5000 levels are validated'],
    ] as const
    for (const [errorsOf, message] of reasons) {
      const decider = { errorsOf, errorsOfPart: errorsOf }
      const alone = create({ acceptor: () => undefined, decider: () => decider })
      for (const { validate } of [filled(errorsOf), alone]) {
        expect(validate(nested(200))).toBe(false)
        expect(validate.errors).toEqual([
          { instancePath: '', schemaPath: '#', keyword: 'nesting', params: {}, message },
        ])
      }
    }
  })

  it('asks the decider once', () => {
    let calls = 0
    const { validate } = filled(() => {
      calls += 1
      return overflow()
    })
    expect([validate(nested(200)), calls]).toEqual([false, 1])
    expect(validate.errors).toMatchObject([{ keyword: 'nesting' }])
  })

  it('throws errors about something else', () => {
    const failing = (): never => {
      throw new TypeError('a getter')
    }
    const inAcceptor = create({ acceptor: () => failing, decider: recordedDecider })
    for (const { validate } of [inAcceptor, filled(failing)]) {
      expect(() => validate(nested(200))).toThrow('a getter')
    }
  })
})

describe('a validator of an asynchronous schema', () => {
  it('is compiled once, and resolves to the data', async () => {
    let compiled = 0
    const { validate, prepare, prepareRefusal } = createAsyncValidator(() => {
      compiled += 1
      return new Ajv().compile({ $async: true, type: 'integer' })
    })
    expect([validate.async, compiled]).toEqual([true, 0])
    prepare()
    prepareRefusal()
    await expect(validate(5)).resolves.toBe(5)
    await expect(validate('x')).rejects.toMatchObject({ errors: [{ keyword: 'type' }] })
    expect(compiled).toBe(1)
  })

  it('rejects a value that is nested too deeply with an error of the client, and others as they are', async () => {
    const failing = (error: Error) =>
      createAsyncValidator(() => {
        const check = new Ajv({
          keywords: [
            {
              keyword: 'fail',
              validate: () => {
                throw error
              },
            },
          ],
        })
        return check.compile({ $async: true, fail: true })
      })
    const rejection = failing(new RangeError('Maximum call stack size exceeded')).validate(nested(200))
    await expect(rejection).rejects.toMatchObject({
      ajv: true,
      validation: true,
      errors: [{ keyword: 'nesting' }],
    })
    await expect(failing(new TypeError('a getter')).validate(nested(200))).rejects.toThrow('a getter')
  })
})
