import { isSchemaObject } from '@cloister/schema/internal'
import type { InspectedRoute } from 'cloister/inspect'

import type { Int64Places, Root, WrittenPlace } from './int64-places.ts'
import { jsonSchemas } from './reply-types.ts'
import { propertyName } from './type-text.ts'

/** Returns the bodies and messages that clients read. */
export function readBodies(routes: readonly (readonly [string, InspectedRoute])[]): Root[] {
  return routes.flatMap(([route, { schema, messages, scope, description }]) => {
    if (description.method === 'HEAD') return []
    const replies = [...(schema.response ?? [])].map(([key, response]) => ({
      route,
      key,
      scope,
      schemas: jsonSchemas(response),
    }))
    if (messages?.protocol !== 'websocket') return replies
    return [...replies, { route, key: 'outgoing', scope, schemas: [messages.outgoing] }]
  })
}

/** Writes the setting of the client; empty for an app whose replies have no 64-bit integers. */
export function writeIntegers(int64: Int64Places): string {
  const { routes, places } = int64.table()
  if (places.length === 0) return ''
  const rows = [...routes].map(([route, row]) => {
    const keys = [...row].map(([key, place]) => `${/^\d+$/.test(key) ? key : propertyName(key)}: ${place}`)
    return `    ${propertyName(route)}: { ${keys.join(', ')} },\n`
  })
  const lines = places.map((place) => `    ${print(place)},\n`)
  return `/** The setting \`integers\` of the client: where replies and messages have 64-bit integers. */
export const integers: ReadIntegers = exactIntegers({\n  routes: {\n${rows.join('')}  },\n  places: [\n${lines.join('')}  ],\n})\n`
}

function print(value: WrittenPlace | WrittenPlace[keyof WrittenPlace] | null): string {
  if (Array.isArray(value)) return `[${value.map(String).join(', ')}]`
  if (!isSchemaObject(value)) return String(value)
  const members = Object.entries(value).map(([name, one]) => {
    // As the name of a member, it would set the prototype of the object.
    const key = name === '__proto__' ? "['__proto__']" : propertyName(name)
    return `${key}: ${print(one)}`
  })
  return `{ ${members.join(', ')} }`
}
