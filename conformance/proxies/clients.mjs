// The clients that are tried, with what each is asked to do.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { contentOf, count, newOutcome, newToken } from './content.mjs'
import { makeFolder, run } from './processes.mjs'

/** @typedef {import('./content.mjs').Outcome} Outcome */

/**
 * @typedef {object} Client
 * @property {string} name
 * @property {string} binary
 * @property {readonly string[]} version the command that prints it
 * @property {boolean} [hasTls] `false` where it is not tried over TLS
 * @property {boolean} [hasUpgrades] `false` where the app must not listen to upgrades: with a listener Node gives it them all
 * @property {(url: string, folder: string, outcome: Outcome) => Promise<void>} ask
 */

/** The libraries are packages of Debian, which only its own Python sees. */
const PYTHON = '/usr/bin/python3'
const UPLOAD = 'Content-Type: application/x-upload'
const REFUSALS = [
  ['/refused', UPLOAD, 401],
  ['/nowhere', UPLOAD, 404],
  ['/limited', 'Content-Type: application/x-buffer', 413],
]

/** Downloads to files over one connection, and slowly; uploads, whole and chunked; refused ones. @type {Client['ask']} */
async function askCurl(url, folder, outcome) {
  const files = Array.from({ length: 40 }, (_, index) => ({ token: newToken(), size: 1 + index ** 3, index }))
  const each = files.flatMap(({ token, size, index }) => {
    const kind = index % 2 === 0 ? 'bytes' : 'stream'
    return [`${url}/${kind}?token=${token}&size=${size}`, '-o', `${folder}/${index}`]
  })
  await run('curl', ['-sk', ...each])
  for (const { token, size, index } of files) count(outcome, faultOfFile(`${folder}/${index}`, token, size))
  for (const kind of ['bytes', 'stream']) await readSlowly(url, folder, kind, outcome)
  const body = contentOf('body', 400_000)
  writeFileSync(`${folder}/body`, body)
  const hash = createHash('sha256').update(body).digest('hex')
  for (let index = 0; index < 12; index++) {
    const framing = index % 2 === 0 ? [] : ['-H', 'Transfer-Encoding: chunked']
    const sent = ['--data-binary', `@${folder}/body`, ...framing]
    const { code, stdout } = await run('curl', ['-sk', '-H', UPLOAD, ...sent, `${url}/upload`])
    count(outcome, stdout.includes(hash) ? null : `upload: exit code ${code}`)
    const [target, type, status] = REFUSALS[index % 3]
    const refused = [
      '-sk',
      '-H',
      String(type),
      ...sent,
      '-o',
      '/dev/null',
      '-w',
      '%{http_code}',
      `${url}${target}`,
    ]
    const seen = await run('curl', refused)
    const isRight = seen.code === 0 && seen.stdout === String(status)
    count(outcome, isRight ? null : `${target}: status ${seen.stdout}, exit code ${seen.code}`)
  }
}

/** @param {string} url @param {string} folder @param {string} kind @param {Outcome} outcome */
async function readSlowly(url, folder, kind, outcome) {
  const [token, file] = [newToken(), `${folder}/slow`]
  const rate = ['--limit-rate', '2M', '-H', 'Connection: close']
  await run('curl', ['-sk', ...rate, '-o', file, `${url}/${kind}?token=${token}&size=12000000`])
  count(outcome, faultOfFile(file, token, 12_000_000, 'slow: '))
}

/** @type {Client['ask']} */
async function askWget(url, folder, outcome) {
  for (let index = 0; index < 16; index++) {
    const [token, file, size] = [newToken(), `${folder}/${index}`, 1 + index ** 5]
    const kind = index % 2 === 0 ? 'bytes' : 'stream'
    const rate = index === 15 ? ['--limit-rate=300k'] : []
    const target = `${url}/${kind}?token=${token}&size=${size}`
    await run('wget', ['-q', '--tries=1', '--no-check-certificate', ...rate, '-O', file, target])
    count(outcome, faultOfFile(file, token, size))
  }
}

/** @param {string} file @param {string} token @param {number} size @param {string} [name] */
function faultOfFile(file, token, size, name = '') {
  const content = readFileSync(file, { flag: 'a+' })
  if (content.equals(contentOf(token, size))) return null
  return `${name}${content.length} of ${size} bytes`
}

/** Places in the command of a script. */
const URL_HERE = '<url>'
const FOLDER_HERE = '<folder>'

/** @param {string} file */
const script = (file) => path.join(import.meta.dirname, 'clients', file)

/** A script of ours that prints `{ sent, failed }`. @param {readonly string[]} command @returns {Client['ask']} */
const askScript =
  ([binary = '', ...args]) =>
  async (url, folder, outcome) => {
    const given = args.map((arg) => (arg === URL_HERE ? url : arg === FOLDER_HERE ? folder : arg))
    const { stdout, stderr } = await run(binary, given, { cwd: import.meta.dirname, seconds: 120 })
    const last = stdout.trim().split('\n').at(-1) ?? ''
    if (!last.startsWith('{')) {
      count(outcome, `no result: ${stderr.slice(-200)}`)
      return
    }
    const { sent, failed } = JSON.parse(last)
    outcome.sent += sent
    for (const [reason, times] of Object.entries(failed)) outcome.failed.set(reason, Number(times))
  }

/** A program that makes load, with how its output says what was sent and what failed. */
const askLoad = (binary, args, requests, failed) => async (url, _folder, outcome) => {
  const { stdout, stderr } = await run(binary, [...args, `${url}/bytes?token=x&size=300`], { seconds: 60 })
  const sum = (pattern) => [...stdout.matchAll(pattern)].reduce((all, found) => all + Number(found[1]), 0)
  outcome.sent += sum(requests)
  if (outcome.sent === 0) count(outcome, `no result: ${stderr.slice(-200)}`)
  if (sum(failed) > 0) outcome.failed.set(binary, sum(failed))
}

/** @param {string} library @param {string} [module] @returns {Client} */
const python = (library, module) => ({
  name: `Python ${library}`,
  binary: PYTHON,
  version:
    module === undefined
      ? [PYTHON, '--version']
      : [PYTHON, '-c', `import ${module}; print(${module}.__version__)`],
  ask: askScript([PYTHON, script('python.py'), library, URL_HERE]),
})

/** @param {'HTTP_1_1' | 'HTTP_2'} version over plain TCP, HTTP/2 is asked for with `Upgrade: h2c` @returns {Client} */
const java = (version) => ({
  name: `Java ${version}`,
  binary: 'java',
  version: ['java', '-version'],
  hasUpgrades: false,
  // The certificate is one of tests.
  ask: askScript([
    'java',
    '-Djdk.internal.httpclient.disableHostnameVerification=true',
    script('Client.java'),
    URL_HERE,
    version,
  ]),
})

const WRK_FAILED = /Non-2xx or 3xx responses: (\d+)|Socket errors: (?:.*?(\d+))/g

/** @type {readonly Client[]} */
const ROWS = [
  { name: 'curl', binary: 'curl', version: ['curl', '--version'], ask: askCurl },
  { name: 'wget', binary: 'wget', version: ['wget', '--version'], ask: askWget },
  python('requests', 'requests'),
  python('urllib3', 'urllib3'),
  python('httpx', 'httpx'),
  python('aiohttp', 'aiohttp'),
  python('http.client'),
  python('urllib'),
  {
    name: 'undici (fetch of Node)',
    binary: process.execPath,
    version: [process.execPath, '-p', 'process.versions.undici'],
    ask: askScript([process.execPath, script('undici.mjs'), URL_HERE]),
  },
  {
    name: 'Go net/http',
    binary: 'go',
    version: ['go', 'version'],
    ask: askScript(['go', 'run', script('client.go'), URL_HERE]),
  },
  java('HTTP_1_1'),
  java('HTTP_2'),
  {
    name: 'Chromium',
    binary: 'chromium',
    version: ['chromium', '--version'],
    ask: askScript([process.execPath, script('chromium.mjs'), URL_HERE, FOLDER_HERE]),
  },
  {
    name: 'ab -k',
    binary: 'ab',
    version: ['ab', '-V'],
    ask: askLoad(
      'ab',
      ['-q', '-k', '-n', '4000', '-c', '16'],
      /Complete requests: +(\d+)/g,
      /Failed requests: +(\d+)/g,
    ),
  },
  {
    name: 'ab',
    binary: 'ab',
    version: ['ab', '-V'],
    ask: askLoad(
      'ab',
      ['-q', '-n', '1000', '-c', '8'],
      /Complete requests: +(\d+)/g,
      /Failed requests: +(\d+)/g,
    ),
  },
  {
    name: 'wrk',
    binary: 'wrk',
    version: ['wrk', '-v'],
    ask: askLoad('wrk', ['-t', '1', '-c', '16', '-d', '2s'], /(\d+) requests in/g, WRK_FAILED),
  },
  {
    name: 'h2load --h1',
    binary: 'h2load',
    version: ['h2load', '--version'],
    ask: askLoad(
      'h2load',
      ['--h1', '-n', '4000', '-c', '16', '-m', '4'],
      /(\d+) succeeded/g,
      /(\d+) failed/g,
    ),
  },
]

export const CLIENTS = ROWS

/** @param {Client} client @param {number} port @param {boolean} isEncrypted @returns {Promise<Outcome>} */
export async function runClient({ ask }, port, isEncrypted) {
  const outcome = newOutcome()
  await ask(`${isEncrypted ? 'https' : 'http'}://127.0.0.1:${port}`, makeFolder(), outcome)
  return outcome
}
