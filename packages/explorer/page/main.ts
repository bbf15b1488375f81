import type { RouteDescription } from 'cloister'

import { linker } from './call-site.ts'
import type { Link } from './call-site.ts'
import { contextTree } from './contexts.ts'
import { contextsOf, readApp, readRoute } from './data.ts'
import { fill, h } from './dom.ts'
import { routeDetails } from './route.ts'
import { routeList } from './routes.ts'
import { requestForm } from './send.ts'

const root = document.getElementById('root') ?? document.body

async function start(): Promise<void> {
  const { app, editorUrl, own } = await readApp()
  const link = linker(editorUrl)
  const routes = contextsOf(app.contexts)
    .flatMap(({ context }) => context.routes)
    .filter(({ automatic, url }) => !automatic && url !== own && !url.startsWith(`${own}/`))
  const details = h('main', { id: 'details' }, h('p', {}, 'Choose a route to see what its requests run.'))
  const { filter, list, status } = routeList(routes, (route) => void show(route, details, link))
  fill(
    root,
    h('header', {}, h('h1', {}, 'Explorer'), h('label', { for: 'filter' }, 'Filter'), filter, status),
    h(
      'nav',
      { 'aria-label': 'Routes' },
      h('h2', {}, 'Routes'),
      list,
      h('h2', {}, 'Contexts'),
      contextTree(app.contexts, own, link),
    ),
    details,
  )
  document.addEventListener('keydown', (event) => {
    if (
      event.key !== '/' ||
      event.target instanceof HTMLInputElement ||
      event.target instanceof HTMLTextAreaElement
    )
      return
    event.preventDefault()
    filter.focus()
  })
}

async function show(route: RouteDescription, details: HTMLElement, link: Link): Promise<void> {
  try {
    const { explanation, form } = await readRoute(route)
    if (explanation.kind === 'missing') throw new Error(`${route.method} ${route.url} cannot be explained`)
    fill(details, ...routeDetails(explanation, link), requestForm(explanation, form))
    details.querySelector<HTMLElement>('#route')?.focus()
  } catch (error) {
    fill(details, problem(error))
  }
}

function problem(error: unknown): HTMLElement {
  return h('p', { class: 'failed', role: 'alert' }, error instanceof Error ? error.message : String(error))
}

start().catch((error: unknown) => fill(root, h('main', {}, h('h1', {}, 'Explorer'), problem(error))))
