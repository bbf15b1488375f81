import type { RouteDescription } from 'cloister'
import type { ContextDescription, HookDescription } from 'cloister/types'

import { fill, h, words } from './dom.ts'
import type { Child } from './dom.ts'
import { routeName } from './route-name.ts'
import type { KindOf } from './route-name.ts'
import type { Outcome, Step } from './way.ts'
import type { Link } from './call-site.ts'
import { hashOf } from './address.ts'

/** The plan of an app: its contexts as rooms inside each other. */
export interface Plan {
  readonly element: HTMLElement
  /** Lights up what the requests of a route pass, in order; `null` puts the lights out. */
  light(route: RouteDescription | null): void
  /** Lights up what a request has passed, each step with its time, and what it did not reach. */
  show(route: RouteDescription, steps: readonly Step[], outcome: Outcome): void
}

/** What a room has on its wall, and how to find it again. */
interface Mark {
  readonly id: string
  readonly element: HTMLElement
}

/**
 * Draws the contexts, each with its hooks and decorators on its wall and its routes inside.
 *
 * @param own - the path of the page, whose context is left out
 */
export function drawPlan(root: ContextDescription, own: string, link: Link, kindOf: KindOf): Plan {
  const marks: Mark[] = []
  const rooms = new Map<string, HTMLElement>()
  const draw = (context: ContextDescription): HTMLElement => {
    const room = drawRoom(
      context,
      link,
      kindOf,
      marks,
      context.children.filter((child) => !isOwn(child, own)).map(draw),
    )
    rooms.set(context.path, room)
    return room
  }
  const outcome = h('p', { class: 'outcome' })
  const element = h('div', { class: 'plan' }, outcome, draw(root))
  const clear = (): void => {
    outcome.replaceChildren()
    for (const added of element.querySelectorAll('.step, .ms, .way')) added.remove()
    for (const lit of element.querySelectorAll('.lit, .unreached, .refused'))
      lit.classList.remove('lit', 'unreached', 'refused')
  }
  const light = (route: RouteDescription | null): void => {
    clear()
    element.classList.toggle('on', route !== null)
    if (route === null) return
    for (const [path, room] of rooms) {
      if (route.context === path || route.context.startsWith(`${path} > `)) room.classList.add('lit')
    }
    let step = 0
    for (const hook of route.hooks) {
      if (hook.source !== 'route') lightUp(marks, hookId(hook), ++step)
    }
    lightUp(marks, hashOf(route), ++step)
  }
  const show = (route: RouteDescription, steps: readonly Step[], what: Outcome): void => {
    light(route)
    fill(
      outcome,
      words(`${what.request} → `),
      h('b', { class: what.failed ? 'failed' : 'done' }, what.result),
    )
    drawSteps(marks, route, steps, what.failed)
  }
  return { element, light, show }
}

/** Replaces the lights of a route by the steps of a request: hooks on the walls, all others at the door. */
function drawSteps(
  marks: readonly Mark[],
  route: RouteDescription,
  steps: readonly Step[],
  failed: boolean,
): void {
  for (const { element } of marks) {
    if (!element.classList.contains('lit')) continue
    for (const added of element.querySelectorAll('.step')) added.remove()
    element.classList.remove('lit')
    if (failed) element.classList.add('unreached')
  }
  const way = h('ol', { class: 'way', 'aria-label': 'What the request ran at the route' })
  let lit = 0
  for (const [index, { hook, name, ms, isRefusal }] of steps.entries()) {
    const mark = hook === null ? undefined : lightUp(marks, hookId(hook), index + 1)
    const node = mark ?? h('li', { class: 'lit' }, stepOf(index + 1), words(name))
    node.classList.remove('unreached')
    node.style.setProperty('--step', String(++lit))
    node.classList.toggle('refused', isRefusal)
    node.append(h('span', { class: 'ms' }, ` ${ms.toFixed(2)} ms`))
    if (mark === undefined) way.append(node)
  }
  const door = marks.find(({ id }) => id === hashOf(route))?.element
  if (way.childElementCount === 0) return
  if (steps.some(({ stage }) => stage === 'handler')) {
    door?.classList.add('lit')
    door?.classList.remove('unreached')
  }
  door?.after(way)
}

function isOwn({ routes }: ContextDescription, own: string): boolean {
  return routes.some(({ url }) => url === own)
}

function lightUp(marks: readonly Mark[], id: string, step: number): HTMLElement | undefined {
  const mark = marks.find((one) => one.id === id && !one.element.classList.contains('lit'))
  if (mark === undefined) return undefined
  mark.element.classList.add('lit')
  mark.element.style.setProperty('--step', String(step))
  mark.element.prepend(stepOf(step))
  return mark.element
}

function stepOf(step: number): HTMLElement {
  return h('span', { class: 'step', 'aria-label': `step ${step}`, role: 'img' }, String(step))
}

function hookId({ name, fn, context, callSite }: HookDescription): string {
  return `${name} ${fn} ${context} ${callSite ?? ''}`
}

function drawRoom(
  context: ContextDescription,
  link: Link,
  kindOf: KindOf,
  marks: Mark[],
  children: readonly HTMLElement[],
): HTMLElement {
  const { name, prefix, tookMs, path, routes } = context
  const heading = h(
    'p',
    { class: 'room-name' },
    h('b', {}, words(name)),
    prefix !== '' && h('code', {}, ' ', words(prefix)),
    h('small', {}, ` ${tookMs.toFixed(1)} ms`),
  )
  const mark = (id: string, element: HTMLElement): HTMLElement => {
    marks.push({ id, element })
    return element
  }
  const doors = routes
    .filter(({ automatic }) => !automatic)
    .map((route) =>
      h(
        'li',
        {},
        mark(
          hashOf(route),
          h('a', { href: hashOf(route), class: 'door' }, ...routeName(route, kindOf(route))),
        ),
      ),
    )
  return h(
    'section',
    { class: 'room', 'aria-label': `context ${path}` },
    heading,
    wall(context, link, mark),
    doors.length > 0 && h('ul', { class: 'doors' }, ...doors),
    children.length > 0 && h('div', { class: 'inside' }, ...children),
  )
}

/** What a context adds itself: hooks first, as requests meet them. */
function wall(
  context: ContextDescription,
  link: Link,
  mark: (id: string, element: HTMLElement) => HTMLElement,
): Child {
  const { hooks, decorators, schemas, parsers, settings, errorHandler, notFoundHandler } = context
  const chip = (kind: string, name: string, callSite: string | null): HTMLElement =>
    h('span', { class: 'chip' }, h('small', {}, kind), ' ', link(callSite, name))
  const items = [
    ...hooks.map((one) => mark(hookId(one), chip(one.name, one.fn, one.callSite))),
    ...decorators.filter(isGiven).map((one) => chip(`${one.kind} decorator`, one.name, one.callSite)),
    ...schemas.filter(isGiven).map((one) => chip('schema', one.id, one.callSite)),
    ...parsers.filter(isGiven).map((one) => chip('parser', one.type, one.callSite)),
    ...settings.filter(isGiven).map((one) => chip('setting', one.name, one.callSite)),
  ]
  if (errorHandler !== null) items.push(chip('error handler', errorHandler.fn, errorHandler.callSite))
  if (notFoundHandler !== null) items.push(chip('not found', notFoundHandler.fn, notFoundHandler.callSite))
  return items.length > 0 && h('ul', { class: 'wall' }, ...items.map((item) => h('li', {}, item)))
}

/** What the framework adds itself has no place in the code of the app. */
function isGiven({ callSite }: { readonly callSite: string | null }): boolean {
  return callSite !== null
}
