import { createError } from '../errors.ts'
import type { LoadNode } from './load-node.ts'

/**
 * Waits for a plugin function, but not longer than the plugin timeout. Time in which something below it loads does
 * not count: that has a deadline of its own, so the error names the plugin that really hangs.
 *
 * @throws `CLO_ERR_PLUGIN_TIMEOUT`
 */
export function withDeadline(
  running: unknown,
  node: LoadNode,
  timeoutMs: number,
  callsDone: boolean,
): Promise<unknown> {
  const settled = Promise.resolve(running)
  if (timeoutMs === 0) return settled
  return new Promise((resolve, reject) => {
    const expire = (): void => {
      if (node.draining !== null) timer = setTimeout(expire, timeoutMs)
      else reject(describeHang(node, timeoutMs, callsDone))
    }
    let timer = setTimeout(expire, timeoutMs)
    settled.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

function describeHang(node: LoadNode, ms: number, callsDone: boolean): Error {
  const waitingFor = callsDone
    ? "it has not called 'done'"
    : 'its promise has not settled; something that it awaits never does'
  const { name, path } = node
  return createError('PLUGIN_TIMEOUT', {
    name,
    path,
    place: node.place?.toString() ?? 'an unknown place',
    ms,
    waitingFor,
  })
}
