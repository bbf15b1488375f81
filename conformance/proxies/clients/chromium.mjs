// `node chromium.mjs URL FOLDER`: a page in Chromium that sends the requests of `fetch.mjs`, then reads an event stream and
// talks over a WebSocket. The page comes from a server of this script, which also gets the result.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'

const [, , base = '', folder = ''] = process.argv
const page = `<!doctype html><script type="module">
import { askByFetch } from './fetch.mjs'
const base = ${JSON.stringify(base)}
const outcome = await askByFetch(base, false)
const count = (name, isRight) => {
  outcome.sent++
  if (!isRight) outcome.failed[name] = (outcome.failed[name] ?? 0) + 1
}
const events = await new Promise((resolve) => {
  const seen = []
  const source = new EventSource(base + '/events?token=t&size=5')
  source.onmessage = ({ data }) => { if (seen.push(data) === 5) { source.close(); resolve(seen.join()) } }
  source.onerror = () => { source.close(); resolve(seen.join()) }
})
count('events', events === 't 0,t 1,t 2,t 3,t 4')
const socket = new WebSocket(base.replace('http', 'ws') + '/socket')
const echo = await new Promise((resolve) => {
  socket.onopen = () => socket.send('x'.repeat(70_000))
  socket.onmessage = ({ data }) => resolve(data)
  socket.onerror = () => resolve('')
})
count('WebSocket', echo.length === 70_000)
await fetch('/outcome', { method: 'POST', body: JSON.stringify(outcome) })
</script>`

const server = createServer((request, response) => {
  if (request.method === 'POST') {
    let text = ''
    request.on('data', (piece) => (text += piece)).on('end', () => settle(text))
    response.end()
  } else if (request.url === '/fetch.mjs') {
    response.setHeader('content-type', 'text/javascript')
    response.end(readFileSync(path.join(import.meta.dirname, 'fetch.mjs')))
  } else {
    response.setHeader('content-type', 'text/html')
    response.end(page)
  }
})
let settle = (/** @type {string} */ _text) => {}
const outcome = new Promise((resolve) => {
  settle = resolve
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address()
  const flags = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    `--user-data-dir=${folder}`,
  ]
  // The page asks another origin, whose certificate is one of tests.
  flags.push('--disable-web-security', '--ignore-certificate-errors', '--no-first-run')
  const browser = spawn('chromium', [...flags, `http://127.0.0.1:${port}/`], {
    stdio: 'ignore',
    detached: true,
  })
  void outcome.then((text) => {
    console.log(text)
    try {
      process.kill(-(browser.pid ?? 0), 'SIGKILL')
    } catch {
      browser.kill('SIGKILL')
    }
    server.close()
    server.closeAllConnections()
  })
})
