import type { Change } from './changes.ts'
import { compareOperation, operationsOf } from './compare-operations.ts'
import { compareSchemes } from './compare-security.ts'
import type { Comparison } from './compare-schemas.ts'
import { DocumentReader, listOf, objectOf } from './json.ts'
import type { Json } from './json.ts'

/** A document, with the call sites of its routes. */
export interface DocumentSource {
  readonly document: Json
  /** Call sites by method and `pathKey`; empty for a document from a file. */
  readonly callSites: ReadonlyMap<string, string>
}

/** Returns a path without the names of its parameters, which clients never send. */
export function pathKey(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, '{}')
}

/** Finds the changes in `after` that break clients which follow the document `before`. */
export function compareDocuments(before: DocumentSource, after: DocumentSource): Change[] {
  const changes = new Map<string, Change>()
  const [first, second] = [new DocumentReader(before.document), new DocumentReader(after.document)]
  const comparisonOf = (operation: string, callSite: string | null): Comparison => ({
    before: first,
    after: second,
    report: (found) => {
      const change = { operation, callSite, ...found }
      changes.set(Object.values(change).join('\n'), change)
    },
  })
  const callSiteOf = (operation: string): string | null =>
    after.callSites.get(operation) ?? before.callSites.get(operation) ?? null

  for (const kind of ['paths', 'webhooks'] as const) {
    const now = byKey(second, kind)
    for (const [key, [path, item]] of byKey(first, kind)) {
      const next = now.get(key)
      for (const [method, operation] of operationsOf(item)) {
        const name = `${kind === 'paths' ? '' : 'webhook '}${method.toUpperCase()} ${path}`
        const comparison = comparisonOf(name, callSiteOf(`${method.toUpperCase()} ${key}`))
        const found = operationsOf(next?.[1]).find(([other]) => other === method)?.[1]
        if (found === undefined) {
          comparison.report({ level: 'error', ...REMOVED[kind], where: 'operation' })
          continue
        }
        const renamed = renameParameters(item, operation, path, next?.[0] ?? path)
        const pair = {
          ...renamed,
          after: found,
          shared: [renamed.shared, objectOf(next?.[1])['parameters']] as const,
        }
        compareOperation(pair, comparison, kind === 'paths' ? 'request' : 'response')
        compareCallbacks(operation, found, comparison)
      }
    }
  }
  const whole = comparisonOf('API', null)
  compareSchemes(whole)
  compareServers(first.root, second.root, whole)
  return [...changes.values()]
}

const REMOVED = {
  paths: { check: 'operation-removed', message: 'the operation is gone; clients get 404 or 405' },
  webhooks: { check: 'webhook-removed', message: 'clients wait for this webhook' },
} as const

function byKey(reader: DocumentReader, kind: string): Map<string, readonly [string, Json]> {
  return new Map(
    Object.entries(objectOf(reader.root[kind])).map(([path, item]) => [
      pathKey(path),
      [path, reader.follow(item)],
    ]),
  )
}

/** Renames the parameters of a path to the names in the other document: only their position matters. */
function renameParameters(
  item: Json,
  operation: Json,
  path: string,
  other: string,
): { before: Json; shared: unknown } {
  const names = (text: string): string[] => Array.from(text.matchAll(/\{([^}]*)\}/g), ([, name = '']) => name)
  const now = names(other)
  const renames = new Map(names(path).map((name, index) => [name, now[index] ?? name]))
  const rename = (list: unknown): unknown =>
    listOf(list).map((given) => {
      const parameter = objectOf(given)
      return parameter['in'] === 'path'
        ? { ...parameter, name: renames.get(String(parameter['name'])) }
        : given
    })
  return {
    before: { ...operation, parameters: rename(operation['parameters']) },
    shared: rename(item['parameters']),
  }
}

/** Callbacks are requests of the server: what it sends is a response for the client. */
function compareCallbacks(before: Json, after: Json, comparison: Comparison): void {
  const now = objectOf(after['callbacks'])
  for (const [name, callback] of Object.entries(objectOf(before['callbacks']))) {
    const report: Comparison['report'] = ({ where, ...change }) =>
      comparison.report({ ...change, where: `callback ${name} ${where}` })
    const next = comparison.after.follow(now[name])
    for (const [url, item] of Object.entries(comparison.before.follow(callback))) {
      for (const [method, operation] of operationsOf(item)) {
        const found = operationsOf(next[url]).find(([other]) => other === method)?.[1]
        const where = method.toUpperCase()
        if (found === undefined) {
          report({
            level: 'error',
            check: 'callback-removed',
            where,
            message: 'clients wait for this request',
          })
        } else
          compareOperation(
            { before: operation, after: found, shared: [[], []] },
            { ...comparison, report },
            'response',
          )
      }
    }
  }
}

function compareServers(before: Json, after: Json, { report }: Comparison): void {
  const urlsOf = (root: Json): string[] =>
    listOf(root['servers']).map((server) => String(objectOf(server)['url']))
  const now = urlsOf(after)
  for (const url of urlsOf(before)) {
    if (now.includes(url)) continue
    report({
      level: 'warning',
      check: 'server-removed',
      where: `server ${url}`,
      message: 'clients send requests there',
    })
  }
}
