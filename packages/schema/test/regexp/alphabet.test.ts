import { describe, expect, it } from 'vitest'
import { parsePattern } from '../../src/regexp/parse.ts'
import { Alphabet } from '../../src/regexp/alphabet.ts'
import { hasBit } from '../../src/regexp/bits.ts'

/** Each property that has bounds of its own kind. */
const PROPERTIES = [
  'L',
  'Cn',
  'Co',
  'Script_Extensions=Han',
  'Default_Ignorable_Code_Point',
  'Extended_Pictographic',
]
const SETS: readonly (readonly [source: string, flags: string])[] = [
  ...PROPERTIES.map((name) => [String.raw`\p{${name}}`, 'u'] as const),
  [String.raw`\P{Lu}`, 'iu'],
  [String.raw`[\p{Lu}_]`, 'iu'],
  [String.raw`\w`, 'iu'],
  ['[^k-sß]', 'iu'],
  [String.raw`\s`, 'u'],
  ['.', 'u'],
  [String.raw`[\ud83d😀]`, 'u'],
  [String.raw`[^\w]`, 'i'],
  ['[^k-sß]', 'i'],
  ['[a-zé]', 'i'],
  ['[😀]', ''],
  ['.', 's'],
]

describe('the classes of characters', () => {
  it.each(SETS)('of %s with the flags "%s" are those of V8, for each character', (source, flags) => {
    const { atoms } = parsePattern(source, flags)
    const alphabet = new Alphabet(atoms, flags, true)
    const [atom] = atoms
    const matching = atom === undefined ? alphabet.none : alphabet.of(atom)
    const native = new RegExp(`^(?:${source})$`, flags)
    const wrong: string[] = []
    for (let code = 0; code < (flags.includes('u') ? 0x110000 : 0x10000); code++)
      if (native.test(String.fromCodePoint(code)) !== hasBit(matching, alphabet.letterOf(code)))
        wrong.push(code.toString(16))
    expect(wrong).toEqual([])
  })
})
