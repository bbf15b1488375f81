// What a visitor of the repository or of a package page sees first: manifests that link to it, links that work.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { trackedFiles } from '../lib/files.mjs'
import { repository } from '../lib/run.mjs'

const HOME = 'https://github.com/cloisterjs/cloister'
const files = trackedFiles(repository)
const manifests = files.filter((file) => /^packages\/[^/]+\/package\.json$/.test(file))
const pages = files.filter((file) => file.endsWith('.md'))

const textOf = (file: string): string => readFileSync(path.join(repository, file), 'utf8')

/** Returns the targets of the links of a page, without code. */
function linksOf(file: string): string[] {
  const prose = textOf(file)
    .replaceAll(/^( *)(`{3,}).*\n[\s\S]*?^\1\2$/gm, '')
    .replaceAll(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? '')
}

/** Returns the anchors of a page, as GitHub generates them from headings. */
function anchorsOf(file: string): Set<string> {
  const headings = textOf(file).matchAll(/^#+ (.+)$/gm)
  return new Set(
    [...headings].map(([, text = '']) =>
      text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

describe('the manifest of a published package', () => {
  it.each(manifests)('%s says where its sources, issues and home page are', (file) => {
    const manifest = JSON.parse(textOf(file)) as Record<string, unknown>
    expect(manifest['repository']).toEqual({
      type: 'git',
      url: `git+${HOME}.git`,
      directory: path.dirname(file),
    })
    expect(manifest['homepage']).toBe(`${HOME}#readme`)
    expect(manifest['bugs']).toBe(`${HOME}/issues`)
    expect(manifest['keywords']).not.toEqual([])
    expect(manifest['description']).toEqual(expect.any(String))
  })

  it.each(manifests)('%s comes with a README', (file) => {
    expect(existsSync(path.join(repository, path.dirname(file), 'README.md'))).toBe(true)
  })
})

describe('the links', () => {
  it.each(pages)('of %s lead to pages and headings that exist', (page) => {
    const broken = linksOf(page).filter((link) => {
      const local = link.startsWith(`${HOME}/blob/main/`)
        ? `/${link.slice(`${HOME}/blob/main/`.length)}`
        : link
      if (/^[a-z]+:/.test(local)) return false
      const [target = '', anchor] = local.split('#')
      const file =
        target === ''
          ? page
          : target.startsWith('/')
            ? target.slice(1)
            : path.join(path.dirname(page), target)
      if (!existsSync(path.join(repository, file))) return true
      return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).has(anchor)
    })
    expect(broken).toEqual([])
  })

  it.each(pages.filter((page) => /^packages\/[^/]+\/README\.md$/.test(page)))(
    'of %s work on the page of the package too',
    (page) => {
      expect(linksOf(page).filter((link) => !/^(https:|#)/.test(link))).toEqual([])
    },
  )
})
