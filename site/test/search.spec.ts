// What the search finds first, in the index of the built site and with the options of the page: needs no browser.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { search } from '../search.mjs'

const require = createRequire(createRequire(import.meta.url).resolve('vitepress'))
const MiniSearch = require('minisearch')

/** The search of the page, as VitePress makes it. */
function makeSearch() {
  const chunks = path.join(import.meta.dirname, '../.built/assets/chunks')
  const file = readdirSync(chunks).find((name) => name.startsWith('@localSearchIndex'))
  if (file === undefined) throw new Error('build the site first: npm run docs:build')
  const text = readFileSync(path.join(chunks, file), 'utf8')
  const json = new Function(
    `${text.slice(0, text.lastIndexOf('export'))}; return ${/export\s*\{\s*(\S+) as default/.exec(text)?.[1]}`,
  )()
  return MiniSearch.loadJSON(json, {
    fields: ['title', 'titles', 'text'],
    storeFields: ['title', 'titles'],
    searchOptions: {
      fuzzy: 0.2,
      prefix: true,
      boost: { title: 4, text: 2, titles: 1 },
      ...search.miniSearch?.searchOptions,
    },
  })
}

const index = makeSearch()
const first = (query: string): string[] =>
  index
    .search(query)
    .slice(0, 3)
    .map(({ id }: { id: string }) => id)

/** What a newcomer types, and the page that they want. */
const WANTED: Record<string, RegExp> = {
  'hot reload': /^\/guide\/getting-started/,
  'static files': /^\/recipes\/static-files/,
  typescript: /^\/typescript/,
  zod: /^\/(guide\/validation|schemas)/,
  bodyLimit: /^\/(guide\/production|options)/,
  'rate limit': /^\/(recipes\/edge|packages\/web)/,
  middleware: /^\/guide\/hooks/,
  cors: /^\/recipes\/cors/,
  websocket: /^\/recipes\/websockets/,
  openapi: /^\/(guide|recipes)\/openapi/,
  'file upload': /^\/recipes\/uploads/,
  'error handling': /^\/guide\/replies-and-errors/,
  'health check': /^\/recipes\/deploying/,
  streaming: /^\/recipes\/server-sent-events/,
  database: /^\/recipes\/database/,
  testing: /^\/guide\/testing/,
}

describe('the search', () => {
  it.each(Object.entries(WANTED))('finds for "%s" what a newcomer wants', (query, page) => {
    const found = first(query)
    if (process.env['SHOW'] !== undefined) console.log(query, found)
    expect(found[0]).toMatch(page)
  })

  it.each(Object.keys(WANTED))(
    'finds for "%s" no page of evidence or of the generated reference first',
    (query) => {
      expect(first(query).filter((id) => /^\/(evidence|reference|changelog)/.test(id))).toEqual([])
    },
  )
})
