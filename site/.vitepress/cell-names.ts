import type { MarkdownRenderer } from 'vitepress'

/** Gives each cell the name of its column, which narrow screens show beside it. */
export function cellNames(md: MarkdownRenderer): void {
  md.core.ruler.push('cell_names', ({ tokens }) => {
    let names: string[] = []
    let column = 0
    for (const [index, token] of tokens.entries()) {
      if (token.type === 'table_open') names = []
      else if (token.type === 'tr_open') column = 0
      else if (token.type === 'th_open') names.push(textOf(tokens[index + 1]))
      else if (token.type === 'td_open') token.attrSet('data-name', names[column++] ?? '')
    }
  })
}

/** The text of a cell without its marks. */
function textOf(inline: ReturnType<MarkdownRenderer['parse']>[number] | undefined): string {
  return (inline?.children ?? []).map(({ content }) => content).join('')
}
