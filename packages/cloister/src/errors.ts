import { userFrame, type CallSite } from './call-site.ts'
import { isLate, isRecord } from './guards.ts'
import { errorTable, type ErrorName } from './error-table.ts'
import { textOf } from './error-text.ts'

/** Who caused an error: the client, the application, or the framework. */
export type Fault = 'client' | 'app' | 'framework'

/** The code of a framework error (`error.code`); see the option `errorCodePrefix`. */
export type ErrorCode = `CLO_ERR_${ErrorName}`

export const CODE_PREFIX = 'CLO_ERR_'

type Placeholders<T extends string> = T extends `${string}{${infer P}}${infer Rest}`
  ? (P extends `${string} ${string}` ? never : P) | Placeholders<Rest>
  : never

/** The values for the placeholders in the message of an error. */
type ErrorDetails<N extends ErrorName> = {
  readonly [K in Placeholders<(typeof errorTable)[N]['message']>]: string | number | CallSite
}

/**
 * An error of the framework.
 *
 * @example
 * ```ts fragment
 * app.setErrorHandler((error, request, reply) => {
 *   if (error.code === 'CLO_ERR_VALIDATION') return reply.code(400).send({ problem: error.message })
 *   return reply.send(error)
 * })
 * ```
 */
export class CloisterError extends Error {
  /** The stable code of the error: its prefix and its name in the catalogue. */
  readonly code: ErrorCode
  /** The HTTP status that the default error handler sends. */
  statusCode: number
  /** Who caused the error. */
  readonly fault: Fault
  /**
   * In development: what to do about a mistake of the application, where it was made, and a link. Absent if `NODE_ENV`
   * is `production` or `test`.
   */
  declare readonly help?: string

  constructor(name: ErrorName, message: string, options?: { readonly cause?: unknown }) {
    super(undefined, options)
    // Set here, the message is enumerable, and serialized when an error is part of a payload.
    this.message = message
    this.name = 'CloisterError'
    this.code = `CLO_ERR_${name}`
    this.statusCode = errorTable[name].status
    this.fault = errorTable[name].fault
  }

  /** The status under the name that `http-errors` uses; exception filters of other frameworks read it. */
  get status(): number {
    return this.statusCode
  }

  /** Whether the message is meant for the client, as in `http-errors`. */
  get expose(): boolean {
    return this.statusCode < 500
  }

  override toString(): string {
    return `${this.name} [${this.code}]: ${this.message}`
  }
}

const PLACEHOLDER = /\{(\w+)\}/g

/**
 * Creates an error of the catalogue.
 *
 * @param name - its name in the catalogue
 * @param details - the values for the placeholders in the message
 * @param options - `cause`, as for every Error
 */
export function createError<N extends ErrorName>(
  name: N,
  details: ErrorDetails<N>,
  options?: { readonly cause?: unknown },
): CloisterError {
  const message = fill(name, details)
  const error = withoutStack(() => new CloisterError(name, message, options))
  Error.captureStackTrace(error, createError)
  const help = error.fault === 'app' ? helpFor(name, message, createError) : null
  return help === null ? error : Object.assign(error, { help })
}

/**
 * Returns the result of an application function that must be synchronous.
 *
 * @throws `CLO_ERR_CALLBACK_NOT_SYNC` if it is a promise
 */
export function atOnce<T>(value: T, name: string): T {
  if (typeof value === 'string' || !isLate(value)) return value
  throw createError('CALLBACK_NOT_SYNC', { name })
}

/**
 * Creates an error of the catalogue without a stack. It doesn't report a fault in code, and taking a stack costs more
 * than the rest of the response.
 */
export function createStacklessError<N extends ErrorName>(name: N, details: ErrorDetails<N>): CloisterError {
  const message = fill(name, details)
  return withoutStack(() => new CloisterError(name, message))
}

/** The page with an anchor for each code. */
const PAGE = 'https://github.com/cloisterjs/cloister/blob/main/docs/errors.md'

/** In tests and production errors have no help: test suites compare errors, and logs should stay short. */
export function isWanted(): boolean {
  const environment = typeof process === 'undefined' ? undefined : process.env['NODE_ENV']
  return environment !== 'production' && environment !== 'test'
}

/** The place of a definition in a message: `(defined at /app/a.js:3)`. */
const HAS_PLACE = /\bdefined at .*:\d+\)/

/**
 * Returns help for a mistake of the application, in development: the remedy, the line of the application (unless the
 * message contains it), and a link to the error's documentation.
 *
 * @param below - the function that the framework called to create the error
 * @returns `null` outside of development
 */
export function helpFor(
  name: ErrorName,
  message: string,
  below: (...args: never[]) => unknown,
): string | null {
  if (!isWanted()) return null
  // A definition is checked during the boot, when the stack has at most the line that awaits it.
  const frame = HAS_PLACE.test(message) ? null : userFrame(below)
  const at = frame === null || message.includes(frame) ? [] : [`It comes from ${frame}.`]
  const { help } = textOf(name)
  return [...(help === undefined ? [] : [help]), ...at, `See ${PAGE}#CLO_ERR_${name}`].join(' ')
}

function fill(name: ErrorName, given: Readonly<Record<string, string | number | CallSite>>): string {
  return textOf(name).message.replace(PLACEHOLDER, (hole: string, key: string) => String(given[key] ?? hole))
}

/** Taking a stack is slow. The caller takes it once, starting at the code that asked for the error. */
function withoutStack<T>(make: () => T): T {
  // `stackTraceLimit` is read-only if the process runs with frozen built-in objects.
  if (Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit')?.writable !== true) return make()
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    return make()
  } finally {
    Error.stackTraceLimit = limit
  }
}

/** An argument of the constructor of a coded error. */
type ErrorDetail = string | number | { readonly cause: unknown }

/**
 * The constructor of one coded error. It can be called without `new`; its arguments fill the placeholders of the
 * message from left to right. The last one may be an object with the `cause` of the error.
 */
export interface CodedErrorConstructor {
  new (...details: readonly ErrorDetail[]): CloisterError
  (...details: readonly ErrorDetail[]): CloisterError
}

function constructorOf(name: ErrorName, prefix: string): CodedErrorConstructor {
  // `instanceof` works with any prefix: it matches codes that end with the name, but not with a longer name.
  const longer = Object.keys(errorTable).filter((other) => other !== name && other.endsWith(name))
  class CodedError extends CloisterError {
    constructor(...details: readonly ErrorDetail[]) {
      const texts = details.filter((detail) => !isCause(detail))
      let next = 0
      super(
        name,
        textOf(name).message.replace(PLACEHOLDER, () => String(texts[next++] ?? '')) ||
          // Their messages in the catalogue consist of a placeholder only.
          (name === 'NOT_FOUND' ? 'Not Found' : 'Bad Request'),
        details.findLast(isCause),
      )
      if (prefix !== CODE_PREFIX)
        Object.assign(this, { code: `${prefix}${name}`, name: nameUnder(prefix, name) })
    }

    static override [Symbol.hasInstance](value: unknown): boolean {
      if (!(value instanceof CloisterError) || !value.code.endsWith(name)) return false
      return !longer.some((other) => value.code.endsWith(other))
    }
  }
  // A class can't be called without `new`. This function can; it creates instances of the class, or of a subclass.
  function coded(...details: readonly ErrorDetail[]): unknown {
    return Reflect.construct(CodedError, details, new.target ?? CodedError)
  }
  Object.setPrototypeOf(coded, CodedError)
  Object.defineProperties(coded, {
    prototype: { value: CodedError.prototype },
    // Assertions compare this with the name of an error.
    name: { value: 'CloisterError' },
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type of a function does not say that it constructs
  return coded as unknown as CodedErrorConstructor
}

function isCause(detail: ErrorDetail): detail is { readonly cause: unknown } {
  return isRecord(detail) && 'cause' in detail
}

/** Returns the `name` of errors whose codes have a prefix. With Fastify's prefix, errors also get Fastify's names. */
export function nameUnder(prefix: string, name: ErrorName): string {
  if (prefix !== 'FST_ERR_') return 'CloisterError'
  return name === 'VALIDATION' ? 'Error' : 'FastifyError'
}

export function isErrorName(name: string): name is ErrorName {
  return Object.hasOwn(errorTable, name)
}

/** The constructors of all coded errors, by code. */
export type ErrorCodes<Prefix extends string = 'CLO_ERR_'> = Readonly<
  Record<`${Prefix}${ErrorName}`, CodedErrorConstructor>
>

/**
 * Creates the constructors of all coded errors with a custom prefix, for apps with the option `errorCodePrefix`.
 *
 * @param prefix - the prefix of the codes
 * @example
 * ```ts
 * import { createErrorCodes } from 'cloister'
 *
 * const errorCodes = createErrorCodes('SHOP_')
 * console.log(errorCodes.SHOP_NOT_FOUND('a book').code)
 * ```
 */
export function createErrorCodes<P extends string>(prefix: P): ErrorCodes<P> {
  const made: Record<string, CodedErrorConstructor> = {}
  for (const name of Object.keys(errorTable).filter(isErrorName))
    defineOnRead(made, `${prefix}${name}`, () => constructorOf(name, prefix))
  return Object.freeze(made)
}

/** Defines a property whose value is made when it is read: an app uses few of them, and all would slow down its start. */
function defineOnRead<T>(target: Record<string, T>, name: string, make: () => T): void {
  let made: T | undefined
  Object.defineProperty(target, name, { enumerable: true, get: () => (made ??= make()) })
}

/**
 * The constructors of all coded errors, by code. Use them with `instanceof`: `error instanceof
 * errorCodes.CLO_ERR_VALIDATION`.
 */
export const errorCodes: ErrorCodes = /* @__PURE__ */ createErrorCodes(CODE_PREFIX)
