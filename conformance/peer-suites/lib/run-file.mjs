// Runs one file of a suite in a process of its own, under a deadline.
import { spawn } from 'node:child_process'
import { readTap } from './read-tap.mjs'

/** @typedef {import('./read-tap.mjs').Failure} Failure */
/**
 * @typedef {object} FileResult
 * @property {string} file
 * @property {number} passed
 * @property {readonly Failure[]} failures
 * @property {string} output what the process wrote, both streams
 */

/**
 * @param {{ file: string, cwd: string, command: readonly string[], env: Record<string, string>, timeLimitMs: number }} options
 *   `command`: arguments of Node before the file
 * @returns {Promise<FileResult>}
 */
export function runFile({ file, cwd, command, env, timeLimitMs }) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...command, file], {
      cwd,
      env: { ...process.env, NODE_ENV: 'test', FORCE_COLOR: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let tap = ''
    let noise = ''
    let isLate = false
    child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ text) => (tap += text))
    child.stderr.setEncoding('utf8').on('data', (/** @type {string} */ text) => (noise += text))
    const deadline = setTimeout(() => {
      isLate = true
      child.kill('SIGKILL')
    }, timeLimitMs)
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(deadline)
      const { passed, failures } = readTap(tap)
      const all = [...failures]
      if (isLate) all.push({ test: '', assertion: `is over within ${timeLimitMs} ms` })
      else if (code !== 0 && all.length === 0)
        all.push({ test: '', assertion: `exits with 0, not with ${code}` })
      resolve({ file, passed, failures: all, output: `${tap}\n${noise}` })
    })
  })
}
