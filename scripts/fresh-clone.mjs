// Does what a newcomer does, with what is committed: clones into an empty folder, with an empty npm cache, runs `npm
// ci && npm start` and the curl lines that the example prints, kills and restarts it (the data must be kept), and
// runs `npm ci && npm test`.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { repository, run } from './lib/run.mjs'

const START_TIMEOUT_MS = 180_000
const folder = mkdtempSync(path.join(tmpdir(), 'fresh-clone-'))
const clone = path.join(folder, 'cloister')
const env = { npm_config_cache: path.join(folder, 'npm-cache') }

/** @param {string} text */
function say(text) {
  console.log(`\n== ${text}`)
}

/** Runs a command in the clone, and fails if the command fails. @param {readonly string[]} command */
async function must(command) {
  say(command.join(' '))
  const { code, output } = await run(command, { cwd: clone, env, echo: true })
  if (code !== 0) throw new Error(`${command.join(' ')} ended with exit code ${code}`)
  return output
}

/** Starts the example and waits until it has printed its curl lines.
 * @returns {Promise<{ stop: () => Promise<void>, output: string }>} */
function start() {
  say('npm start')
  const child = spawn('npm', ['start'], { cwd: clone, env: { ...process.env, ...env }, detached: true })
  const stop = () =>
    new Promise((/** @type {(value: void) => void} */ resolve) => {
      child.once('close', () => resolve())
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
    })
  return new Promise((resolve, reject) => {
    let output = ''
    const deadline = setTimeout(
      () => reject(new Error(`npm start printed no curl lines:\n${output}`)),
      START_TIMEOUT_MS,
    )
    const read = (/** @type {Buffer} */ chunk) => {
      output += chunk.toString()
      process.stdout.write(chunk)
      if (curlLines(output).length < 3) return
      clearTimeout(deadline)
      // The rest of the output arrives in the next turns of the loop.
      setTimeout(() => resolve({ stop, output }), 500)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('close', (code) => reject(new Error(`npm start ended with exit code ${code}`)))
  })
}

/** Returns the curl lines that the example prints. @param {string} output */
function curlLines(output) {
  return output
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.trim().replace(/^\$ /, ''))
    .filter((line) => line.startsWith('curl '))
}

/** @param {string} line @returns {string} */
function curl(line) {
  const response = execFileSync('bash', ['-c', line.replace(/^curl /, 'curl -sS ')], { encoding: 'utf8' })
  console.log(`$ ${line}\n${response}`)
  if (response.trim() === '') throw new Error(`no response to: ${line}`)
  return response
}

/** Runs the printed lines, writes something, kills the server, and looks for it after a second start. */
async function tryExample() {
  const first = await start()
  const lines = curlLines(first.output)
  for (const line of lines) curl(line)
  const reviews = `${addressIn(lines)}/books/emma/reviews`
  const review = JSON.stringify({ reader: 'a newcomer', stars: 5 })
  curl(`curl -X POST -H 'content-type: application/json' -d '${review}' '${reviews}'`)
  const before = curl(`curl '${reviews}'`)
  if (!before.includes('a newcomer')) throw new Error(`the review was not stored:\n${before}`)
  await first.stop()
  say('killed; a second start must find the same data')
  const second = await start()
  const after = curl(`curl '${reviews}'`)
  await second.stop()
  if (before !== after) throw new Error(`the data did not survive the restart:\n${before}\n${after}`)
}

/** Returns the address in the printed lines. @param {readonly string[]} lines */
function addressIn(lines) {
  const address = /https?:\/\/[^/'"\s]+/.exec(lines.join('\n'))?.[0]
  if (address === undefined) throw new Error('the curl lines name no address')
  return address
}

try {
  say(`git clone into ${clone}`)
  execFileSync('git', ['clone', '--quiet', repository, clone])
  await must(['npm', 'ci'])
  await tryExample()
  await must(['npm', 'ci'])
  await must(['npm', 'test'])
  execFileSync('git', ['diff', '--exit-code'], { cwd: clone, stdio: 'inherit' })
  const left = execFileSync('git', ['status', '--porcelain'], { cwd: clone, encoding: 'utf8' })
  if (left !== '') throw new Error(`files that are neither committed nor ignored:\n${left}`)
  say('The fresh clone works.')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
