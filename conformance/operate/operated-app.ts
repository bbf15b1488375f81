// The plugin at an app of the harness, whose types are those of any framework.
import { operate } from '@cloister/operate'
import type { OperateOptions, Operation } from '@cloister/operate'
import type { App } from '../harness/app-shape.ts'
import { registerPlugin } from '../harness/register-plugin.ts'

/** Registers the plugin, without signals of the process. */
export async function register(app: App, options: OperateOptions | object = {}): Promise<void> {
  await registerPlugin(app, operate, { signals: false, ...options })
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
