import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vitepress'

/**
 * Keeps the styles of the editor with the editor. VitePress writes one style sheet for all pages, and those of the
 * editor would make the front page twice as large.
 */
export function editorStyles(): Plugin {
  const mark = '\0editor-style:'
  return {
    name: 'editor-styles',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!source.endsWith('.css') || importer === undefined || !importer.includes('/monaco-editor/'))
        return null
      return `${mark}${path.resolve(path.dirname(importer), source)}.js`
    },
    load(id) {
      if (!id.startsWith(mark)) return null
      const file = id.slice(mark.length, -'.js'.length)
      const text = readFileSync(file, 'utf8').replaceAll(/url\((\.[^)]+\.ttf)\)/g, (_whole, font: string) => {
        const data = readFileSync(path.resolve(path.dirname(file), font)).toString('base64')
        return `url(data:font/ttf;base64,${data})`
      })
      return `const style = document.createElement('style'); style.textContent = ${JSON.stringify(text)}; document.head.append(style)`
    },
  }
}
