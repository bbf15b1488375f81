/** Expressions whose time in V8 grows faster than the text, each with a text that does not match. */
export const HOSTILE: readonly (readonly [pattern: string, piece: string, end: string])[] = [
  ['.*a.*b.*c', 'ab', ''],
  ['^(a+)+$', 'a', '!'],
  ['^(a|aa)+$', 'a', '!'],
  ['(x+x+)+y', 'x', ''],
  [String.raw`^(\w+\s?)*$`, 'ab ', '!'],
  [String.raw`^[^\s@]+@[^\s@]+\.[^\s@]+$`, 'a.', ''],
  [String.raw`^\S+@\S+\.\S+$`, '@.', ' '],
  [String.raw`\s+$`, ' ', 'x'],
  [String.raw`^(?:\p{L}+\s*)+$`, 'é日😀', '!'],
  [String.raw`^(?:a?){25}a{25}$`, 'a', ''],
  [String.raw`^([a-z]{5,40})+$`, 'a', '!'],
  [String.raw`^(?=(a+)+$)b`, 'a', '!'],
  [String.raw`^(?!(a|a)*b)[^c]+c`, 'a', ''],
  [String.raw`\b(\w+\b\W?)+x$`, 'ab,', '!'],
  [String.raw`(?:a|b)*a[ab]{12}c`, 'ab', ''],
  ['(a|b|c|d){1,5000}e', 'abcd', ''],
  ['[a-d]{2,5000}$', 'abcd', '!'],
]

/** A text of some length that a hostile expression does not match. */
export function hostileText(piece: string, end: string, length: number): string {
  return piece.repeat(Math.ceil((length - end.length) / piece.length)) + end
}
