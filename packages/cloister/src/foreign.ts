import { hush, isFunction, isLate } from './guards.ts'

/*
 * Safe reads of values that the application throws or attaches to its errors. Such a value can be anything: reading it
 * may throw (getters, proxies, revoked proxies, `toString`), may return something else the next time, may never end
 * (circular references, a stack of ten megabytes), and may start work (an `async toJSON`). The functions here never
 * throw, treat unreadable parts as absent, and limit the size of what they return.
 */

/** The most characters read from one text. */
const MAX_CHARACTERS = 65_536

/** The most values copied from one value, and the most characters of all its texts. */
const MAX_VALUES = 1000
const MAX_COPIED = 262_144
const MAX_DEPTH = 8

const MORE = '…'

/** Returns the result of a function, or `otherwise` if it throws; what it throws may be a promise. */
export function attempt<T, Otherwise>(read: () => T, otherwise: Otherwise): T | Otherwise {
  try {
    return read()
  } catch (thrown) {
    hush(thrown)
    return otherwise
  }
}

/** Reads a member of a value. Returns `undefined` if that throws, or if the value has no members. */
export function look(value: unknown, key: PropertyKey): unknown {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return undefined
  // Without a closure, because replies look at each payload.
  try {
    return hush(Reflect.get(value, key))
  } catch {
    return undefined
  }
}

/** Sets a member of a value, unless that fails. */
export function put(value: object, key: PropertyKey, member: unknown): void {
  attempt(() => Reflect.set(value, key, member), false)
}

/** Converts a value to text and truncates it. Returns `undefined` if the conversion throws. */
export function textOf(value: unknown, most: number = MAX_CHARACTERS): string | undefined {
  const text = attempt(() => String(value), undefined)
  return text !== undefined && text.length > most ? `${text.slice(0, most)}${MORE}` : text
}

/** Returns whether a value is an array; false for a revoked proxy. */
export function isArray(value: unknown): value is readonly unknown[] {
  return attempt(() => Array.isArray(value), false)
}

/** Returns the first items of an array, or none for any other value. */
export function itemsOf(value: unknown, most: number): unknown[] {
  if (!isArray(value)) return []
  const length = Math.min(Number(look(value, 'length')) || 0, most)
  return Array.from({ length }, (_, index) => look(value, index))
}

/** Returns up to `most` names of enumerable members, including inherited ones. */
export function namesOf(value: object, most: number): string[] {
  const names: string[] = []
  try {
    for (const name in value) if (names.push(name) === most) break
  } catch {
    // Keep the names read so far.
  }
  return names
}

/** Returns the own enumerable members of an object. */
export function membersOf(value: object): Record<string, unknown> {
  const members: Record<string, unknown> = {}
  try {
    for (const name of Object.keys(value).slice(0, MAX_VALUES)) members[name] = look(value, name)
  } catch {
    // Keep the members read so far.
  }
  return members
}

/** Copies a value to plain data as JSON shows it, without circular references and limited in size. */
export function toPlain(value: unknown): unknown {
  return new PlainCopy().of(value, [])
}

class PlainCopy {
  #values = 0
  #characters = 0

  of(value: unknown, ancestors: readonly object[]): unknown {
    if (typeof value === 'string') return this.#text(value)
    if (typeof value === 'bigint') return this.#text(String(value))
    if (typeof value === 'function' || typeof value === 'symbol') return undefined
    if (typeof value !== 'object' || value === null) return value
    if (ancestors.includes(value)) return '[Circular]'
    this.#values += 1
    if (ancestors.length === MAX_DEPTH || this.#values > MAX_VALUES) return MORE
    const path = [...ancestors, value]
    const toJson = look(value, 'toJSON')
    return isFunction(toJson) ? this.#converted(toJson, value, path) : this.#parts(value, path)
  }

  #text(text: string): string {
    const left = Math.max(0, MAX_COPIED - this.#characters)
    this.#characters += text.length
    return textOf(text, Math.min(left, MAX_CHARACTERS)) ?? ''
  }

  #converted(toJson: (...args: unknown[]) => unknown, value: object, path: readonly object[]): unknown {
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
    try {
      const shown = toJson.call(value, '')
      if (isLate(shown)) return '[a promise]'
      return shown === value ? this.#parts(value, path) : this.of(shown, path)
    } catch {
      return undefined
    }
  }

  #parts(value: object, path: readonly object[]): unknown {
    const left = MAX_VALUES - this.#values
    if (isArray(value)) return itemsOf(value, left).map((item) => this.of(item, path) ?? null)
    const parts: Record<string, unknown> = {}
    for (const [name, member] of Object.entries(membersOf(value)).slice(0, left)) {
      const copy = this.of(member, path)
      if (copy !== undefined) parts[name] = copy
    }
    return parts
  }
}
