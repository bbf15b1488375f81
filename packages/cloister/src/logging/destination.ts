import { messageOf } from '../read-error.ts'
import { hush, isFunction, isRecord, isThenable, whenSettled } from '../guards.ts'
import { warn } from './warnings.ts'

/** pino reads this symbol to find out whether a destination needs the parts of each line. */
export const METADATA: unique symbol = Symbol.for('pino.metadata')
const METADATA_FIELDS = ['lastLevel', 'lastObj', 'lastMsg', 'lastTime', 'lastLogger'] as const

const GUARD = Symbol.for('cloister.log-guard')

const OTHER_METHODS = ['flush', 'flushSync', 'end'] as const

/**
 * Guards the destination of a pino logger. A line that can't be written is lost without failing the request or the
 * process. The first failure causes a process warning. Child loggers share the guard.
 */
export function guardStream(logger: object): void {
  const key = findKey(logger, 'pino.stream')
  const stream: unknown = key === undefined ? undefined : Reflect.get(logger, key)
  if (key !== undefined && isDestination(stream)) {
    Reflect.defineProperty(logger, key, { value: createGuard(stream), configurable: true, writable: true })
  }
}

interface Destination {
  write(line: string): unknown
}

export function isDestination(value: unknown): value is Destination {
  return typeof value === 'object' && value !== null && 'write' in value && isFunction(value.write)
}

/** Returns a symbol of pino by its description, because each copy of pino has its own symbols. */
export function findKey(logger: object, wanted: string): symbol | undefined {
  for (let owner: object | null = logger; owner !== null; owner = Reflect.getPrototypeOf(owner)) {
    const key = Object.getOwnPropertySymbols(owner).find(({ description }) => description === wanted)
    if (key !== undefined) return key
  }
  return undefined
}

function createGuard(stream: Destination): object {
  let hasFailed = false
  const fail = (cause: unknown): void => {
    hush(cause)
    if (hasFailed) return
    hasFailed = true
    warn('LOG_LOST', { reason: messageOf(cause) })
  }
  for (const part of [stream, ...partsOf(stream)]) listen(part, fail)
  const guard = {
    write(line: string): unknown {
      try {
        const written = stream.write(line)
        if (isThenable(written)) whenSettled(written, () => {}, fail)
        return written
      } catch (cause) {
        fail(cause)
        return false
      }
    },
  }
  for (const name of OTHER_METHODS) {
    const method: unknown = Reflect.get(stream, name)
    if (isFunction(method)) Reflect.set(guard, name, method.bind(stream))
  }
  if (Reflect.get(stream, METADATA) === true) passMetadata(guard, stream)
  return guard
}

function partsOf(stream: object): unknown[] {
  const parts: unknown = Reflect.get(stream, 'streams')
  if (!Array.isArray(parts)) return []
  return parts.map((part: unknown) => (isRecord(part) ? part['stream'] : undefined))
}

/** Listens for errors of a stream that writes later. Apps that share the stream add one listener. */
function listen(stream: unknown, fail: (cause: unknown) => void): void {
  if (typeof stream !== 'object' || stream === null || !('on' in stream && 'listeners' in stream)) return
  if (!isFunction(stream.on) || !isFunction(stream.listeners)) return
  const others: unknown = stream.listeners('error')
  if (Array.isArray(others) && others.some((other: unknown) => isGuard(other))) return
  stream.on('error', Object.assign(fail, { [GUARD]: true }))
}

function isGuard(listener: unknown): boolean {
  return isFunction(listener) && GUARD in listener
}

function passMetadata(guard: object, stream: object): void {
  Reflect.set(guard, METADATA, true)
  for (const field of METADATA_FIELDS) {
    const set = (value: unknown): void => {
      Reflect.set(stream, field, value)
    }
    Object.defineProperty(guard, field, { set })
  }
}
