import type { RouteDescription } from 'cloister'

import { defined, isRecord } from './guards.ts'
import { OpenApiError } from './errors.ts'
import type {
  Components,
  ExternalDocs,
  InfoObject,
  Operation,
  SecurityRequirement,
  ServerObject,
  TagObject,
} from './types.ts'

/** The use of a schema that is converted. */
export interface SchemaPurpose {
  /** Requests use the input of a schema, responses its output. */
  readonly side: 'input' | 'output'
  /** Route and part, as in `POST /users, body`. */
  readonly where: string
}

/** Options of a document. */
export interface DocumentOptions {
  /**
   * Title and version of the API, and other fields of `info`.
   *
   * @default { title: 'API', version: '0.0.0' }
   */
  readonly info?: InfoObject
  /** Servers of the API. */
  readonly servers?: readonly ServerObject[]
  /** Groups, with their descriptions. Tags of routes are added. */
  readonly tags?: readonly TagObject[]
  /** Security of the operations that do not state their own. */
  readonly security?: readonly SecurityRequirement[]
  /** Further documentation. */
  readonly externalDocs?: ExternalDocs
  /** Further components, such as `securitySchemes`. */
  readonly components?: Components
  /**
   * Version of the specification. `'3.2'` has the items of streams as `itemSchema`; `'3.0'` lacks keywords,
   * so its schemas allow more than the app does.
   *
   * @default '3.1'
   */
  readonly version?: '3.2' | '3.1' | '3.0'
  /**
   * Documents the framework's own responses (400, 401, 413, 415) for routes that only have schemas for others.
   *
   * @default true
   */
  readonly frameworkResponses?: boolean
  /**
   * Documents the headers that are decided at boot (`presetHeaders`) and those that plugins state, such as `ETag` and
   * `RateLimit` of `@cloister/web`. `true` leaves out what only browsers and caches read: security headers, CORS and
   * `Vary`; `'all'` has them too.
   *
   * @default true
   */
  readonly responseHeaders?: boolean | 'all'
  /** Selects the routes of the document; by default all that are not hidden. */
  readonly select?: (route: RouteDescription) => boolean
  /** Changes an operation: returns the one for the document. */
  readonly transform?: (operation: Operation, route: RouteDescription) => Operation
  /**
   * Converts a schema of a library without Standard JSON Schema to JSON Schema; returns undefined if it does not
   * know the schema.
   */
  readonly toJsonSchema?: (schema: unknown, purpose: SchemaPurpose) => object | boolean | undefined
}

/** The pages that can show a document. */
export type PageName = 'scalar' | 'swagger-ui' | 'redoc'

/** Options of the plugin. */
export interface OpenApiOptions extends DocumentOptions {
  /**
   * Path of the document as JSON.
   *
   * @default '/openapi.json'
   */
  readonly path?: string
  /**
   * Path of the document as YAML; `false` disables it.
   *
   * @default '/openapi.yaml'
   */
  readonly yamlPath?: string | false
  /**
   * The page that shows the document: `'scalar'` needs the package `@scalar/api-reference`, `'swagger-ui'` needs
   * `swagger-ui-dist`, `'redoc'` needs `redoc`; without the package that is named, the boot fails. `false` disables
   * the page.
   *
   * @default 'scalar' where `@scalar/api-reference` is installed, else a page with links to the document
   */
  readonly ui?: PageName | false
  /**
   * Path of the page.
   *
   * @default '/docs'
   */
  readonly uiPath?: string
}

interface OptionCheck {
  readonly wanted: string
  readonly accepts: (value: unknown) => boolean
}

const record: OptionCheck = { wanted: 'an object', accepts: isRecord }
const list: OptionCheck = { wanted: 'a list', accepts: Array.isArray }
const flag: OptionCheck = { wanted: 'true or false', accepts: (value) => typeof value === 'boolean' }
const fn: OptionCheck = { wanted: 'a function', accepts: (value) => typeof value === 'function' }
const path: OptionCheck = {
  wanted: "a path that begins with '/'",
  accepts: (value) => typeof value === 'string' && value.startsWith('/'),
}
const pathOrFalse: OptionCheck = {
  wanted: "a path that begins with '/', or false",
  accepts: (value) => value === false || path.accepts(value),
}
const oneOf = (...values: readonly unknown[]): OptionCheck => ({
  wanted: values.map((value) => JSON.stringify(value)).join(', '),
  accepts: (value) => values.includes(value),
})
const info: OptionCheck = {
  wanted: "an object with the strings title and version, as in { title: 'Books', version: '1.0.0' }",
  accepts: (value) =>
    isRecord(value) && typeof value['title'] === 'string' && typeof value['version'] === 'string',
}

const DOCUMENT_OPTIONS: Readonly<Record<keyof DocumentOptions, OptionCheck>> = {
  info,
  servers: list,
  tags: list,
  security: list,
  externalDocs: record,
  components: record,
  version: oneOf('3.2', '3.1', '3.0'),
  frameworkResponses: flag,
  responseHeaders: oneOf(true, false, 'all'),
  select: fn,
  transform: fn,
  toJsonSchema: fn,
}

const PLUGIN_OPTIONS: Readonly<Record<Exclude<keyof OpenApiOptions, keyof DocumentOptions>, OptionCheck>> = {
  path,
  yamlPath: pathOrFalse,
  ui: oneOf('scalar', 'swagger-ui', 'redoc', false),
  uiPath: path,
}

/**
 * Checks the options of a document.
 *
 * @throws OpenApiError `CLO_ERR_OPENAPI_OPTION`
 */
export function checkDocumentOptions(options: object): void {
  check(options, DOCUMENT_OPTIONS)
}

/**
 * Checks the options of the plugin.
 *
 * @throws OpenApiError `CLO_ERR_OPENAPI_OPTION`
 */
export function checkPluginOptions(options: object): void {
  check(options, { ...DOCUMENT_OPTIONS, ...PLUGIN_OPTIONS })
}

/** Returns the options of the document among those of the plugin. */
export function documentOptionsOf(options: OpenApiOptions): DocumentOptions {
  const own = Object.entries(options).filter(([name]) => Object.hasOwn(DOCUMENT_OPTIONS, name))
  return defined(Object.fromEntries(own))
}

function check(options: object, checks: Readonly<Record<string, OptionCheck>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue
    if (!Object.hasOwn(checks, name)) {
      throw new OpenApiError(
        'CLO_ERR_OPENAPI_OPTION',
        `@cloister/openapi has no option '${name}'; its options are ${Object.keys(checks).join(', ')}`,
      )
    }
    const { wanted, accepts } = checks[name] ?? record
    if (accepts(value)) continue
    const got = typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value))
    throw new OpenApiError(
      'CLO_ERR_OPENAPI_OPTION',
      `the option '${name}' of @cloister/openapi must be ${wanted}; got ${got}`,
    )
  }
}
