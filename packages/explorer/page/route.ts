import type { RouteExplanation } from 'cloister'
import type { SerializerExplanation, SocketExplanation, ValidatorExplanation } from 'cloister/types'

import { textsIn } from './data.ts'
import { h, table, words } from './dom.ts'
import { routeName } from './route-name.ts'
import type { RouteKind } from './route-name.ts'
import type { Child } from './dom.ts'
import type { Link } from './call-site.ts'

/** What a route runs and uses. */
export function routeDetails(route: RouteExplanation, link: Link): Child[] {
  const { hooks, validators, serializers, errorHandlers, decorators, body } = route
  return [
    section(
      'Hooks',
      ['stage', 'function', 'added by', 'where'],
      hooks.map((one) => [
        one.name,
        one.fn,
        one.source === 'route' ? 'the route' : (one.plugin ?? 'the app'),
        link(one.callSite),
      ]),
    ),
    section(
      'Validates',
      ['part', 'schema', 'by', 'where'],
      validators.map((one) => [
        join(one.part, one.mediaType),
        one.key ?? 'of the route',
        runs(one),
        link(one.callSite),
      ]),
    ),
    section(
      'Serializes',
      ['status', 'schema', 'by', 'where'],
      serializers.map((one) => [
        join(one.status, one.mediaType),
        one.key ?? 'of the route',
        `${runs(one)}, ${one.mode}`,
        link(one.callSite),
      ]),
    ),
    section(
      'Body parsers',
      ['type', 'where'],
      body.parsers.map((one) => [one.type, link(one.callSite)]),
    ),
    section(
      'Errors go to',
      ['function', 'context', 'where'],
      [...errorHandlers.map((one) => [one.fn, one.context, link(one.callSite)]), ['the framework', '', '']],
    ),
    section(
      'Decorators',
      ['kind', 'name', 'context', 'where'],
      decorators.map((one) => [one.kind, one.name, one.context, link(one.callSite)]),
    ),
  ]
}

/** The name of a route, and what there is one of. */
export function routeHead(route: RouteExplanation, kind: RouteKind, link: Link): HTMLElement {
  const name = h('h2', { id: 'route', tabindex: '-1' }, ...routeName(route, kind))
  return h('div', { class: 'head' }, name, facts(route, link))
}

function facts(route: RouteExplanation, link: Link): HTMLElement {
  const { callSite, context, plugin, handler, handlerTimeout, handlerTimeoutSetBy, logLevel, socket } = route
  const pairs: (readonly [string, Child])[] = [
    ['defined', link(callSite)],
    ['context', words(plugin === null || plugin === context ? context : `${context}, by ${plugin}`)],
    ['handler', words(handler)],
    ...(socket === null ? [['body', bodyOf(route)] as const] : limitsOf(socket)),
    ['timeout', handlerTimeout === 0 ? 'none' : `${handlerTimeout} ms (of the ${handlerTimeoutSetBy})`],
    ['log level', logLevel],
  ]
  return h('dl', {}, ...pairs.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]))
}

function bodyOf({ body }: RouteExplanation): string {
  return body.rule === 'never'
    ? 'not read'
    : `${body.rule}, at most ${body.limit} bytes (of the ${body.limitSetBy})`
}

/** The settings of WebSockets; those of other protocols as they are. */
function limitsOf(socket: SocketExplanation): (readonly [string, Child])[] {
  const { protocol, incoming: _incoming, outgoing: _outgoing, ...settings } = socket
  if (protocol !== 'websocket')
    return Object.entries(settings).map(([name, one]) => [name, JSON.stringify(one)])
  const number = (name: string): number => Number(settings[name])
  const rate = number('maxMessagesPerSecond')
  const pace = rate === 0 ? '' : `, ${rate} a second`
  const pings = number('pingInterval')
  const protocols = textsIn(settings['protocols'])
  const origins = textsIn(settings['origins'])
  const listed = origins.length === 0 ? 'that of the app' : origins.join(', ')
  return [
    ['messages', `at most ${number('maxPayload')} bytes each, ${number('maxQueued')} wait${pace}`],
    ['pings', pings === 0 ? 'none' : `every ${pings} ms`],
    ['protocols', protocols.length === 0 ? 'none' : protocols.join(', ')],
    ['origins', settings['origins'] === '*' ? 'any' : listed],
  ]
}

function section(title: string, heads: readonly string[], rows: readonly (readonly Child[])[]): Child {
  return rows.length > 0 && h('section', {}, h('h3', {}, title), table(title, heads, rows))
}

function join(first: string, mediaType: string | null): string {
  return mediaType === null ? first : `${first}, ${mediaType}`
}

const BACK_ENDS = {
  engine: 'the engine',
  'standard-schema': 'its library',
  application: 'the application',
} as const
const AJV = { never: '', refused: ', errors by Ajv', always: ', Ajv' } as const

function runs(one: ValidatorExplanation | SerializerExplanation): string {
  const ajv = 'ajv' in one ? AJV[one.ajv ?? 'never'] : ''
  return `${BACK_ENDS[one.by]}${one.tier === null ? '' : `, ${one.tier}`}${ajv}`
}
