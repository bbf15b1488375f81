/** Formats of strings, from the table that the validator uses. */
import { loadFormats } from '../../dependencies.ts'

/** The test of a format; nothing for a format that is not known. */
export function formatTest(format: string): ((text: string) => boolean) | undefined {
  const { fullFormats } = loadFormats()
  return Object.hasOwn(fullFormats, format) ? testOf(Reflect.get(fullFormats, format)) : undefined
}

function testOf(definition: unknown): ((text: string) => boolean) | undefined {
  if (definition instanceof RegExp) return (text) => definition.test(text)
  if (isPredicate(definition)) return (text) => definition(text) === true
  if (typeof definition === 'object' && definition !== null && 'validate' in definition) {
    return testOf(definition.validate)
  }
  return undefined
}

function isPredicate(definition: unknown): definition is (text: string) => unknown {
  return typeof definition === 'function'
}
