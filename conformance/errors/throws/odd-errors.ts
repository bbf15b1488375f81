// Errors that do not behave. Each is made anew.
import { runInNewContext } from 'node:vm'
import { changing, PLAIN_VALUES, withGetters } from './plain-values.ts'

const HUGE = 1_048_576

const odd = (name: string): unknown => PLAIN_VALUES[name]?.()

function withMembers(members: object, message = 'odd'): Error {
  return Object.assign(new Error(message), members)
}

/** Members that `assign` would read. */
function withProperty(name: string, value: unknown): Error {
  return Object.defineProperty(new Error('odd'), name, { value, enumerable: true, configurable: true })
}

function ownCause(): Error {
  const error = new Error('round')
  return Object.assign(error, { cause: error })
}

/** To take many stacks takes long. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    made ??= { value: make() }
    Error.stackTraceLimit = stackTraceLimit
    return made.value
  }
}

const manyCauses = once(() => {
  let error = new Error('the first')
  for (let i = 0; i < 10_000; i++) error = new Error(`number ${i}`, { cause: error })
  return error
})

const manyErrors = once(() => {
  const error = new AggregateError([
    odd('a revoked Proxy'),
    ...Array.from({ length: 5000 }, () => new Error('one')),
  ])
  error.errors.push(error)
  return error
})

const deep = once(() => {
  let value: object = {}
  for (let i = 0; i < 20_000; i++) value = { value }
  return value
})

class Branded extends Error {
  readonly #text = 'branded'
  override get message(): string {
    return this.#text
  }
}

/** Errors by name. */
export const ODD_ERRORS: Readonly<Record<string, () => unknown>> = {
  'an Error': () => new Error('broken'),
  'an Error with a status': () => withMembers({ statusCode: 410 }),
  'an Error with a bad status': () => withMembers({ statusCode: 42, status: {} }),
  'an Error with a status that changes': () =>
    Object.defineProperty(new Error('odd'), 'statusCode', {
      get: changing([422, 'many', 9999]),
      enumerable: true,
    }),
  'a frozen Error': () => Object.freeze(withMembers({ code: 'CLO_ERR_VALIDATION', statusCode: 400 })),
  'an Error with bad headers': () => withMembers({ headers: { 'bad name': 'ä\n' } }),
  'an Error with headers that throw': () => withMembers({ headers: withGetters({}, 'x-odd') }),
  'an Error with headers of no text': () =>
    withMembers({ headers: { 'x-odd': Symbol('odd'), 'x-none': [{}] } }),
  'an Error with hostile headers': () => withProperty('headers', odd('a trapping Proxy')),
  'an Error with getters that throw': () =>
    withGetters(new Error('x'), 'statusCode', 'status', 'headers', 'code', 'message', 'stack'),
  'an Error with all getters that throw': () =>
    withGetters(
      new Error('x'),
      'then',
      'constructor',
      'name',
      'cause',
      'toString',
      'toJSON',
      'validation',
      'errors',
      'stack',
      Symbol.toPrimitive,
      Symbol.toStringTag,
    ),
  'an Error with a symbol for a message': () => withProperty('message', Symbol('odd')),
  'an Error with a message that is no text': () => withProperty('message', odd('an object that is no text')),
  'an Error with a revoked message': () => withProperty('message', odd('a revoked Proxy')),
  'an Error with a huge message': () => new Error('x'.repeat(HUGE)),
  'an Error with a huge stack': () => withProperty('stack', 'x'.repeat(HUGE)),
  'an Error with a symbol for a name': () => withProperty('name', Symbol('odd')),
  'an Error with a symbol for a code': () => withProperty('code', Symbol('odd')),
  'an Error that is its own cause': ownCause,
  'an Error with many causes': manyCauses,
  'an Error with a revoked cause': () => withProperty('cause', odd('a revoked Proxy')),
  'an Error of many errors': manyErrors,
  'an Error with many members': () =>
    withMembers(Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`member${i}`, i]))),
  'an Error with hostile members': () =>
    withMembers({
      one: odd('a revoked Proxy'),
      two: odd('an object whose toJSON throws'),
      three: odd('a circle'),
    }),
  'an Error with a member whose toJSON rejects': () =>
    withMembers({ one: odd('an object whose toJSON rejects') }),
  'an Error with a deep member': () => withMembers({ one: deep() }),
  'an Error with odd violations': () =>
    withMembers({
      validationContext: 'body',
      validation: [odd('a revoked Proxy'), { path: [Symbol('odd')] }],
    }),
  'an Error with hostile violations': () => withProperty('validation', odd('a trapping Proxy')),
  'an Error of another realm': () => runInNewContext('new TypeError("elsewhere")'),
  'an Error with a hostile prototype': () =>
    Object.setPrototypeOf(new Error('odd'), Object(odd('a trapping Proxy'))),
  'a Proxy of an Error': () => new Proxy(new Error('odd'), { get: Reflect.get }),
  'an Error with a private member': () => new Branded(),
  'an heir of an Error with a private member': () => Object.create(new Branded()),
  'a DOMException': () => new DOMException('odd', 'AbortError'),
}
