import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Loader, Plugin } from 'esbuild'

/** What a module says of its own place, and the variable of its own that it becomes. */
export const PLACES: Readonly<Record<string, string>> = {
  [`${meta()}.url`]: 'fileUrl__',
  [`${meta()}.filename`]: 'filePath__',
  [`${meta()}.dirname`]: 'folderPath__',
  [nodeName('file')]: 'filePath__',
  [nodeName('dir')]: 'folderPath__',
}

/** What these variables are made of; the entry of a bundle knows its address as `ownUrl__`. */
export const OWN_PLACE: string = [
  "import { fileURLToPath as toPath__ } from 'node:url'",
  `const ownUrl__ = ${meta()}.url`,
].join(';')

const SAYS = new RegExp(`\\b${meta().replace('.', String.raw`\s*\.\s*`)}\\b|\\b__(?:file|dir)name\\b`)
const FILES = /\.[cm]?[jt]sx?$/
const HASHBANG = /^#!.*/

/**
 * Keeps the place that a module had before, relative to the written file: it reads the files that lay beside it.
 *
 * @param out - the file that is written
 * @param placed - gets the modules
 */
export function keepPlaces(out: string, placed: Set<string>): Plugin {
  return {
    name: 'cloister-places',
    setup(build) {
      build.onLoad({ filter: FILES, namespace: 'file' }, async ({ path: file }) => {
        const text = await readFile(file, 'utf8')
        if (!SAYS.test(text)) return undefined
        placed.add(file)
        return {
          contents: text
            .replace(HASHBANG, '')
            .replace(/^/, () => variablesOf(path.relative(path.dirname(out), file))),
          loader: loaderOf(file),
        }
      })
    },
  }
}

function variablesOf(relative: string): string {
  const address = JSON.stringify(
    encodeURI(relative.split(path.sep).join('/')).replaceAll(/[#?]/g, encodeURIComponent),
  )
  return [
    `const fileUrl__ = new URL(${address}, ownUrl__).href, filePath__ = toPath__(fileUrl__);`,
    "const folderPath__ = toPath__(new URL('.', fileUrl__));",
  ].join('')
}

const LOADERS: Readonly<Record<string, Loader>> = { ts: 'ts', tsx: 'tsx', jsx: 'jsx' }

function loaderOf(file: string): Loader {
  return LOADERS[path.extname(file).replace(/^\.[cm]?/, '')] ?? 'js'
}

/** Returns `import.meta` as a text; in pieces, because this module is bundled too. */
export function meta(): string {
  return ['import', 'meta'].join('.')
}

function nodeName(what: string): string {
  return `__${what}name`
}
