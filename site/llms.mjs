// `llms.txt`, a list of the pages with a line each, and `llms-full.txt`, the guide, the recipes and the reference as one
// text: for programs that read (https://llmstxt.org).
import { readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '..')
/** The page for coding assistants, which is the first in both texts. */
const SKILL = 'packages/cloister/SKILL.md'
const order = [
  /^packages\/cloister\/SKILL\.md$/,
  /^docs\/guide\//,
  /^docs\/recipes\//,
  /^docs\/[a-z-]+\.md$/,
  /^docs\/why\//,
  /^packages\/[^/]+\/README\.md$/,
]

/**
 * @param {Map<string, string>} table the pages, by their sources
 * @param {string} readme
 */
export function llms(table, readme) {
  const sources = order.flatMap((pattern) => [...table.keys()].filter((source) => pattern.test(source)))
  const texts = sources.map((source) => ({ source, text: readFileSync(path.join(root, source), 'utf8') }))
  const summary = /^# .*\n\n(.+)\n/.exec(readme)?.[1] ?? ''
  const lines = texts.map(({ source, text }) => {
    const title = /^# (.+)$/m.exec(text)?.[1] ?? source
    if (source === SKILL) {
      return `- [${title}](/skill): a skill for coding assistants, which the package has as \`SKILL.md\`. Start here.`
    }
    return `- [${title}](/${(table.get(source) ?? '').replace(/(index)?\.md$/, '')}): ${firstSentence(text)}`
  })
  return {
    short: `# Cloister\n\n> ${summary}\n\n## Pages\n\n${lines.join('\n')}\n`,
    full: `# Cloister\n\n> ${summary}\n\n${texts.map(({ text }) => text.trim()).join('\n\n---\n\n')}\n`,
  }
}

/** @param {string} text */
function firstSentence(text) {
  const prose = text.split('\n').find((line) => /^(?!```)[A-Z`*]/.test(line)) ?? ''
  return (/^.*?[.:](?= |$)/.exec(prose)?.[0] ?? prose).replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
}
