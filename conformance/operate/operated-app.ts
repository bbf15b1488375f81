// The plugin at an app of the harness, whose types are those of any framework.
import { operate } from '@cloister/operate'
import type { OperateOptions, Operation } from '@cloister/operate'
import type { App, Plugin } from '../harness/app-shape.ts'

function isPlugin(value: unknown): value is Plugin {
  return typeof value === 'function'
}

/** Registers the plugin, without signals of the process. */
export async function register(app: App, options: OperateOptions | object = {}): Promise<void> {
  const plugin: unknown = operate
  if (!isPlugin(plugin)) throw new Error('operate is no plugin')
  await app.register(plugin, { signals: false, ...options })
}

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'drain' in value
}

/** What the plugin has added to an app. */
export function operationOf(app: App): Operation {
  const { operate: operation } = app
  if (!isOperation(operation)) throw new Error('the app has no operation')
  return operation
}
