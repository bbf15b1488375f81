import type { RouteDescription } from 'cloister'

import { hashOf, isAt } from './address.ts'
import { linker } from './call-site.ts'
import type { Link } from './call-site.ts'
import { contextsOf, readApp, readRoute } from './data.ts'
import { fill, h } from './dom.ts'
import { requestForm } from './form.ts'
import { largeButton } from './large.ts'
import { drawPlan } from './rooms.ts'
import type { Plan } from './rooms.ts'
import type { KindOf } from './route-name.ts'
import { routeDetails, routeHead } from './route.ts'
import { routeList } from './routes.ts'
import { schemaSection } from './schemas.ts'
import { socketForm } from './socket.ts'
import { stepsOf } from './way.ts'
import type { DrawWay } from './way.ts'

const root = document.getElementById('root') ?? document.body

async function start(): Promise<void> {
  const { app, editorUrl, own, kinds } = await readApp()
  const known = new Map(kinds.map((one) => [hashOf(one), one.kind]))
  const kindOf: KindOf = (route) => known.get(hashOf(route)) ?? 'request'
  const link = linker(editorUrl)
  const routes = contextsOf(app.contexts)
    .flatMap(({ context }) => context.routes)
    .filter(({ automatic, url }) => !automatic && url !== own && !url.startsWith(`${own}/`))
  const plan = drawPlan(app.contexts, own, link, kindOf)
  const details = h('div', { id: 'details' })
  const { filter, list, status, mark } = routeList(routes, kindOf)
  fill(
    root,
    h(
      'header',
      {},
      h('h1', {}, h('a', { href: '#' }, 'Explorer')),
      h('label', { for: 'filter' }, 'Find'),
      filter,
      status,
    ),
    h('nav', { 'aria-label': 'Routes' }, list),
    h(
      'main',
      {},
      h(
        'details',
        { open: true, class: 'contexts' },
        h('summary', {}, 'Contexts'),
        largeButton(),
        plan.element,
      ),
      details,
    ),
  )
  const follow = async (): Promise<void> => {
    const { hash } = location
    const route = routes.find((one) => isAt(hash, one)) ?? null
    mark(hash)
    plan.light(route)
    if (route === null)
      fill(
        details,
        h(
          'p',
          {},
          hash.length > 1
            ? `There is no route at ${decodeURI(hash)}.`
            : 'Choose a route to see what its requests pass.',
        ),
      )
    else await show(route, details, { link, kindOf, plan })
  }
  window.addEventListener('hashchange', () => void follow())
  goToByKey(filter)
  await follow()
}

/** The key / goes to the filter, except from other inputs. */
function goToByKey(filter: HTMLElement): void {
  document.addEventListener('keydown', (event) => {
    const { target } = event
    if (event.key !== '/' || target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)
      return
    event.preventDefault()
    filter.focus()
  })
}

interface Shown {
  readonly link: Link
  readonly kindOf: KindOf
  readonly plan: Plan
}

async function show(
  route: RouteDescription,
  details: HTMLElement,
  { link, kindOf, plan }: Shown,
): Promise<void> {
  const { hash } = location
  try {
    const { explanation, form } = await readRoute(route)
    if (explanation.kind === 'missing') throw new Error(`${route.method} ${route.url} cannot be explained`)
    // Another route may have been chosen meanwhile.
    if (location.hash !== hash) return
    const draw: DrawWay = (trace, outcome) => {
      if (location.hash === hash) plan.show(route, stepsOf(explanation, trace, outcome.failed), outcome)
    }
    const { socket } = form
    fill(
      details,
      routeHead(explanation, kindOf(route), link),
      socket === null ? requestForm(explanation, form, draw) : socketForm(explanation, form, socket, draw),
      h('div', { class: 'about' }, schemaSection(form.schemas), ...routeDetails(explanation, link)),
    )
    details.querySelector<HTMLElement>('#route')?.focus()
  } catch (error) {
    fill(details, problem(error))
  }
}

function problem(error: unknown): HTMLElement {
  return h('p', { class: 'failed', role: 'alert' }, error instanceof Error ? error.message : String(error))
}

start().catch((error: unknown) => fill(root, h('main', {}, h('h1', {}, 'Explorer'), problem(error))))
