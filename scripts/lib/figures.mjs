import { build } from './build.mjs'
import { MODULES } from './bundle.mjs'
import { run } from './run.mjs'

/**
 * Runs a script that measures the published form of the packages, which are built first: that is quick when nothing has
 * changed.
 *
 * @param {string} script
 * @returns {Promise<unknown>} what it prints with `--json`
 * @throws {Error} with its output, if it fails
 */
export async function figuresOf(script) {
  await build()
  const { code, output } = await run([process.execPath, `--conditions=${MODULES}`, script, '--json'])
  if (code !== 0) throw new Error(output)
  return JSON.parse(output)
}
