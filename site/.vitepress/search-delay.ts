import type { Plugin } from 'vitepress'

/** How long the search waits for another key, in milliseconds. */
const DELAY = 30
const DELAY_OF_VITEPRESS = 'debounce: 200'

/** Shortens the delay of VitePress's search, which has no option for it. The index is in the page, so a search takes a few milliseconds. */
export function searchDelay(): Plugin {
  return {
    name: 'search-delay',
    enforce: 'pre',
    transform(code, id) {
      if (!/VPLocalSearchBox\.vue$/.test(id)) return undefined
      if (!code.includes(DELAY_OF_VITEPRESS)) this.error(`the search box has no "${DELAY_OF_VITEPRESS}"`)
      return code.replace(DELAY_OF_VITEPRESS, `debounce: ${DELAY}`)
    },
  }
}
