// The front page: `front-page.md`, with the sentence and the example of the README, what the example and the command
// print, and the figures of the benchmarks.
import { execFileSync } from 'node:child_process'
import path from 'node:path'

const root = path.join(import.meta.dirname, '..')

/** What a reader may ask the example, and how much of the response is shown. */
const ASKED = [
  { url: '/?name=Ada', shown: '' },
  { url: '/?name=Ada&name=Bob', shown: " | jq -c '{status, detail}'" },
]

/**
 * @param {{ page: string, readme: string, benchmarks: string, operation: string, explain: string }} texts of
 *   `front-page.md`, README.md, docs/benchmarks.md, docs/evidence/operation.md and docs/guide/explain.md
 */
export function frontPage({ page, readme, benchmarks, operation, explain }) {
  const [service] = row(benchmarks, '\\*\\*Cloister\\*\\*, [^|]+')
  const [plugins] = row(benchmarks, 'Cloister, the plugins of Fastify unmodified')
  const [servicePeer] = row(benchmarks, 'Fastify 5, its plugins')
  const [floor] = row(benchmarks, 'the floor: [^|]+')
  const [boot, , bootPeer, bootRatio] = row(benchmarks, 'CPU until ready')
  const example = part(readme, /```ts run\n([^]*?)```/).trim()
  /** @type {Record<string, string | undefined>} */
  const values = {
    sentence: part(readme, /^# .*\n\n(.+)\n/),
    example,
    asked: asked(example),
    explained: explained(),
    diff: `$ npx cloister explain --diff main\n${part(explain, /^```\n(GET [^]*?)```/m).trim()}`,
    lost: part(operation, /\| engine \| (0 of [\d,]+) \|/),
    machine: part(benchmarks, /^(\d{4}-\d\d-\d\d, Node .+?); load average/m),
    serviceMachine: part(benchmarks, /^(\*\*Node .+?); load average/m).replaceAll('**', ''),
    service: time(service),
    serviceRatio: ratio(service),
    servicePeer: time(servicePeer),
    plugins: time(plugins),
    pluginsRatio: ratio(plugins),
    floor: time(floor),
    boot: time(boot),
    bootPeer: time(bootPeer),
    bootRatio: ratio(bootRatio),
  }
  return page.replaceAll(/\{\{(\w+)\}\}/g, (_whole, name) => {
    const value = values[name]
    if (value === undefined) throw new Error(`front-page.md: no value for {{${name}}}`)
    return value
  })
}

/** What curl prints of the example, which runs here. @param {string} example */
function asked(example) {
  const urls = JSON.stringify(ASKED.map(({ url }) => url))
  const code = example
    .replace('logger: true', 'logger: false')
    .replace(
      /^await app\.listen.*$/m,
      `for (const url of ${urls}) console.log((await app.inject(url)).payload)`,
    )
  const payloads = printed(root, '--input-type=module', '--eval', code).split('\n')
  return ASKED.map(({ url, shown }, index) => {
    const payload = payloads[index] ?? ''
    const { status, detail } = JSON.parse(payload)
    const text = shown === '' ? payload : JSON.stringify({ status, detail })
    return `$ curl ${shown === '' ? '' : '-s '}'localhost:3000${url}'${shown === '' ? '' : ` \\\n   ${shown}`}\n${text}`
  }).join('\n\n')
}

/** What the command says of the request in the picture: the route, its hooks and schemas. */
function explained() {
  const words = ['explain', 'PUT', '/members/admin/books/7']
  const text = printed(path.join(root, 'site/shop'), path.join(root, 'packages/cli/dist/main.js'), ...words)
  const lines = text.split('\n')
  const wanted = /^(PUT| {2}(defined|context|handler|hooks|validates|serializes))/
  let isShown = false
  const shown = lines.filter((line) => {
    // What is indented further belongs to the line above.
    if (!line.startsWith('    ')) isShown = wanted.test(line)
    return isShown && line !== ''
  })
  return `$ npx cloister ${words.join(' ')}\n${shown.map((line) => line.replace(/ {2}by the engine.*$/, '')).join('\n')}`
}

/** @param {string} cwd @param {string[]} words */
function printed(cwd, ...words) {
  return execFileSync(process.execPath, words, { cwd, encoding: 'utf8' }).trim()
}

/** The cells of the first row with this title. @param {string} text @param {string} title */
function row(text, title) {
  return part(text, new RegExp(`^\\| ${title} \\| (.+) \\|$`, 'm'))
    .replaceAll('**', '')
    .split(' | ')
}

/** The time of a cell, without its ratio. @param {string | undefined} cell */
const time = (cell = '') => cell.replace(/ \(.+\)$/, '')

/** The first ratio of a cell, as a share. @param {string | undefined} cell */
const ratio = (cell = '') => `${Math.round(Number(part(cell, /([\d.]+)x/)) * 100)} %`

/** @param {string} text @param {RegExp} pattern */
function part(text, pattern) {
  const found = pattern.exec(text)?.[1]
  if (found === undefined) throw new Error(`the front page needs ${pattern}, which its source doesn't have`)
  return found
}
