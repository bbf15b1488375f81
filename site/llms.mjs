// `llms.txt`, what to know first and a list of the pages with a line each, and `llms-full.txt`, the guide, the recipes and
// the reference as one text: for programs that read (https://llmstxt.org).
import { readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '..')

/** The headings of the list, and the sources of the pages below each.
 * @type {readonly (readonly [title: string, sources: RegExp])[]} */
const SECTIONS = [
  ['For coding assistants', /^packages\/cloister\/SKILL\.md$/],
  ['Guide', /^docs\/guide\//],
  ['Recipes', /^docs\/recipes\//],
  ['Reference', /^docs\/[a-z-]+\.md$/],
  ['Why Cloister', /^docs\/why\//],
  ['Packages', /^packages\/[^/]+\/README\.md$/],
]

/** @param {string} base */
const first = (
  base,
) => `- A new project: \`npm create cloister my-api\`. In a project: \`npm install cloister\`, then \`import { cloister } from 'cloister'\`, with Node.js 20.19 or later.
- Follow [the skill](${base}skill) when you write code. It is also in \`node_modules/cloister/SKILL.md\`.
- Options and code of a package are in its \`README.md\`, as in \`node_modules/@cloister/web/README.md\`.
- All pages as one text: [llms-full.txt](${base}llms-full.txt).`

/**
 * @param {Map<string, string>} table the pages, by their sources
 * @param {string} readme
 * @param {string} base the path of the site on its server
 */
export function llms(table, readme, base = '/') {
  const summary = /^# .*\n\n(.+)\n/.exec(readme)?.[1] ?? ''
  const sections = SECTIONS.map(([title, pattern]) => ({ title, pages: pagesOf(table, pattern, base) }))
  const lists = sections.map(
    ({ title, pages }) => `## ${title}\n\n${pages.map(({ line }) => line).join('\n')}\n`,
  )
  const texts = sections.flatMap(({ pages }) => pages.map(({ text }) => text.trim()))
  return {
    short: `# Cloister\n\n> ${summary}\n\n${first(base)}\n\n${lists.join('\n')}`,
    full: `# Cloister\n\n> ${summary}\n\n${texts.join('\n\n---\n\n')}\n`,
  }
}

/** @param {Map<string, string>} table @param {RegExp} pattern @param {string} base */
function pagesOf(table, pattern, base) {
  return [...table]
    .filter(([source]) => pattern.test(source))
    .map(([source, page]) => {
      const text = readFileSync(path.join(root, source), 'utf8')
      const title = /^# (.+)$/m.exec(text)?.[1] ?? source
      return {
        text,
        line: `- [${title}](${base}${page.replace(/(index)?\.md$/, '')}): ${firstSentence(text)}`,
      }
    })
}

/**
 * Returns the first sentence of a page without links. One that ends with a colon, before code or a list, gets a stop.
 *
 * @param {string} text
 */
function firstSentence(text) {
  const paragraphs = text.replaceAll(/^(```+)[^]*?^\1$/gm, '').split(/\n\s*\n/)
  const prose = paragraphs.find((paragraph) => /^[A-Z`*[]/.test(paragraph))?.replaceAll('\n', ' ') ?? ''
  const sentence = /^.*?\.(?= |$)/.exec(prose)?.[0] ?? prose.replace(/:$/, '.')
  return sentence.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
}
