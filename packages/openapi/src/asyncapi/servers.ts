import { defined, isRecord } from '../guards.ts'
import type { ServerObject } from '../types.ts'

/** How clients reach a channel. */
export type Protocol = 'http' | 'ws'

const ABSOLUTE = /^http(s?):\/\/([^/]+)(\/.*)?$/
const ANYWHERE = { host: { description: 'Where the app listens' } }

/** Writes the servers of an OpenAPI document for a protocol. The host of a relative URL is a variable. */
export function serversOf(
  given: readonly ServerObject[] = [],
  protocol: Protocol,
): Record<string, Readonly<Record<string, unknown>>> {
  const list = given.length === 0 ? [{ url: '/' }] : given
  return Object.fromEntries(
    list.map(({ url, description, ...more }, index) => {
      const [, secure = '', host, path = ''] = ABSOLUTE.exec(url) ?? [url, '', undefined, url]
      const variables = {
        ...(host === undefined ? ANYWHERE : {}),
        ...(isRecord(more['variables']) ? more['variables'] : {}),
      }
      const server = defined({
        host: host ?? '{host}',
        protocol: `${protocol}${secure}`,
        pathname: path === '/' || path === '' ? undefined : path,
        description,
        variables: Object.keys(variables).length === 0 ? undefined : variables,
      })
      return [index === 0 ? protocol : `${protocol}_${index + 1}`, server]
    }),
  )
}
