import type { Ajv, Options } from 'ajv'
import { isLate } from '../../late.ts'

/*
 * Ajv takes any result of a keyword or a format of the application as its verdict. A promise is truthy: an `async`
 * function would accept every value, and its rejection would end the process. Only `$async` schemas wait for
 * promises, of keywords and formats that are declared as asynchronous.
 */

type AnyFunction = (...args: unknown[]) => unknown

function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function'
}

/** Makes the keywords of an instance reject promises, except those declared as asynchronous. */
export function guardKeywords(ajv: Ajv): void {
  for (const rule of Object.values(ajv.RULES.all)) {
    if (typeof rule !== 'object' || Reflect.get(rule.definition, 'async') === true) continue
    const { keyword, definition } = rule
    const validate: unknown = Reflect.get(definition, 'validate')
    const compile: unknown = Reflect.get(definition, 'compile')
    if (isFunction(validate)) Reflect.set(definition, 'validate', atOnce(validate, `keyword '${keyword}'`))
    if (isFunction(compile)) Reflect.set(definition, 'compile', compilingAtOnce(compile, keyword))
  }
}

/** Returns the formats of the application, which then reject promises. */
export function guardFormats(formats: NonNullable<Options['formats']>): NonNullable<Options['formats']> {
  const guarded = { ...formats }
  for (const [name, format] of Object.entries(formats)) {
    if (!isFunction(format)) continue
    const check = atOnce(format, `format '${name}'`)
    guarded[name] = (text: string) => Boolean(check(text))
  }
  return guarded
}

function compilingAtOnce(compile: AnyFunction, keyword: string): AnyFunction {
  return function (this: unknown, ...args: unknown[]): unknown {
    const validate = compile.apply(this, args)
    return isFunction(validate) ? atOnce(validate, `keyword '${keyword}'`) : validate
  }
}

/** Wraps the function of a keyword or format; Ajv reads the problem from its `errors`. */
function atOnce(validate: AnyFunction, what: string): AnyFunction {
  function guarded(this: unknown, ...args: unknown[]): unknown {
    const verdict = validate.apply(this, args)
    if (!isLate(verdict)) return verdict
    throw new TypeError(
      `the ${what} returned a promise, and must return at once; one with async: true is for schemas with $async`,
    )
  }
  return Object.defineProperty(guarded, 'errors', {
    get: (): unknown => Reflect.get(validate, 'errors'),
    set: (errors: unknown) => {
      Reflect.set(validate, 'errors', errors)
    },
  })
}
