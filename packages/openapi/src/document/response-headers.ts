import type { InspectedRoute } from 'cloister/inspect'

import { isRecord } from '../guards.ts'
import type { Reference, ResponseObject } from '../types.ts'

/** Functions of hooks state under it which headers their plugin sends. */
const SENDS: unique symbol = Symbol.for('cloister.sends')

/** A header object (OpenAPI Specification 3.1.1, section 4.8.21). */
interface Header {
  readonly description?: string
  readonly schema: { readonly type: string }
  readonly example?: string
}

interface Sent {
  readonly name: string
  readonly header: Header
  /** `null` for all */
  readonly statuses: readonly string[] | null
}

/** Adds headers to a response with a status. */
export type AddHeaders = (status: string, response: ResponseObject) => ResponseObject

/** Headers that browsers and caches read, and clients of an API don't. */
const OF_BROWSERS =
  /^(?:access-control-|content-security-policy|cross-origin-|origin-agent-cluster$|permissions-policy$|referrer-policy$|strict-transport-security$|vary$|x-content-type-options$|x-dns-prefetch-control$|x-download-options$|x-frame-options$|x-permitted-cross-domain-policies$|x-xss-protection$)/

/** Adds the headers to responses that the app decides at boot, and those that plugins state. */
export class ResponseHeaders {
  readonly #isWithBrowsers: boolean
  readonly #used = new Map<string, Header>()

  /** @param isWithBrowsers - whether headers that only browsers and caches read are documented too */
  constructor(isWithBrowsers: boolean) {
    this.#isWithBrowsers = isWithBrowsers
  }

  /** The headers that operations refer to. */
  get components(): Readonly<Record<string, object>> {
    return Object.fromEntries([...this.#used].toSorted(([one], [other]) => (one < other ? -1 : 1)))
  }

  /**
   * Returns what adds the headers of a route to the responses that it describes, and to those of the framework, which
   * routes share: only what plugins state for them.
   */
  of(route: InspectedRoute): { readonly described: AddHeaders; readonly shared: AddHeaders } {
    const stated = statedBy(route)
    return { described: this.#adding([...this.#presets(route), ...stated]), shared: this.#adding(stated) }
  }

  #adding(sent: readonly Sent[]): AddHeaders {
    return (status, response) => {
      const own = response.headers ?? {}
      const known = new Set(Object.keys(own).map((name) => name.toLowerCase()))
      const added = sent.filter(
        ({ name, statuses }) => !known.has(name.toLowerCase()) && (statuses?.includes(status) ?? true),
      )
      if (added.length === 0) return response
      const headers = Object.fromEntries(added.map(({ name, header }) => [name, this.#refer(name, header)]))
      return { ...response, headers: { ...own, ...headers } }
    }
  }

  #presets({ responseHeaders }: InspectedRoute): Sent[] {
    const byName = new Map<string, Header>()
    for (const { name, value, dependsOn } of responseHeaders) {
      if (!this.#isWithBrowsers && OF_BROWSERS.test(name)) continue
      const isConstant = dependsOn === null && !byName.has(name)
      byName.set(name, { schema: { type: 'string' }, ...(isConstant ? { example: value } : {}) })
    }
    return [...byName].map(([name, header]) => ({ name: written(name), header, statuses: null }))
  }

  /** Headers that are equal are one component; another one with the same name stands where it is sent. */
  #refer(name: string, header: Header): Header | Reference {
    const known = this.#used.get(name)
    if (known === undefined) this.#used.set(name, header)
    else if (JSON.stringify(known) !== JSON.stringify(header)) return header
    return { $ref: `#/components/headers/${name}` }
  }
}

function statedBy({ hooks }: InspectedRoute): Sent[] {
  return hooks.flatMap((hook) => {
    const stated: unknown = Reflect.get(hook, SENDS)
    if (!isRecord(stated)) return []
    return Object.entries(stated).flatMap(([name, one]) => {
      if (!isRecord(one)) return []
      const { description, type, statuses } = one
      const header = {
        ...(typeof description === 'string' ? { description } : {}),
        schema: { type: type === 'integer' ? 'integer' : 'string' },
      }
      return [{ name, header, statuses: Array.isArray(statuses) ? statuses.map(String) : null }]
    })
  })
}

/** `x-route` is written as `X-Route`. */
const written = (name: string): string => name.replaceAll(/(?:^|-)[a-z]/g, (text) => text.toUpperCase())
