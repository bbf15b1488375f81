/** Dates as text, written from tables. The day part is cached, because lists often contain neighbouring dates. */
import { misfit, unconvertible } from './describe.ts'
import { unwrap } from './scalars.ts'

const DAY_MS = 86_400_000
const TWO_DIGITS: readonly string[] = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'))
const THREE_DIGITS: readonly string[] = Array.from({ length: 1000 }, (_, n) => String(n).padStart(3, '0'))

/** Writes dates in the three formats. */
export interface DateWriter {
  readonly 'date-time': (date: Date, pointer: string) => string
  readonly date: (date: Date, pointer: string) => string
  readonly time: (date: Date, pointer: string) => string
}

/** Creates a writer with its own cache, one for each serializer. */
export function createDateWriter(): DateWriter {
  let knownDay = Number.NaN
  let knownPrefix = ''

  function dateTime(date: Date, pointer: string): string {
    const time = date.getTime()
    const day = Math.floor(time / DAY_MS)
    if (day !== knownDay) {
      if (Number.isNaN(time)) return misfit('a valid date', date, pointer)
      knownPrefix = date.toISOString().slice(0, -13)
      knownDay = day
    }
    const ms = time - day * DAY_MS
    const second = Math.floor(ms / 1000)
    const minute = Math.floor(second / 60)
    const hour = Math.floor(minute / 60)
    return `${knownPrefix}${TWO_DIGITS[hour]}:${TWO_DIGITS[minute - hour * 60]}:${TWO_DIGITS[second - minute * 60]}.${THREE_DIGITS[ms - second * 1000]}Z`
  }

  return {
    'date-time': dateTime,
    date: (date, pointer) => localIso(date, pointer).slice(0, -9),
    time: (date, pointer) => localIso(date, pointer).slice(-8),
  }
}

/** Converts the value of a date field that is not a date: a string unchanged, or an object whose JSON is a string. */
export function compatDateText(value: unknown, format: string, pointer: string): string {
  if (typeof value === 'string') return value
  if (value === null) return ''
  const unwrapped = unwrap(value)
  return typeof unwrapped === 'string' ? unwrapped : unconvertible(`a ${format}`, value, pointer)
}

/** Does the same as {@link compatDateText}, in strict mode. */
export function strictDateText(value: unknown, format: string, pointer: string): string {
  const unwrapped = unwrap(value)
  return typeof unwrapped === 'string' ? unwrapped : misfit(`a ${format}`, value, pointer)
}

/** Returns `YYYY-MM-DDTHH:mm:ss` in the time zone of the process. */
function localIso(date: Date, pointer: string): string {
  if (Number.isNaN(date.getTime())) return misfit('a valid date', date, pointer)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, -5)
}
