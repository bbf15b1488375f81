import type { Readable } from 'node:stream'

import type { CloisterReply, CloisterRequest } from 'cloister'
import { headerOf } from 'cloister/inspect'

import { decodeBody } from './decompress.ts'
import { evaluate, isRead, tagOfVersion } from './entity-tags.ts'
import type { Settings } from './settings.ts'

/** Gets what a hook of a payload returns. */
export type Finished = (error: Error | null, payload?: unknown) => void

const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'TRACE'])

/** Whether requests of a route may have a body. */
export const mayHaveBody = ({ method }: { readonly method: string | readonly string[] }): boolean =>
  [method].flat().some((one) => !WITHOUT_BODY.has(one.toUpperCase()))

/** Returns the `preParsing` hook that decodes bodies. */
export function decodeHook({ decompression }: Settings) {
  return (request: CloisterRequest, reply: CloisterReply, payload: Readable, done: Finished): void => {
    if (decompression === null) return done(null, payload)
    try {
      done(null, decodeBody(payload, headerOf(request, 'content-encoding'), decompression) ?? payload)
    } catch (error) {
      reply.header('accept-encoding', decompression.codings.join(', '))
      done(error instanceof Error ? error : new Error(String(error)))
    }
    return undefined
  }
}

/** Returns the `preHandler` hook that evaluates the preconditions of a request. */
export function versionHook({ version, requireVersion }: Settings) {
  return async (request: CloisterRequest, reply: CloisterReply): Promise<CloisterReply | undefined> => {
    const found = await version?.(request)
    const tag = found == null ? null : tagOfVersion(found)
    const known = evaluate(request, tag, requireVersion)
    if (tag !== null && isRead(request.method)) reply.header('etag', known ?? tag)
    return known === null ? undefined : reply.code(304).send()
  }
}
