import type { NamedParser, ParserTable } from '../body/parser-table.ts'
import type { CallSite } from '../call-site.ts'
import type { Context } from '../context/context.ts'
import type { Decoration, DecoratorKind } from '../context/decorators.ts'
import { visibleSchemas } from '../context/shared-schemas.ts'
import type { AnyFunction } from '../guards.ts'
import { nameOf, type HookEntry } from '../hooks/table.ts'
import type {
  DecoratorDescription,
  HandlerDescription,
  HookDescription,
  Origin,
  ParserDescription,
  SettingDescription,
  SharedSchemaDescription,
} from '../types/description.ts'

/** Describes where something was registered; `null` for what the framework or an option brings. */
export function originOf(callSite: CallSite | null): Origin {
  return { callSite: callSite?.toString() ?? null, plugin: callSite?.plugin?.path ?? null }
}

/** Describes a hook that `addHook` added to a context. */
export function describeHook({ name, fn, callSite }: HookEntry, context: string): HookDescription {
  return Object.freeze({ name, fn: nameOf(fn), ...originOf(callSite), context, source: 'context' })
}

/** Describes the error handler that a context has itself. */
export function describeErrorHandler({ settings, path }: Context): HandlerDescription | null {
  const { errorHandler } = settings
  return errorHandler == null ? null : describeHandler(errorHandler.value, errorHandler.callSite, path)
}

/** Describes a handler that a context has. */
export function describeHandler(fn: AnyFunction, callSite: CallSite, context: string): HandlerDescription {
  return Object.freeze({ fn: nameOf(fn), ...originOf(callSite), context, source: 'context' })
}

const KINDS: readonly DecoratorKind[] = ['instance', 'request', 'reply']

/** Describes the decorators of a context alone. */
export function describeDecorators({ decorators, path }: Context): DecoratorDescription[] {
  return KINDS.flatMap((kind) =>
    [...decorators[kind].own].map((decoration) => describeDecorator(kind, decoration, path)),
  )
}

function describeDecorator(
  kind: DecoratorKind,
  { name, callSite }: Decoration,
  context: string,
): DecoratorDescription {
  return Object.freeze({ kind, name: String(name), ...originOf(callSite), context })
}

/** Describes the decorators that a context sees: of one name, that of the nearest context. */
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

/** A pattern prints as `/…/`; a part of a media type has no slash. */
function isMediaType(type: string): boolean {
  return type.includes('/') && !type.startsWith('/')
}

function describeParser({ type, parser }: NamedParser): ParserDescription {
  const { parseAs, bodyLimit, callSite } = parser
  return Object.freeze({ type, parseAs, bodyLimit, ...originOf(callSite) })
}

/** Describes the settings that methods such as `setGenReqId` gave a context. */
export function describeSettings({ settingCallSites }: Context): SettingDescription[] {
  return Object.entries(settingCallSites).map(([name, callSite]) =>
    Object.freeze({ name, ...originOf(callSite) }),
  )
}

/** Describes the shared schemas that a context sees and its parent does not. */
export function describeOwnSchemas(context: Context): SharedSchemaDescription[] {
  const inherited = context.parent === null ? {} : visibleSchemas(context.parent)
  return Object.keys(visibleSchemas(context))
    .filter((id) => !Object.hasOwn(inherited, id))
    .map((id) => Object.freeze({ id, callSite: sharedCallSite(context, id) }))
}

/** Returns where a shared schema was added; `null` for one of a bucket of the application. */
export function sharedCallSite(context: Context, id: string): string | null {
  return context.bucket() === null ? (context.schemas.callSiteOf(id)?.toString() ?? null) : null
}
