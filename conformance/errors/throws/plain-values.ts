// What code can throw that is no Error, from the usual to the hostile. Each is made anew.

const hostile = (): never => {
  throw new Error('hostile')
}

function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

/** Throws at whatever is asked of it. */
function trappingProxy(): object {
  const names = [
    'get',
    'has',
    'getPrototypeOf',
    'ownKeys',
    'getOwnPropertyDescriptor',
    'defineProperty',
    'set',
  ]
  return new Proxy({}, Object.fromEntries(names.map((name) => [name, hostile])))
}

/** Has every member, and each is itself: a function that returns itself. */
function endlessProxy(): unknown {
  const proxy: unknown = new Proxy(() => {}, {
    get: () => proxy,
    apply: () => proxy,
    construct: () => Object(proxy),
  })
  return proxy
}

/** Adds getters that throw. */
export function withGetters<T extends object>(target: T, ...names: readonly (string | symbol)[]): T {
  // A stack is made when it is first read, and tools that map it read the message.
  Reflect.get(target, 'stack')
  for (const name of names) Object.defineProperty(target, name, { enumerable: true, get: hostile })
  return target
}

function cyclic(): object {
  const value: Record<string, unknown> = { statusCode: 422 }
  value['self'] = value
  return value
}

/** A member that is another one each time that it is read. */
export function changing(values: readonly unknown[]): () => unknown {
  let reads = 0
  return () => values[Math.min(reads++, values.length - 1)]
}

/** Values by name that are no Errors. */
export const PLAIN_VALUES: Readonly<Record<string, () => unknown>> = {
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
  'an object with getters that throw': () => withGetters({}, 'statusCode', 'message', 'pipe', 'toJSON'),
  'an object with a status that changes': () =>
    Object.defineProperty({ message: 'odd' }, 'statusCode', {
      get: changing([422, 'many', 9999]),
      enumerable: true,
    }),
  'an object with a tag that throws': () => withGetters({}, Symbol.toStringTag),
  'an object that is no text': () =>
    withGetters({ message: 'odd' }, Symbol.toPrimitive, 'toString', 'constructor'),
  'an object whose toJSON throws': () => ({ statusCode: 422, toJSON: hostile }),
  'an object whose toJSON rejects': () => ({ statusCode: 422, toJSON: async () => hostile() }),
  'an object with hostile headers': () => ({ statusCode: 422, headers: revokedProxy() }),
  'a promise that rejects': () => Promise.reject(new Error('nobody waits')),
  'a Response': () => new Response('odd', { status: 418 }),
  'a date that is none': () => new Date(Number.NaN),
  'a revoked Proxy': revokedProxy,
  'a trapping Proxy': trappingProxy,
  'an endless Proxy': endlessProxy,
}
