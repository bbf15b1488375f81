import type { SafePromiseLike } from '../peer.ts'
import type { Register } from '../plugin.ts'

/** The members of an instance about plugins, and the boot that loads them. */
export interface PluginMembers {
  /**
   * Registers a plugin. It gets a child context, unless it is wrapped to share this one. It loads before
   * `ready` and `listen` complete, in the order of registration, within `pluginTimeout`.
   *
   * @throws `CLO_ERR_PLUGIN_NOT_VALID`, `CLO_ERR_ROOT_PLG_BOOTED` after boot; errors of the plugin itself
   * reject `after`, `ready` and `listen`
   * @example
   * ```ts
   * app.register(async (users) => { users.get('/', () => []) }, { prefix: '/users' })
   * ```
   */
  readonly register: Register
  /** Whether a plugin of this name is registered in this context or above it. */
  hasPlugin(name: string): boolean
  /**
   * Loads the plugins registered so far; resolves once they are loaded.
   *
   * @throws the error of a plugin, `CLO_ERR_PLUGIN_TIMEOUT`
   */
  after<T>(this: T): T & SafePromiseLike<T>
  /** Calls back once the plugins registered so far are loaded, with the error of one that failed. */
  after<T>(this: T, listener: (error: Error | null) => void): T
  /**
   * Loads all plugins, compiles the routes and runs `onReady` hooks; resolves once the app can serve
   * requests. Afterwards no routes, hooks or plugins can be added.
   *
   * @throws the error of a plugin or route, `CLO_ERR_PLUGIN_TIMEOUT`, `CLO_ERR_HOOK_TIMEOUT`
   */
  ready<T>(this: T): T & SafePromiseLike<T>
  /** Calls back once the app can serve requests, with the error of a boot that failed. */
  ready<T>(this: T, listener: (error: Error | null) => void | Promise<void>): T
}
