import languages from 'negotiator/lib/language.js'
import mediaTypes from 'negotiator/lib/mediaType.js'

/** Returns the languages that a client accepts, in its order. */
export function preferredLanguages(): typeof languages {
  return languages
}

/** Returns the media types that a client accepts, in its order. */
export function preferredMediaTypes(): typeof mediaTypes {
  return mediaTypes
}
