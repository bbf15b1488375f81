// What code can throw, from the usual to the hostile. Each is made anew.

function revokedProxy(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

function trappingProxy(): unknown {
  const trap = (): never => {
    throw new Error('trapped')
  }
  return new Proxy({}, { get: trap, has: trap, getPrototypeOf: trap, ownKeys: trap })
}

function withGetters(target: object, ...names: readonly string[]): object {
  for (const name of names) {
    Object.defineProperty(target, name, {
      enumerable: true,
      get() {
        throw new Error(`the getter of ${name} throws`)
      },
    })
  }
  return target
}

function cyclic(): object {
  const value: Record<string, unknown> = { statusCode: 422 }
  value['self'] = value
  return value
}

/** Odd values by name. */
export const ODD_VALUES: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  'a text': () => 'text',
  'an empty text': () => '',
  zero: () => 0,
  'a number': () => 7,
  'not a number': () => Number.NaN,
  false: () => false,
  true: () => true,
  'a bigint': () => 7n,
  'a symbol': () => Symbol('odd'),
  'a function': () => (): number => 1,
  'an empty object': () => ({}),
  'a plain object': () => ({ message: 'plain' }),
  'a plain object with a status': () => ({ statusCode: 422, message: 'bad' }),
  'a plain object with a bad status': () => ({ statusCode: 'many', status: 9999 }),
  'a frozen object': () => Object.freeze({ statusCode: 409 }),
  'an object without a prototype': () => Object.assign(Object.create(null), { statusCode: 422 }),
  'an array': () => [1, 2],
  'a buffer': () => Buffer.from('bytes'),
  'a map': () => new Map([[1, 2]]),
  'a circle': cyclic,
  'an object with then': () => ({ then: () => {} }),
  'an object whose then is no function': () => ({ then: 1 }),
  'an object whose then throws': () => withGetters({}, 'then'),
  'an Error': () => new Error('broken'),
  'an Error with a status': () => Object.assign(new Error('gone'), { statusCode: 410 }),
  'an Error with a bad status': () => Object.assign(new Error('odd'), { statusCode: 42, status: {} }),
  'a frozen Error': () => Object.freeze(new Error('frozen')),
  'an Error with bad headers': () => Object.assign(new Error('x'), { headers: { 'bad name': 'ä\n' } }),
  'an Error with getters that throw': () =>
    withGetters(new Error('x'), 'statusCode', 'status', 'headers', 'code', 'message', 'stack'),
  'an object with getters that throw': () => withGetters({}, 'statusCode', 'message', 'pipe', 'toJSON'),
  'an object with a tag that throws': () => ({
    get [Symbol.toStringTag](): string {
      throw new Error('the tag throws')
    },
  }),
  'a revoked Proxy': revokedProxy,
  'a trapping Proxy': trappingProxy,
}
