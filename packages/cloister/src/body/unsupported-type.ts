import type { CallSite } from '../call-site.ts'
import { createError, helpFor, type CloisterError } from '../errors.ts'
import { nameOf, NO_MEDIA_TYPE, type MediaType } from './media-type.ts'

/** The route that a body was sent to. */
interface Target {
  readonly label: string
  readonly callSite: CallSite
}

/**
 * Creates the 415 for a body that neither a parser nor a schema of the route takes; in development it says what could.
 *
 * @param headers - of the response, which name the types that the route reads
 */
export function unsupportedType(
  mediaType: MediaType,
  { label, callSite }: Target,
  headers: Readonly<Record<string, string>> | null,
): CloisterError {
  const missing =
    mediaType === NO_MEDIA_TYPE ? '; send the header Content-Type, such as application/json' : ''
  const error = createError('CTP_INVALID_MEDIA_TYPE', { mediaType: nameOf(mediaType) + missing })
  if (headers !== null) Object.assign(error, { headers })
  const help = helpFor('CTP_INVALID_MEDIA_TYPE', '', unsupportedType)
  if (help === null) return error
  return Object.assign(error, {
    help: `It is the body of ${label} (defined at ${callSite.toString()}). ${help}`,
  })
}
