import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { search } from '../search.mjs'
import { sidebar } from '../sidebar.mjs'
import { earlierVersions } from '../versions.mjs'
import { breaks } from './breaks.ts'
import { cellNames } from './cell-names.ts'
import { hangingIndent } from './hanging-indent.ts'
import { searchDelay } from './search-delay.ts'

const { version } = JSON.parse(
  readFileSync(new URL('../../packages/cloister/package.json', import.meta.url), 'utf8'),
)
const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8')
/** The path of the site: `/`, or `/v/0.1/` for an earlier version. */
const base = process.env['DOCS_BASE'] ?? '/'
const repository = 'https://github.com/cloisterjs/cloister'

/** A branch, drawn here: the icons of the theme come from another host while one writes pages. */
const branch =
  '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2"><circle cx="6" cy="5" r="2.500"/><circle cx="6" cy="19" r="2.500"/><circle cx="18" cy="8" r="2.500"/><path d="M6 7.500v9M18 10.500c0 4-6 3-9.500 6.500"/></svg>'

export default defineConfig({
  title: 'Cloister',
  description:
    'A web framework for Node.js that validates requests and serializes responses with JSON Schema',
  lang: 'en',
  base,
  srcDir: '.pages',
  outDir: '.built',
  cleanUrls: true,
  // Messages of errors name addresses of apps that readers run.
  ignoreDeadLinks: 'localhostLinks',
  vite: {
    plugins: [searchDelay()],
    // The playground runs the build for workers, as any bundler for workers takes it.
    resolve: {
      conditions: ['worker', 'module', 'browser', 'development|production'],
      alias: { 'node:http': fileURLToPath(new URL('../playground/node-http.ts', import.meta.url)) },
    },
    worker: { format: 'es' },
    build: { chunkSizeWarningLimit: 4000 },
  },
  // Nothing here asks another host: fonts are the system's, search runs in the page.
  markdown: {
    languageAlias: { fragment: 'ts' },
    // Words in braces are text, as on GitHub: `{mediaType}` would become an attribute of its cell.
    attrs: { disable: true },
    config: (md) => {
      breaks(md)
      cellNames(md)
    },
    codeTransformers: [hangingIndent],
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  head: [['link', { rel: 'icon', href: `${base}logo.svg`, type: 'image/svg+xml' }]],
  themeConfig: {
    logo: '/logo.svg',
    nav: [
      { text: 'Guide', link: '/guide/', activeMatch: '^/guide/' },
      { text: 'Recipes', link: '/recipes/', activeMatch: '^/recipes/' },
      {
        text: 'Reference',
        link: '/options',
        activeMatch: '^/(options|errors|schemas|serialization|typescript|reference|packages)',
      },
      { text: 'Why', link: '/why/', activeMatch: '^/(why|benchmarks|evidence)' },
      { text: 'Playground', link: '/playground' },
      {
        text: version,
        items: [
          { text: `${version} (this one)`, link: '/changelog' },
          ...earlierVersions(changelog, version),
          { text: 'Support dates', link: '/security' },
        ],
      },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: 'local', options: search },
    socialLinks: [{ icon: { svg: branch }, ariaLabel: 'Repository', link: repository }],
    // Runs in the browser too, so it reads what `prepare.mjs` wrote into the page.
    editLink: { pattern: ({ frontmatter }) => String(frontmatter['editUrl']) },
    footer: {
      message: [
        ['Changelog', `${base}changelog`],
        ['Security', `${base}security`],
        ['For language models', `${base}llms.txt`],
        ['Source', repository],
      ]
        .map(([text, link]) => `<a href="${link}">${text}</a>`)
        .join(' · '),
      copyright: 'MIT licence',
    },
  },
})
