/** How the file of an app gives its app. */
export interface AppForm {
  /**
   * `app`: an export is the app, or a promise of it; `factory`: an export is a function that makes it; `plugin`: the
   * default export is one; `worker`: the default export has a function `fetch`; `made`: the file makes one app and
   * exports none.
   */
  readonly kind: 'app' | 'factory' | 'plugin' | 'worker' | 'made'
  /** The name of the export. */
  readonly name: string
}

export type AnyFunction = (...args: unknown[]) => unknown

/** The members of an app that make a value one. */
const MEMBERS = ['explain', 'ready', 'close']

/** What to write into a file that gives no app. */
export const ADVICE = `Export one of these:
  export default app                      an app
  export const app = cloister()           an app
  export function createApp() { … }       a function that returns an app
  export default async (app) => { … }     a plugin; an app is made for it
or make one app, which may listen.
`

/** Returns the exports that may be an app, with what promises resolve to. */
export async function exportsOf(loaded: unknown): Promise<Readonly<Record<string, unknown>>> {
  const named = await settle(isRecord(loaded) ? loaded : {})
  const main = named['default']
  // A CommonJS module is the default export as a whole; transpilers and `module.exports = { app }` nest the names.
  const isNested = isRecord(main) && !isAppLike(main) && !isFunction(main['fetch'])
  return isNested ? settle({ ...named, ...main, default: main['default'] }) : named
}

async function settle(
  exported: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const { default: main, app } = exported
  // Only promises: to await an app boots it.
  return {
    ...exported,
    default: main instanceof Promise ? await main : main,
    app: app instanceof Promise ? await app : app,
  }
}

/**
 * Finds out how a module gives its app.
 *
 * @param exported - what `exportsOf` returns
 * @param made - how many apps the module has made when it was imported
 * @returns `null` if it gives none
 */
export function formOf(exported: Readonly<Record<string, unknown>>, made: number): AppForm | null {
  const { default: main, app, createApp } = exported
  if (isFunction(main)) return { kind: main.length === 0 ? 'factory' : 'plugin', name: 'default' }
  if (isAppLike(main)) return { kind: 'app', name: 'default' }
  if (isAppLike(app)) return { kind: 'app', name: 'app' }
  if (isRecord(main) && isFunction(main['fetch'])) return { kind: 'worker', name: 'default' }
  if (isFunction(createApp)) return { kind: 'factory', name: 'createApp' }
  return made > 0 ? { kind: 'made', name: '' } : null
}

/** Whether a value has the members of an app. */
export function isAppLike(value: unknown): boolean {
  const members = membersOf(value)
  return isRecord(members) && MEMBERS.every((name) => isFunction(members[name]))
}

/** Does what `membersOf` of `cloister/inspect` does, without loading the framework. */
export function membersOf(app: unknown): unknown {
  return isRecord(app) ? (Reflect.get(app, Symbol.for('cloister.members')) ?? app) : app
}

export function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function'
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
