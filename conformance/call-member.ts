/**
 * Calls a member that the shape of the harness leaves open (`request.validateInput` and the like), so that a suite
 * needs no cast.
 */
export function callMember(target: object, name: string, ...args: readonly unknown[]): unknown {
  const member: unknown = Reflect.get(target, name)
  if (typeof member !== 'function') throw new Error(`${name} is not a function`)
  return Reflect.apply(member, target, args)
}

/** Calls a value that is known to be a function. */
export function callFunction(value: unknown, ...args: readonly unknown[]): unknown {
  if (typeof value !== 'function') throw new Error('not a function')
  return Reflect.apply(value, undefined, args)
}
