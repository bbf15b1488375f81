// The navigation of the site: the lists of the guide and of the recipes as their first pages have them.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '..')

/** @typedef {{ text: string, link: string }} Item */

export function sidebar() {
  const reference = [
    {
      text: 'Reference',
      items: [
        { text: 'Options', link: '/options' },
        { text: 'Errors', link: '/errors' },
        { text: 'Schemas', link: '/schemas' },
        { text: 'The validator', link: '/validator' },
        { text: 'Expensive inputs', link: '/expensive-inputs' },
        { text: 'Serialization', link: '/serialization' },
        { text: 'TypeScript', link: '/typescript' },
        { text: 'Compatibility', link: '/compatibility' },
        { text: 'Plugins that were tried', link: '/compatibility-plugins' },
        { text: 'Migrating', link: '/migrating' },
        { text: 'Upgrading', link: '/upgrading' },
        { text: 'API', link: '/reference/api/' },
      ],
    },
    { text: 'Packages', items: packages() },
  ]
  const why = [
    { text: 'Why Cloister', items: content('why') },
    {
      text: 'Evidence',
      items: [
        { text: 'Benchmarks', link: '/benchmarks' },
        { text: 'Threat model', link: '/threat-model' },
        ...listed('docs/evidence/README.md', '/evidence/'),
      ],
    },
  ]
  return {
    '/guide/': sections('docs/guide/README.md', '/guide/'),
    '/recipes/': sections('docs/recipes/README.md', '/recipes/'),
    '/why/': why,
    '/evidence/': why,
    '/benchmarks': why,
    '/threat-model': why,
    '/': reference,
  }
}

/** The sections of a first page that list pages beside it. @param {string} file @param {string} base */
function sections(file, base) {
  return read(file)
    .split(/^## /m)
    .map((text) => ({ text: text.slice(0, text.indexOf('\n')), items: linksOf(text, base) }))
    .filter(({ items }) => items.length > 0)
}

/** The links of a page to pages beside it, in its order. @param {string} file @param {string} base */
const listed = (file, base) => linksOf(read(file), base)

/** @param {string} file */
const read = (file) => readFileSync(path.join(root, file), 'utf8')

/** The links of lists and tables. @param {string} text @param {string} base @returns {Item[]} */
function linksOf(text, base) {
  return [...text.matchAll(/^(?:\d+\. |\|.*)\[([^\]]+)\]\(([a-z-]+)\.md\)/gm)].map(
    ([, name = '', page = '']) => ({
      // Some lists name the files of pages.
      text: (name.endsWith('.md') ? name.slice(0, -3).replaceAll('-', ' ') : name).replace(/^./, (letter) =>
        letter.toUpperCase(),
      ),
      link: base + page,
    }),
  )
}

/** @returns {Item[]} */
function packages() {
  return readdirSync(path.join(root, 'packages')).map((folder) => ({
    text: JSON.parse(read(`packages/${folder}/package.json`)).name,
    link: `/packages/${folder}`,
  }))
}

/** The pages of the folder `why`, in their order. */
const ORDER = [
  'README',
  'fastify-4',
  'fastify-5',
  'fastify-6',
  'express',
  'nest',
  'new-api',
  'edge',
  'llm',
  'tested',
  'limits',
]

/** Pages of a folder of `docs/`, by their headings. @param {string} folder @returns {Item[]} */
function content(folder) {
  return ORDER.map((name) => `${name}.md`).map((file) => ({
    text: /^# (.+)$/m.exec(read(`docs/${folder}/${file}`))?.[1] ?? file,
    link: `/${folder}/${file.replace(/(README)?\.md$/, '')}`,
  }))
}
