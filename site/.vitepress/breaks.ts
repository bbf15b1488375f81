import type { MarkdownRenderer } from 'vitepress'

/** Where a name may break: after a separator, and before a capital inside a name such as `bodyLimit`. */
const BREAKS = /(?<=[a-zA-Z0-9][_./:,@|=-])(?=[a-zA-Z0-9])|(?<=[a-z])(?=[A-Z])/g

/** Lets code in cells wrap between its words, so that a table with long names fits the column. */
export function breaks(md: MarkdownRenderer): void {
  const render = md.renderer.rules.code_inline
  if (render === undefined) throw new Error('the renderer has no rule for inline code')
  md.renderer.rules.code_inline = (tokens, index, options, env, self) =>
    render(tokens, index, options, env, self).replaceAll(
      /(>)([^<]+)(<)/g,
      (_whole, open: string, text: string, close: string) => open + text.replaceAll(BREAKS, '<wbr>') + close,
    )
}
