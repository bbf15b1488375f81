import { typeName, isFunction } from '../guards.ts'
import { kApp } from '../symbols.ts'
import { CloisterApp } from './cloister-app.ts'

/**
 * Returns the app of an instance that was passed to a tool.
 *
 * @param refuse - creates the error for a value that is not an instance; `got` describes the value
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
