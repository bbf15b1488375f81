import type { NamedParser, ParserTable } from '../body/parser-table.ts'
import type { CallSite } from '../call-site.ts'
import type { Context } from '../context/context.ts'
import type { DecoratorKind } from '../context/decorators.ts'
import { visibleSchemas } from '../context/shared-schemas.ts'
import type { AnyFunction } from '../guards.ts'
import { nameOf, type HookEntry, type HookOwner } from '../hooks/hook-entry.ts'
import type {
  DecoratorDescription,
  HandlerDescription,
  HookDescription,
  Origin,
  ParserDescription,
  SettingDescription,
  SharedSchemaDescription,
} from '../types/description.generated.ts'

export function frozen<T>(description: T): T {
  if (typeof description !== 'object' || description === null) return description
  Object.values(description).forEach(frozen)
  return Object.freeze(description)
}

/** Describes where something was registered; `null` if it comes from the framework or from an option. */
export function originOf(callSite: CallSite | null): Origin {
  return { callSite: callSite?.toString() ?? null, plugin: callSite?.plugin?.path ?? null }
}

export function describeHook({ name, fn, callSite, owner, source }: HookEntry): HookDescription {
  return { name, ...describeHandler(fn, callSite, owner, source) }
}

/** Describes the error handler of a context, without inherited ones. */
export function describeErrorHandler(context: Context): HandlerDescription | null {
  const { errorHandler } = context.settings
  return errorHandler === undefined
    ? null
    : describeHandler(errorHandler.value, errorHandler.callSite, context)
}

/** Describes a handler of a context, or one from the options of a route in it. */
export function describeHandler(
  fn: AnyFunction,
  callSite: CallSite | null,
  { path }: HookOwner,
  source: HandlerDescription['source'] = 'context',
): HandlerDescription {
  return { fn: nameOf(fn), ...originOf(callSite), context: path, source }
}

const KINDS: readonly DecoratorKind[] = ['instance', 'request', 'reply']

/** Describes the decorators of a context, without inherited ones. */
export function describeDecorators({ decorators, path }: Context): DecoratorDescription[] {
  return KINDS.flatMap((kind) =>
    [...decorators[kind].own].map(({ name, callSite }) => ({
      kind,
      name: String(name),
      ...originOf(callSite),
      context: path,
    })),
  )
}

/** Describes the decorators that a context sees. The nearest context with a name takes precedence. */
export function visibleDecorators(context: Context): DecoratorDescription[] {
  const visible = new Map<string, DecoratorDescription>()
  for (const decorator of context.lineage().flatMap(describeDecorators)) {
    visible.set(`${decorator.kind} ${decorator.name}`, decorator)
  }
  return [...visible.values()]
}

/** Describes the body parsers that a context has added itself. */
export function describeOwnParsers({ parsers, parent }: Context): ParserDescription[] {
  const own = parsers.own.filter(({ parser }) => parent !== null || !parser.isDefault)
  return own.map(describeParser)
}

/** Describes the body parsers that a context uses, in the order in which they are tried. */
export function describeParsers(parsers: ParserTable): ParserDescription[] {
  const rank = ({ type }: NamedParser): number => (type === '*' ? 2 : isMediaType(type) ? 0 : 1)
  return parsers.visible.toSorted((a, b) => rank(a) - rank(b)).map(describeParser)
}

/** The key of a pattern has the form `/…/`; a part of a media type has no slash. */
function isMediaType(type: string): boolean {
  return type.includes('/') && !type.startsWith('/')
}

function describeParser({ type, parser }: NamedParser): ParserDescription {
  const { parseAs, bodyLimit, callSite } = parser
  return { type, parseAs, bodyLimit, ...originOf(callSite) }
}

/** Describes the settings that methods such as `setGenReqId` set on a context. */
export function describeSettings({ settings }: Context): SettingDescription[] {
  const { errorHandler: _, ...others } = settings
  return Object.entries(others).flatMap(([name, { callSite }]) =>
    callSite === null ? [] : { name, ...originOf(callSite) },
  )
}

/** Describes the shared schemas that a context sees and its parent does not. */
export function describeOwnSchemas(context: Context): SharedSchemaDescription[] {
  const inherited = context.parent === null ? {} : visibleSchemas(context.parent)
  return Object.keys(visibleSchemas(context))
    .filter((id) => !Object.hasOwn(inherited, id))
    .map((id) => ({ id, callSite: sharedCallSite(context, id) }))
}

/** Returns the call site of a shared schema; `null` if it is in a bucket of the application. */
export function sharedCallSite(context: Context, id: string): string | null {
  return context.bucket() === null ? (context.schemas.callSiteOf(id)?.toString() ?? null) : null
}
