import { isObject, isPlainObject } from '../guards.ts'

/** The references of a schema without any. */
export const NO_REFS: readonly string[] = Object.freeze([])

/** The facts that a walk over a schema collects. */
export class Findings {
  /** Keywords of the application may read symbol keys. */
  readonly symbolKeysCount: boolean
  // Most schemas have no reference.
  #refs: Set<string> | undefined = undefined

  constructor(symbolKeysCount: boolean) {
    this.symbolKeysCount = symbolKeysCount
  }

  /** Every string under a key `$ref` or `$dynamicRef`, once. */
  get refs(): readonly string[] {
    return this.#refs === undefined ? NO_REFS : [...this.#refs]
  }

  addRef(ref: string): void {
    this.#refs ??= new Set()
    this.#refs.add(ref)
  }
}

/** Whether `JSON.stringify` keeps the whole value. */
export function isPure(value: unknown, findings: Findings, ancestors: object[] = []): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return true
    case 'number':
      return Number.isFinite(value)
    case 'object':
      return value === null || isPureObject(value, findings, ancestors)
    default:
      return false
  }
}

function isPureObject(value: object, findings: Findings, ancestors: object[]): boolean {
  if (ancestors.includes(value)) return false
  if (findings.symbolKeysCount && Object.getOwnPropertySymbols(value).length > 0) return false
  ancestors.push(value)
  const pure = Array.isArray(value)
    ? value.every((item) => item !== undefined && isPure(item, findings, ancestors))
    : isPlainObject(value) &&
      typeof value['toJSON'] !== 'function' &&
      hasPureValues(value, findings, ancestors)
  ancestors.pop()
  return pure
}

function hasPureValues(value: Record<string, unknown>, findings: Findings, ancestors: object[]): boolean {
  for (const key of Object.keys(value)) {
    const entry = value[key]
    if (typeof entry === 'string') {
      if (key === '$ref' || key === '$dynamicRef') findings.addRef(entry)
    } else if (isObject(entry) ? !isPureObject(entry, findings, ancestors) : !isPure(entry, findings)) {
      return false
    }
  }
  return true
}
