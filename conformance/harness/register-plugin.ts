import type { App, Plugin } from './app-shape.ts'

function isPlugin(value: unknown): value is Plugin {
  return typeof value === 'function'
}

/** Registers a plugin of this repository on an app of the harness, whose types are those of any framework. */
export async function registerPlugin(app: App, plugin: unknown, options: object): Promise<void> {
  if (!isPlugin(plugin)) throw new Error('the package exports no plugin')
  await app.register(plugin, { ...options })
}
