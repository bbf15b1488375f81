/** Counts code points: a surrogate pair is one, and so is a lone surrogate. */
export function codePointLength(text: string): number {
  let length = text.length
  for (let i = 0; i < text.length - 1; i++) {
    const codeUnit = text.charCodeAt(i)
    if (codeUnit < 0xd800 || codeUnit > 0xdbff) continue
    const next = text.charCodeAt(i + 1)
    if (next < 0xdc00 || next > 0xdfff) continue
    length -= 1
    i += 1
  }
  return length
}
