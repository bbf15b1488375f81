import { isFunction } from '../exchanges/watch-app.ts'
import type { AppForm } from './exchange-file.ts'

/**
 * Finds out how a module gives its app, by the rules of `cloister start`.
 *
 * @param made - how many apps the module has made when it was imported
 * @returns `null` if it gives none
 */
export function formOf(exported: Readonly<Record<string, unknown>>, made: number): AppForm | null {
  const { default: main, app, createApp } = exported
  if (isApp(main)) return { kind: 'app', name: 'default' }
  if (isFunction(main)) return { kind: main.length === 0 ? 'factory' : 'plugin', name: 'default' }
  if (isApp(app)) return { kind: 'app', name: 'app' }
  if (isFunction(Reflect.get(Object(main), 'fetch'))) return { kind: 'worker', name: 'default' }
  if (isFunction(createApp)) return { kind: 'factory', name: 'createApp' }
  return made > 0 ? { kind: 'made', name: '' } : null
}

function isApp(value: unknown): boolean {
  return ['explain', 'ready', 'close'].every((name) => isFunction(Reflect.get(Object(value), name)))
}
