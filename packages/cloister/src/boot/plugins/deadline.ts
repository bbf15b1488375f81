import { startAlarm } from '../../platform.ts'
import { createError } from '../../errors.ts'
import type { CallSite } from '../../call-site.ts'
import type { LoadNode } from './load-node.ts'

/**
 * Runs a plugin function and waits for it, but not longer than the plugin timeout. Time in which something below it loads does
 * not count: that has a deadline of its own, so the error names the plugin that really hangs.
 *
 * @throws `CLO_ERR_PLUGIN_TIMEOUT`
 */
export function withDeadline(
  start: () => unknown,
  node: LoadNode,
  timeoutMs: number,
  callsDone: boolean,
): Promise<unknown> {
  const run = (): Promise<unknown> =>
    new Promise((resolve) => {
      resolve(start())
    })
  if (timeoutMs === 0) return run()
  return new Promise((resolve, reject) => {
    const expire = (): void => {
      if (node.draining !== null) timer = startAlarm(expire, timeoutMs)
      else reject(describeHang(node, timeoutMs, callsDone))
    }
    let timer = startAlarm(expire, timeoutMs)
    run()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}

function aboutReady(callSite: CallSite): string {
  return (
    `ready(), called at ${callSite.toString()} while it loaded, settles after all plugins only, this one included: ` +
    'do not wait for it in a plugin, use after() or an onReady hook'
  )
}

function describeHang(node: LoadNode, ms: number, callsDone: boolean): Error {
  const { name, path, readyAskedAt } = node
  const missing = callsDone
    ? "it has not called 'done'"
    : 'its promise has not settled; something that it awaits never does'
  const waitingFor = readyAskedAt === null ? missing : `${missing}; ${aboutReady(readyAskedAt)}`
  return createError('PLUGIN_TIMEOUT', {
    name,
    path,
    callSite: node.callSite?.toString() ?? 'an unknown file',
    ms,
    waitingFor,
  })
}
