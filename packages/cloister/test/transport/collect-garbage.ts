import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Frees what nothing holds any more. References that were read in this turn of the event loop are held until it ends. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose_gc')
  const collect: () => void = runInNewContext('gc')
  await new Promise(setImmediate)
  collect()
}
