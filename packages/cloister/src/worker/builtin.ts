/** The part of `process` that platforms with modules of Node have. */
interface HostProcess {
  readonly getBuiltinModule?: (name: string) => unknown
}

/**
 * Returns a module of Node where the platform has it, as workerd with the flag `nodejs_compat`; else `undefined`. It is
 * asked for at run time, because an import would fail where it is missing.
 */
export function builtin(name: string): Readonly<Record<string, unknown>> | undefined {
  const host: HostProcess | undefined = Reflect.get(globalThis, 'process')
  const found = host?.getBuiltinModule?.(name)
  return isModule(found) ? found : undefined
}

/** `node:stream` is a function with members. */
function isModule(value: unknown): value is Readonly<Record<string, unknown>> {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}
