import { typeName } from '../guards.ts'

/** Says what a value is that tools were given in place of an app: often one of a second copy of this package. */
export function whatIsNoApp(value: object): string {
  if (typeof Reflect.get(value, 'explain') !== 'function') return typeName(value)
  return 'one of another copy of cloister; install one copy (npm ls cloister lists them)'
}
