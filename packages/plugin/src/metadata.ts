import { describe, PluginError } from './errors.ts'

/** Decorators that must exist before the plugin is loaded, by what they decorate. */
export interface RequiredDecorators {
  /** Decorators of the instance. */
  readonly cloister?: readonly (string | symbol)[]
  /** The same as `cloister`, under the name in the plugin protocol. */
  readonly fastify?: readonly (string | symbol)[]
  /** Decorators of requests. */
  readonly request?: readonly (string | symbol)[]
  /** Decorators of replies. */
  readonly reply?: readonly (string | symbol)[]
}

/** The metadata of a plugin. All fields are optional. */
export interface PluginMetadata {
  /** Name in errors and logs, and in `dependencies` of other plugins. */
  readonly name?: string
  /** Semver range of the interface versions that the plugin supports, such as `'4.x'` or `'>=4.18'`. */
  readonly version?: string
  /** The same as `version`, under the name in the plugin protocol. */
  readonly fastify?: string
  /** Decorators that must exist before the plugin is loaded. */
  readonly decorators?: RequiredDecorators
  /** Names of plugins that must be registered before this one. */
  readonly dependencies?: readonly string[]
  /** When true, the plugin keeps its own context: the helper only adds name and checks. */
  readonly encapsulate?: boolean
}

/** Metadata as stored on the function: checked, with a name, and in the fields of the protocol. */
export interface StoredMetadata {
  /** The name of the plugin, or one derived from its function or file. */
  readonly name: string
  /** The range of interface versions that the plugin supports. */
  readonly fastify?: string
  /** The decorators that must exist. */
  readonly decorators?: Omit<RequiredDecorators, 'cloister'>
  /** The plugins that must be registered before. */
  readonly dependencies?: readonly string[]
  /** Whether the plugin keeps its own context. */
  readonly encapsulate?: boolean
}

type Check = (value: unknown, at: string) => void

const fields: ReadonlyMap<string, Check> = new Map([
  ['name', checkText],
  ['version', checkText],
  ['fastify', checkText],
  ['decorators', checkDecorators],
  ['dependencies', checkDependencies],
  ['encapsulate', checkBoolean],
])
const decorated: readonly string[] = ['cloister', 'fastify', 'request', 'reply']

/** Rejects metadata that a framework would misread; afterwards, every field has its type. */
export function assertMetadata(given: unknown): asserts given is PluginMetadata {
  if (!isRecord(given)) {
    throw invalid(`metadata must be an object or a version range, got ${describe(given)}`)
  }
  for (const [key, value] of Object.entries(given)) {
    const check = fields.get(key)
    if (check === undefined) {
      throw invalid(`metadata has no field '${key}'; it knows ${[...fields.keys()].join(', ')}`)
    }
    if (value !== undefined) check(value, key)
  }
  const { version, fastify } = given
  if (version !== undefined && fastify !== undefined && version !== fastify) {
    throw invalid(`'version' and 'fastify' are two names of one range, but they differ; give one of them`)
  }
}

/** Converts checked metadata to the fields of the protocol: one range, one list of instance decorators. */
export function toStored(given: PluginMetadata): Omit<StoredMetadata, 'name'> {
  const range = given.fastify ?? given.version
  return {
    ...(range === undefined ? {} : { fastify: range }),
    ...(given.decorators === undefined ? {} : { decorators: toStoredDecorators(given.decorators) }),
    ...(given.dependencies === undefined ? {} : { dependencies: [...given.dependencies] }),
    ...(given.encapsulate === undefined ? {} : { encapsulate: given.encapsulate }),
  }
}

function toStoredDecorators(given: RequiredDecorators): Omit<RequiredDecorators, 'cloister'> {
  const instance = new Set([...(given.fastify ?? []), ...(given.cloister ?? [])])
  return {
    ...(instance.size === 0 ? {} : { fastify: [...instance] }),
    ...(given.request === undefined ? {} : { request: [...given.request] }),
    ...(given.reply === undefined ? {} : { reply: [...given.reply] }),
  }
}

function checkText(value: unknown, at: string): void {
  if (typeof value !== 'string' || value.trim() === '') {
    throw invalid(`'${at}' must be a string that is not empty, got ${describe(value)}`)
  }
}

function checkBoolean(value: unknown, at: string): void {
  if (typeof value !== 'boolean') throw invalid(`'${at}' must be true or false, got ${describe(value)}`)
}

function checkDependencies(value: unknown, at: string): void {
  for (const [index, name] of list(value, at).entries()) checkText(name, `${at}[${index}]`)
}

function checkDecorators(value: unknown, at: string): void {
  if (!isRecord(value)) throw invalid(`'${at}' must be an object, got ${describe(value)}`)
  for (const [key, names] of Object.entries(value)) {
    if (!decorated.includes(key)) {
      throw invalid(`'${at}' has no field '${key}'; it knows ${decorated.join(', ')}`)
    }
    if (names === undefined) continue
    for (const [index, name] of list(names, `${at}.${key}`).entries()) {
      if (typeof name !== 'symbol') checkText(name, `${at}.${key}[${index}]`)
    }
  }
}

function list(value: unknown, at: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(`'${at}' must be an array, got ${describe(value)}`)
  return value
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalid(problem: string): PluginError {
  return new PluginError('CLO_ERR_PLUGIN_INVALID_METADATA', `plugin(): ${problem}`)
}
