// `node conformance/wire/record.mjs`: runs suites, keeps what their clients send over plain sockets, and writes the
// different ones into `recorded.json`, from which `agreement.test.ts` sends them to both engines.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { run } from '../../scripts/lib/run.mjs'

const SUITES = ['bodies', 'hooks', 'listen', 'logging', 'replies', 'routing']
const MAX_LENGTH = 1500
const REQUEST = /^[A-Z]+ \S+ HTTP\/1\.1\r\n/

const folder = mkdtempSync(path.join(tmpdir(), 'cloister-recorded-'))
const file = path.join(folder, 'sent')
const preload = path.join(import.meta.dirname, 'record-sockets.mjs')
try {
  writeFileSync(file, '')
  await run(['vitest', 'run', ...SUITES.map((name) => `conformance/${name}/`)], {
    env: { CLOISTER_RECORD: file, NODE_OPTIONS: `--require ${preload}` },
    echo: true,
    timeoutMs: 15 * 60_000,
  })
  const sent = readFileSync(file, 'utf8').trim().split('\n')
  const texts = sent.map((line) => withoutChance(Buffer.from(line, 'base64').toString('latin1')))
  const requests = [...new Set(texts)].filter((text) => REQUEST.test(text) && text.length <= MAX_LENGTH)
  writeFileSync(
    path.join(import.meta.dirname, 'recorded.json'),
    `${JSON.stringify(
      requests.toSorted((one, other) => (one < other ? -1 : 1)),
      null,
      1,
    )}\n`,
  )
  console.log(`${requests.length} different requests of ${sent.length} connections`)
} finally {
  rmSync(folder, { recursive: true })
}

/** Ports, keys and boundaries differ in every run. @param {string} text */
function withoutChance(text) {
  return text
    .replaceAll(/(host: (?:127\.0\.0\.1|localhost)):\d+/gi, '$1:80')
    .replaceAll(/sec-websocket-key: \S+/gi, 'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==')
    .replaceAll(/formdata-undici-\d+/g, 'formdata-undici-0')
}
