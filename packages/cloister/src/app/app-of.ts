import { typeName, isFunction } from '../guards.ts'
import { kApp } from '../symbols.ts'
import { CloisterApp } from './cloister-app.ts'

/**
 * Returns the app behind an instance that a tool was given.
 *
 * @param refuse - makes the error of anything else; `got` says what that is
 */
export function appOf(instance: object, refuse: (got: string) => Error): CloisterApp {
  const app: unknown = Reflect.get(instance, kApp)
  if (app instanceof CloisterApp) return app
  throw refuse(
    isFunction(Reflect.get(instance, 'explain'))
      ? 'one of another copy of cloister; install one copy (npm ls cloister lists them)'
      : typeName(instance),
  )
}
