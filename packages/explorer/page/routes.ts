import type { RouteDescription } from 'cloister'

import { hashOf, isAt } from './address.ts'
import { fill, h } from './dom.ts'
import { routeName } from './route-name.ts'
import type { KindOf } from './route-name.ts'

/** The list of routes, with its filter. */
export interface RouteList {
  readonly filter: HTMLInputElement
  readonly list: HTMLElement
  /** Says how many routes are shown. */
  readonly status: HTMLElement
  /** Marks the route that the page is at. */
  mark(hash: string): void
}

/** Where the filter is kept while the page is loaded again. */
const KEPT = 'cloister-explorer-filter'

/** Makes the list of routes: links, between which the arrow keys move. */
export function routeList(routes: readonly RouteDescription[], kindOf: KindOf): RouteList {
  const items = routes.map((route) => ({
    route,
    item: h('li', {}, h('a', { href: hashOf(route) }, ...routeName(route, kindOf(route)))),
  }))
  const status = h('p', { role: 'status', class: 'count' })
  const filter: HTMLInputElement = h('input', {
    id: 'filter',
    type: 'search',
    value: sessionStorage.getItem(KEPT) ?? '',
    placeholder: 'path, hook, plugin, file',
    oninput: () => show(),
    onkeydown: (event) => enter(event, list),
  })
  const list: HTMLElement = h('ul', { class: 'routes', onkeydown: (event) => move(event, filter) })
  const show = (): void => {
    const found = items.filter(({ route }) => matches(route, kindOf(route), filter.value))
    fill(list, ...found.map(({ item }) => item))
    status.textContent = `${found.length} of ${routes.length} routes`
    sessionStorage.setItem(KEPT, filter.value)
  }
  const mark = (hash: string): void => {
    for (const { route, item } of items) {
      const link = item.querySelector('a')
      if (!isAt(hash, route)) link?.removeAttribute('aria-current')
      else {
        link?.setAttribute('aria-current', 'page')
        item.scrollIntoView({ block: 'nearest' })
      }
    }
  }
  show()
  return { filter, list, status, mark }
}

/** Whether every word of a text is in the path, the hooks, the plugins or the file of a route. */
function matches(
  { method, url, handler, context, callSite, hooks }: RouteDescription,
  kind: string,
  text: string,
): boolean {
  const parts = [
    method,
    kind,
    url,
    handler,
    context,
    callSite,
    ...hooks.flatMap(({ name, fn, plugin }) => [name, fn, plugin]),
  ]
  const all = parts.join(' ').toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word))
}

/** From the filter, Enter opens the first route and the arrow goes to it. */
function enter(event: Event, list: HTMLElement): void {
  const first = list.querySelector('a')
  if (!(event instanceof KeyboardEvent) || first === null) return
  if (event.key === 'Enter') first.click()
  if (event.key === 'ArrowDown') {
    event.preventDefault()
    first.focus()
  }
}

function move(event: Event, filter: HTMLElement): void {
  if (!(event instanceof KeyboardEvent) || !(event.target instanceof HTMLElement)) return
  const item = event.target.closest('li')
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.preventDefault()
  const next = event.key === 'ArrowDown' ? item?.nextElementSibling : item?.previousElementSibling
  if (next instanceof HTMLElement) next.querySelector('a')?.focus()
  else if (event.key === 'ArrowUp') filter.focus()
}
