/** Objects that are mostly one long string. */
import { shape, type Shape } from './shape.ts'

const schema = { type: 'object', properties: { text: { type: 'string' } } }

function repeated(part: string, length: number): (variant: number) => { text: string } {
  return (variant) => {
    const text = part.repeat(Math.ceil(length / part.length)).slice(variant % part.length, length)
    // A flat string, as the parser of a database driver makes it.
    return { text: Buffer.from(text).toString() }
  }
}

/** Shapes of long strings. */
export const stringShapes: readonly Shape[] = [
  shape('str1k', schema, repeated('the quick brown fox jumps over the lazy dog. ', 1000)),
  shape('str100k', schema, repeated('the quick brown fox jumps over the lazy dog. ', 100_000), {
    variants: 8,
  }),
  shape('str1kUtf', schema, repeated('größe und maß, naïve café, ελληνικά. ', 1000)),
  shape('str1kEsc', schema, repeated('a "quoted" word\nand a line. ', 1000)),
  shape('str100kEsc', schema, repeated('a "quoted" word\nand a line. ', 100_000), { variants: 8 }),
]
