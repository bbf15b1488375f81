import type { RouteDescription } from 'cloister'

import { fill, h } from './dom.ts'

/** The list of routes, with its filter. */
export interface RouteList {
  readonly filter: HTMLInputElement
  readonly list: HTMLElement
  /** Says how many routes are shown. */
  readonly status: HTMLElement
}

/** Makes the list of routes; a click or Enter selects one, the arrow keys move. */
export function routeList(
  routes: readonly RouteDescription[],
  select: (route: RouteDescription) => void,
): RouteList {
  const filter = h('input', {
    id: 'filter',
    type: 'search',
    placeholder: 'path, hook, plugin, file',
    oninput: () => show(),
  })
  const status = h('p', { role: 'status', class: 'count' })
  const list = h('ul', { class: 'routes', onkeydown: (event) => move(event) })
  const show = (): void => {
    const found = routes.filter((route) => matches(route, filter.value))
    fill(list, ...found.map((route) => h('li', {}, button(route, list, select))))
    status.textContent = `${found.length} of ${routes.length} routes`
  }
  show()
  return { filter, list, status }
}

function button(
  route: RouteDescription,
  list: HTMLElement,
  select: (route: RouteDescription) => void,
): HTMLElement {
  const { method, url, constraints } = route
  const wanted = Object.entries(constraints).map(([name, value]) => ` ${name}=${value}`)
  const element = h(
    'button',
    {
      type: 'button',
      onclick: () => {
        for (const other of list.querySelectorAll('[aria-current]')) other.removeAttribute('aria-current')
        element.setAttribute('aria-current', 'true')
        select(route)
      },
    },
    h('span', { class: `method ${method}` }, method),
    ` ${url}${wanted.join('')}`,
  )
  return element
}

/** Whether every word of a text is in the path, the hooks, the plugins or the file of a route. */
function matches(
  { method, url, handler, context, callSite, hooks }: RouteDescription,
  text: string,
): boolean {
  const parts = [
    method,
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

function move(event: Event): void {
  if (!(event instanceof KeyboardEvent) || !(event.target instanceof HTMLElement)) return
  const item = event.target.closest('li')
  const next =
    event.key === 'ArrowDown'
      ? item?.nextElementSibling
      : event.key === 'ArrowUp'
        ? item?.previousElementSibling
        : null
  if (!(next instanceof HTMLElement)) return
  event.preventDefault()
  next.querySelector('button')?.focus()
}
