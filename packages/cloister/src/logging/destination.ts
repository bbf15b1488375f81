import { messageOf } from '../read-error.ts'
import { hush, isFunction, isRecord, isThenable, whenSettled } from '../guards.ts'
import { warn } from './warnings.ts'

/** The symbol by which pino asks a destination whether it wants the parts of a line. */
const METADATA = Symbol.for('pino.metadata')
const METADATA_FIELDS = ['lastLevel', 'lastObj', 'lastMsg', 'lastTime', 'lastLogger'] as const

/** Marks the listeners of guards. */
const GUARD = Symbol.for('cloister.log-guard')

/** The optional members of a pino destination beside `write`. */
const OTHER_METHODS = ['flush', 'flushSync', 'end'] as const

/**
 * Guards the destination of a logger of pino: a line that cannot be written is lost, and neither the request nor the
 * process fails with it. The first failure is a process warning. The children of the logger share the guard.
 */
export function guardStream(logger: object): void {
  const key = findStreamKey(logger)
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

/** The symbol is of the copy of pino that made the logger. */
function findStreamKey(logger: object): symbol | undefined {
  for (let owner: object | null = logger; owner !== null; owner = Reflect.getPrototypeOf(owner)) {
    const key = Object.getOwnPropertySymbols(owner).find(({ description }) => description === 'pino.stream')
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

/** The destinations behind one that writes to several. */
function partsOf(stream: object): unknown[] {
  const parts: unknown = Reflect.get(stream, 'streams')
  if (!Array.isArray(parts)) return []
  return parts.map((part: unknown) => (isRecord(part) ? part['stream'] : undefined))
}

/** Listens to the errors of a stream that writes later, once for all apps that share it. */
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
