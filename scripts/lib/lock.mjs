// Runs work that only one process may do at a time.
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const STALE_MS = 300_000
const RETRY_MS = 100

/** @param {string} folder @returns {boolean} whether this process has the lock now */
function take(folder) {
  try {
    mkdirSync(folder)
    return true
  } catch {
    // A process that was killed has not removed it.
    const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    if (age > STALE_MS) rmSync(folder, { recursive: true, force: true })
    return false
  }
}

/**
 * Runs `work` while no other process runs work with the same name.
 *
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function alone(name, work) {
  const folder = path.join(tmpdir(), `cloister-${name.replaceAll(/[^\w-]+/g, '-')}.lock`)
  while (!take(folder)) await sleep(RETRY_MS)
  try {
    return await work()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
