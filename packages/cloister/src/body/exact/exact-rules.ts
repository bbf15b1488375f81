import type { ExactOptions, ExactRules } from './rules.ts'

/** Returns the rules of an app; `null` if it has none. */
export function exactRules({ bodyText, duplicateNames, integers }: ExactOptions): ExactRules | null {
  const rules = {
    text: bodyText === 'utf-8',
    names: duplicateNames === 'refuse',
    numbers: integers !== 'number',
  }
  return rules.text || rules.names || rules.numbers ? rules : null
}
