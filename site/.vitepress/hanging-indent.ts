import type { MarkdownOptions } from 'vitepress'

type Transformer = NonNullable<MarkdownOptions['codeTransformers']>[number]

/** Tells the style sheet how far each line of code is indented, so that the rest of a wrapped line begins there. */
export const hangingIndent: Transformer = {
  name: 'hanging-indent',
  line(node, number) {
    const text = this.source.split('\n')[number - 1] ?? ''
    const indent = text.length - text.trimStart().length
    if (text.length > 34) this.addClassToHast(node, `in${Math.min(indent, 12)}`)
  },
}
