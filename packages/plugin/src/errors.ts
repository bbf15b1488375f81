/** The codes of errors in a call of the helper. */
export type PluginErrorCode = 'CLO_ERR_PLUGIN_NOT_A_FUNCTION' | 'CLO_ERR_PLUGIN_INVALID_METADATA'

/** A mistake in a call of the helper; thrown by this call, long before the plugin is registered. */
export class PluginError extends TypeError {
  override readonly name = 'PluginError'
  /** Which mistake it is. */
  readonly code: PluginErrorCode

  /** Creates the error; the message says what was given, what is expected and what to write instead. */
  constructor(code: PluginErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** Describes a value in a message: its type, and the value itself if that is short and harmless. */
export function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'string') return value === '' ? 'an empty string' : `the string '${value}'`
  if (typeof value === 'number' || typeof value === 'boolean') return `the ${typeof value} ${value}`
  if (value instanceof Promise) return 'a promise'
  if (typeof value === 'object') return 'an object'
  return value === undefined ? 'undefined' : `a ${typeof value}`
}
