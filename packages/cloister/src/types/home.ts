import type { Ctx, OpenSchemas, Within } from './context.ts'

declare const rawKey: unique symbol

/** Carries Node's objects of a kind of server; the property exists in types alone. */
export interface OnServer<RawRequest, RawReply> {
  readonly [rawKey]?: readonly [RawRequest, RawReply]
}

/**
 * The context of routes in code that states none. Node's objects are decorations there, so that handlers and plugins
 * can be generic over the kind of server.
 */
export interface OpenHome<RawRequest, RawReply> extends Ctx<
  {},
  { readonly raw: RawRequest; readonly req: RawRequest },
  { readonly raw: RawReply },
  OpenSchemas,
  string
> {}

/** The context of the routes of an instance type. */
export type HomeOf<Instance> =
  Instance extends Within<infer C>
    ? C
    : Instance extends OnServer<infer RawRequest, infer RawReply>
      ? OpenHome<RawRequest, RawReply>
      : OpenHome<unknown, unknown>
