/** A child of an element: another one, text, or nothing. */
export type Child = Node | string | null | false

type Properties = Readonly<Record<string, string | boolean | ((event: Event) => void)>>

/** Makes an element. Text is never read as HTML. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Properties = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === 'function') element.addEventListener(key.slice(2), value)
    else if (value === true) element.setAttribute(key, '')
    else if (value !== false) element.setAttribute(key, value)
  }
  append(element, children)
  return element
}

/** Replaces what an element has. */
export function fill(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren()
  append(element, children)
}

function append(element: Element, children: readonly Child[]): void {
  for (const child of children) if (child !== null && child !== false) element.append(child)
}

/** Where a path or a name with separators may break. */
const BREAKS = /(?<=[\w)][_./,@|=>-])(?=[\w:*{(])|(?<=\/)(?=[\w:*{(])/
/** Where a long name may break: before a capital inside it. */
const CAPITALS = /(?<=[a-z0-9])(?=[A-Z])/
/** Shorter names do not break. */
const LONG = 18

/** Text that breaks between the words of its names and paths, not within them. */
export function words(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment()
  const parts = text.split(BREAKS).flatMap((part) => (part.length < LONG ? [part] : part.split(CAPITALS)))
  for (const [index, part] of parts.entries()) {
    if (index > 0) fragment.append(document.createElement('wbr'))
    fragment.append(part)
  }
  return fragment
}

/** A table with a caption for those who do not see it. */
export function table(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly Child[])[],
): HTMLElement {
  return h(
    'table',
    {},
    h('caption', { class: 'hidden' }, caption),
    h('thead', {}, h('tr', {}, ...heads.map((head) => h('th', { scope: 'col' }, head)))),
    h(
      'tbody',
      {},
      ...rows.map((row) =>
        h('tr', {}, ...row.map((cell) => h('td', {}, typeof cell === 'string' ? words(cell) : cell))),
      ),
    ),
  )
}
