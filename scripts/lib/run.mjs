// Runs a program of the workspace and returns its output.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the repository these scripts belong to. */
export const repository = path.resolve(fileURLToPath(import.meta.url), '../../..')

/**
 * @typedef {object} Outcome
 * @property {number} code exit code; 1 when a signal ended the program
 * @property {string} output stdout and stderr, interleaved
 */

/**
 * Runs `command` in `cwd`, with the programs of `node_modules/.bin` on the path.
 *
 * @param {readonly string[]} command program and arguments
 * @param {{ cwd?: string, env?: Record<string, string>, echo?: boolean, timeoutMs?: number }} [options] `echo` also
 * writes the output to ours
 * @returns {Promise<Outcome>}
 */
export function run(command, { cwd = repository, env = {}, echo = false, timeoutMs = 600_000 } = {}) {
  const [program = '', ...args] = command
  const bin = path.join(repository, 'node_modules', '.bin')
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}`, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
    })
    let output = ''
    for (const [stream, own] of /** @type {const} */ ([
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ])) {
      stream.setEncoding('utf8')
      stream.on('data', (/** @type {string} */ text) => {
        output += text
        if (echo) own.write(text)
      })
    }
    child.once('error', reject)
    child.once('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
