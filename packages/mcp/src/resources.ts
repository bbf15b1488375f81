import type { PathTemplate } from '@cloister/openapi/schema'
import type { InspectedRoute } from 'cloister/inspect'

import { resolve } from './tool-schemas.ts'
import type { Tool } from './tools.ts'
import type { ResourceDescription } from './types.ts'

/** Begins the URI of each resource; the rest is path and query of its route. */
export const SCHEME = 'route:'

/** A resource, or a template of resources, with what reading needs. */
export interface Resource {
  readonly description: ResourceDescription
  /** The route of which it was made: reading reaches it, or nothing. */
  readonly route: InspectedRoute
  /** The value of the constraint `version`. */
  readonly version: string | undefined
  /** Whether a path may be of the route; the router has the last word. */
  readonly mayHave: (pathname: string) => boolean
}

/** Creates the resource of a route, whose schemas are those of its tool. */
export function createResource(tool: Tool): Resource {
  const { route, version, templates, description } = tool
  const { name, title, description: text, method, url, callSite, guards } = description
  const mimeType = mediaTypeOf(tool)
  const patterns = templates.map(patternOf)
  return {
    route,
    version,
    mayHave: (pathname) => patterns.some((pattern) => pattern.test(pathname)),
    description: Object.freeze({
      ...urisOf(tool),
      name,
      ...(title === undefined ? {} : { title }),
      ...(text === undefined ? {} : { description: text }),
      ...(mimeType === undefined ? {} : { mimeType }),
      method,
      url,
      callSite,
      guards,
    }),
  }
}

/**
 * Returns the resources that a path may reach: those with fewer parameters first, since the router prefers them, too.
 */
export function candidatesFor(pathname: string, resources: readonly Resource[]): readonly Resource[] {
  const parameters = ({ description }: Resource): number => description.url.split(/[:*]/).length
  return resources
    .filter(({ mayHave }) => mayHave(pathname))
    .toSorted((one, other) => parameters(one) - parameters(other))
}

function urisOf({ templates, inputSchema }: Tool): Pick<ResourceDescription, 'uri' | 'uriTemplate'> {
  const [longest, shortest = longest] = templates
  const { properties, required, $defs } = resolve(inputSchema, null)
  const query = resolve(resolve(properties, $defs)['query'], $defs)
  const names = Object.entries(resolve(query['properties'], $defs)).map(([name, schema]) =>
    resolve(schema, $defs)['type'] === 'array' ? `${variableOf(name)}*` : variableOf(name),
  )
  const isPlain =
    shortest?.parameters.length === 0 && !(Array.isArray(required) && required.includes('query'))
  const hasVariables = (longest?.parameters.length ?? 0) > 0 || names.length > 0
  const search = names.length === 0 ? '' : `{?${names.join(',')}}`
  return {
    uri: isPlain ? SCHEME + literalOf(shortest.text) : null,
    uriTemplate: hasVariables && longest !== undefined ? SCHEME + variablesOf(longest) + search : null,
  }
}

function variablesOf({ text, parameters }: PathTemplate): string {
  return parameters.reduce(
    (path, { name, documentName }) =>
      path.replace(`{${documentName}}`, () => `{${name === '*' ? '+' : ''}${variableOf(documentName)}}`),
    literalOf(text),
  )
}

/** A name as RFC 6570 writes it (section 2.3): other characters are escaped. */
function variableOf(name: string): string {
  return name.replaceAll(/[^\w]/gu, (character) =>
    Array.from(new TextEncoder().encode(character), (byte) => `%${byte.toString(16).padStart(2, '0')}`)
      .join('')
      .toUpperCase(),
  )
}

/** A path as a URI writes it. */
function literalOf(text: string): string {
  return text.replaceAll(/\{[^}]*\}|[^\x21-\x7e]|["<>\\^`|]/gu, (found) =>
    found.startsWith('{') ? found : encodeURIComponent(found),
  )
}

/** Each segment is compared up to its first parameter, so that a long URI costs its length alone. */
function patternOf({ text, parameters }: PathTemplate): RegExp {
  const hasWildcard = parameters.at(-1)?.name === '*'
  const segments = literalOf(text).split('/')
  const source = segments.map((segment, index) => {
    const [literal = '', ...more] = segment.split('{')
    const end = hasWildcard && index === segments.length - 1 ? '.*' : '[^/]*'
    return literal.replaceAll(/[\\^$.*+?()[\]|]/g, String.raw`\$&`) + (more.length === 0 ? '' : end)
  })
  return new RegExp(`^${source.join('/')}/?$`, 'is')
}

/** The media type of all successes, if their schemas name one. */
function mediaTypeOf({ route, outputSchema, isWrapped }: Tool): string | undefined {
  const successes = [...(route.schema.response ?? [])].filter(([status]) => status.startsWith('2'))
  const types = new Set(successes.flatMap(([, { content }]) => [...(content?.keys() ?? [])]))
  if (types.size > 0) return types.size === 1 ? [...types][0] : undefined
  if (outputSchema === undefined) return undefined
  const { properties, $defs } = resolve(outputSchema, null)
  const wrapped = resolve(resolve(properties, $defs)['result'], $defs)
  return !isWrapped || wrapped['type'] === 'array' ? 'application/json' : undefined
}
