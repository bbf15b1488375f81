// Writes the pages of the site to `.pages`: those of `docs/` and of the packages, the front page made from the README,
// and the reference made from the types. Links to files that are no pages lead to the repository.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { declarations } from './declarations.mjs'
import { frontPage } from './front-page.mjs'
import { frontPicture } from './front-picture.mjs'
import { llms } from './llms.mjs'

export const REPOSITORY = 'https://github.com/cloisterjs/cloister'
const site = import.meta.dirname
const root = path.join(site, '..')
const out = path.join(site, '.pages')

/** Each page: its source in the repository, and its path on the site. */
export function pages() {
  const table = new Map()
  for (const file of filesOf('docs')) {
    if (!file.endsWith('.md') || file.startsWith('docs/adr/')) continue
    table.set(file, file.slice('docs/'.length).replace(/(^|\/)README\.md$/, '$1index.md'))
  }
  for (const name of readdirSync(path.join(root, 'packages'))) {
    table.set(`packages/${name}/README.md`, `packages/${name}.md`)
  }
  for (const file of filesOf('site/content')) table.set(file, file.slice('site/content/'.length))
  table.set('packages/cloister/SKILL.md', 'skill.md')
  table.set('benchmarks/README.md', 'benchmarks-commands.md')
  table.set('CHANGELOG.md', 'changelog.md')
  table.set('SECURITY.md', 'security.md')
  return table
}

/**
 * The text of a page with its links brought to the site.
 *
 * @param {string} text
 * @param {string} source its path in the repository
 * @param {Map<string, string>} table
 */
export function withLinks(text, source, table) {
  const here = path.posix.dirname(table.get(source) ?? '')
  return text.replaceAll(/(\]\()([^)\s]+)(\))/g, (whole, open, link, close) => {
    if (/^([a-z]+:|#|\/)/.test(link)) return whole
    const [target = '', anchor] = link.split('#')
    const file = path.posix.normalize(path.posix.join(path.posix.dirname(source), target)).replace(/\/$/, '')
    const hash = anchor === undefined ? '' : `#${anchor}`
    const page = table.get(file) ?? table.get(`${file}/README.md`)
    if (page !== undefined) return `${open}${relative(here, page)}${hash}${close}`
    if (file.startsWith('docs/images/')) return `${open}${relative(here, file.slice('docs/'.length))}${close}`
    return `${open}${REPOSITORY}/blob/main/${file}${hash}${close}`
  })
}

/** @param {string} folder @param {string} page */
function relative(folder, page) {
  const link = path.posix.relative(folder, page)
  return link.startsWith('.') ? link : `./${link}`
}

/** @param {string} folder @returns {string[]} */
function filesOf(folder) {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
}

async function main() {
  rmSync(out, { recursive: true, force: true })
  const table = pages()
  for (const [source, page] of table) {
    const file = path.join(out, page)
    mkdirSync(path.dirname(file), { recursive: true })
    const text = readFileSync(path.join(root, source), 'utf8')
    writeFileSync(file, withLinks(withEditLink(text, source), source, table))
  }
  const readme = readFileSync(path.join(root, 'README.md'), 'utf8')
  const text = (/** @type {string} */ file) => readFileSync(path.join(root, file), 'utf8')
  const front = frontPage({
    page: text('site/front-page.md'),
    readme,
    benchmarks: text('docs/benchmarks.md'),
    operation: text('docs/evidence/operation.md'),
    explain: text('docs/guide/explain.md'),
  })
  writeFileSync(path.join(out, 'index.md'), withLinks(front, 'site/front-page.md', table))
  cpSync(path.join(root, 'docs/images'), path.join(out, 'images'), { recursive: true })
  cpSync(path.join(site, 'public'), path.join(out, 'public'), { recursive: true })
  const picture = await frontPicture()
  writeFileSync(path.join(out, 'public/front-light.svg'), picture.light)
  writeFileSync(path.join(out, 'public/front-dark.svg'), picture.dark)
  const { short, full } = llms(table, readme, process.env['DOCS_BASE'])
  writeFileSync(path.join(out, 'public/llms.txt'), short)
  writeFileSync(path.join(out, 'public/llms-full.txt'), full)
  writeFileSync(path.join(site, 'types.generated.json'), JSON.stringify(declarations()))
  if (process.argv.includes('--without-reference')) return
  execFileSync(process.execPath, ['node_modules/typedoc/bin/typedoc'], { cwd: site, stdio: 'inherit' })
  for (const file of filesOf('site/.pages/reference')) {
    const at = path.join(root, file)
    writeFileSync(at, withMatter(readFileSync(at, 'utf8'), 'editLink: false'))
  }
}

/** Every page knows its source, for the link "Edit this page". @param {string} text @param {string} source */
function withEditLink(text, source) {
  return withMatter(text, `source: ${source}\neditUrl: ${REPOSITORY}/edit/main/${source}`)
}

/** @param {string} text @param {string} line */
function withMatter(text, line) {
  return text.startsWith('---\n') ? text.replace('---\n', `---\n${line}\n`) : `---\n${line}\n---\n${text}`
}

if (process.argv[1] === import.meta.filename) await main()
