import { readFileSync } from 'node:fs'
import path from 'node:path'
import { repository } from '../../../scripts/lib/run.mjs'

/**
 * The code of a recipe.
 *
 * @param name - the page below `docs/recipes`
 * @param language - how its blocks of code begin
 * @returns the blocks, in the order of the page
 */
export function codeOf(name: string, language: string): readonly string[] {
  const page = readFileSync(path.join(repository, 'docs/recipes', `${name}.md`), 'utf8')
  return [...page.matchAll(/```(\S+)[^\n]*\n([\s\S]*?)```/g)]
    .filter(([, found]) => found === language)
    .map(([, , code = '']) => code)
}
