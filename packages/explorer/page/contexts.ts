import type { ContextDescription } from 'cloister'

import { h } from './dom.ts'
import type { Link } from './call-site.ts'

/**
 * The tree of contexts; each opens to what it adds.
 *
 * @param own - the path of the page, whose context is left out
 */
export function contextTree(root: ContextDescription, own: string, link: Link): HTMLElement {
  return h('ul', { class: 'tree' }, branch(withoutPage(root, own), link))
}

function withoutPage(context: ContextDescription, own: string): ContextDescription {
  const children = context.children.filter(({ routes }) => !routes.some(({ url }) => url === own))
  return { ...context, children: children.map((child) => withoutPage(child, own)) }
}

function branch(context: ContextDescription, link: Link): HTMLElement {
  const { name, tookMs, prefix, children } = context
  return h(
    'li',
    {},
    h(
      'details',
      { open: children.length > 0 },
      h('summary', {}, h('b', {}, name), ` ${prefix} `, h('small', {}, `${tookMs.toFixed(1)} ms`)),
      additions(context, link),
      children.length > 0 && h('ul', {}, ...children.map((child) => branch(child, link))),
    ),
  )
}

/** What a context adds itself, by kind. */
function additions(context: ContextDescription, link: Link): HTMLElement {
  const { hooks, decorators, schemas, parsers, settings, errorHandler, notFoundHandler, routes } = context
  const lines: [string, string, string | null][] = [
    ...hooks.map((one): [string, string, string | null] => [one.name, one.fn, one.callSite]),
    ...decorators.map((one): [string, string, string | null] => [
      `${one.kind} decorator`,
      one.name,
      one.callSite,
    ]),
    ...schemas.map((one): [string, string, string | null] => ['schema', one.id, one.callSite]),
    ...parsers.map((one): [string, string, string | null] => ['parser', one.type, one.callSite]),
    ...settings.map((one): [string, string, string | null] => ['setting', one.name, one.callSite]),
  ]
  if (errorHandler !== null) lines.push(['error handler', errorHandler.fn, errorHandler.callSite])
  if (notFoundHandler !== null)
    lines.push(['not-found handler', notFoundHandler.fn, notFoundHandler.callSite])
  const count = routes.filter(({ automatic }) => !automatic).length
  return h(
    'ul',
    { class: 'adds' },
    ...lines
      .filter(([, , callSite]) => callSite !== null)
      .map(([kind, name, callSite]) => h('li', {}, h('small', {}, `${kind} `), `${name} `, link(callSite))),
    h('li', {}, h('small', {}, `${count} ${count === 1 ? 'route' : 'routes'}`)),
  )
}
