// What is sent and what must come back: each content is made of the token of its request.
import { randomBytes } from 'node:crypto'

/** @param {string} token @param {number} size @returns {Buffer} */
export function contentOf(token, size) {
  return Buffer.alloc(size, `${token}\n`)
}

/** @returns {string} a token that no other request has */
export function newToken() {
  return randomBytes(8).toString('hex')
}

/** @param {number} most @returns {number} a size, the small ones as likely as the large ones */
export function drawSize(most) {
  return Math.floor(most ** Math.random())
}

/**
 * What came of the requests of one scenario or client.
 *
 * @typedef {object} Outcome
 * @property {number} sent
 * @property {Map<string, number>} failed reason → count
 * @property {string[]} notes what else was seen
 */

/** @returns {Outcome} */
export function newOutcome() {
  return { sent: 0, failed: new Map(), notes: [] }
}

/** Counts one request. @param {Outcome} outcome @param {string | null} fault */
export function count(outcome, fault) {
  outcome.sent++
  if (fault !== null) outcome.failed.set(fault, (outcome.failed.get(fault) ?? 0) + 1)
}

/** @param {Outcome} outcome */
export function failures({ failed }) {
  return [...failed.values()].reduce((sum, one) => sum + one, 0)
}

/**
 * Runs `task` so many times, some of them at once.
 *
 * @param {number} times @param {number} atOnce @param {(index: number) => Promise<void>} task
 */
export async function repeat(times, atOnce, task) {
  let next = 0
  const lane = async () => {
    while (next < times) await task(next++)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, times) }, lane))
}
