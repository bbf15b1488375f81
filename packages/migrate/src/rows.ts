import { objectOf } from '@cloister/cli/internal'
import type { Failure, SeenResponse, Change, Difference } from '@cloister/cli/internal'

/** What the migration guide says about a difference. */
export interface Row {
  /** The number in its table, or the bold words of its list. */
  readonly row: number | string
  /** What to do; `null` if nothing. */
  readonly todo: string | null
}

interface Seen {
  readonly difference: Difference
  readonly before: SeenResponse
  readonly after: SeenResponse
  readonly headers: Readonly<Record<string, string>>
  /** Whether any change has these texts, before and after. */
  readonly has: (before: RegExp, after: RegExp) => boolean
  /** The message of an error response of the new framework. */
  readonly message: string
}

interface ResponseRow extends Row {
  readonly fits: (seen: Seen) => boolean
}

const isOk = ({ status }: SeenResponse): boolean => status < 400
const ANY = /^/s
const bodyOf = ({ body }: SeenResponse): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

/** The rows of the migration guide by what two responses show; the first match counts. */
const RESPONSES: readonly ResponseRow[] = [
  {
    row: 1,
    todo: "replace FST_ERR_ by CLO_ERR_ where codes are compared, or give errorCodePrefix: 'FST_ERR_'",
    fits: ({ difference, has }) => difference.changes.length === 1 && has(/FST_ERR_/, /CLO_ERR_/),
  },
  {
    row: 3,
    todo: 'compare the status of malformed JSON, or the code',
    fits: ({ difference: { exchange }, message, after }) =>
      exchange.request.body !== null && after.status === 400 && /JSON/.test(message),
  },
  {
    row: 4,
    todo: null,
    fits: ({ difference: { exchange }, before, after }) =>
      exchange.request.method === 'DELETE' && before.status === 400 && isOk(after),
  },
  {
    row: 5,
    todo: 'send a time zone, or use the format iso-date-time',
    fits: ({ before, after, message }) =>
      isOk(before) && after.status === 400 && /date-time|\btime\b/.test(message),
  },
  {
    row: 13,
    todo: 'name your proxies in trustProxy',
    fits: ({ headers, has }) =>
      'x-forwarded-host' in headers && has(within(headers['x-forwarded-host']), ANY),
  },
  {
    row: 31,
    todo: "name your proxies: trustProxy: { hops: 1, from: '10.0.0.0/8' }",
    fits: ({ headers, has }) => 'x-forwarded-for' in headers && has(ANY, within(headers['x-forwarded-for'])),
  },
  {
    row: 10,
    todo: 'requestIdHeader: false keeps your own ids',
    fits: ({ headers, has }) => 'request-id' in headers && has(ANY, within(headers['request-id'])),
  },
  {
    row: 6,
    todo: 'read request.host, which has the port',
    fits: ({ difference: { changes } }) =>
      changes.some(({ before, after }) => before !== after && before.replaceAll(/:\d+/g, '') === after),
  },
  {
    row: 11,
    todo: 'coming from 5.x: useSemicolonDelimiter: false',
    fits: ({ difference: { exchange } }) => exchange.request.url.includes(';'),
  },
  { row: 12, todo: null, fits: ({ before, after }) => before.status === 414 && after.status === 404 },
  {
    row: 7,
    todo: 'Object.hasOwn(request.params, name)',
    fits: ({ has }) =>
      has(/^function$/, /^undefined$/) || has(ANY, /hasOwnProperty is not a function|prototype/),
  },
  {
    row: 2,
    todo: "compare validationContext with 'query'",
    fits: ({ has }) => has(/querystring/, /\bquery\b/),
  },
  {
    row: 'A thrown `null` or `undefined`',
    todo: 'throw an Error',
    fits: ({ before, after }) => !isOk(before) && after.body.includes('NON_ERROR_THROWN'),
  },
  {
    row: 14,
    todo: 'a hook or handler throws undefined or null, and the old framework went on: throw an Error, or return',
    fits: ({ before, after }) => isOk(before) && after.body.includes('NON_ERROR_THROWN'),
  },
  {
    row: 30,
    todo: 'an async error handler resolves to nothing: return or send a response',
    fits: ({ before, after }) => before.body === '' && after.status === 500,
  },
  {
    row: 'Order of registration',
    todo: 'an error handler or another setting that comes after a register counts below it, too',
    fits: ({ before, after }) => isErrorBody(before) !== isErrorBody(after) && !isOk(before),
  },
  {
    row: 'Responses of error handlers',
    todo: 'set the content type in the error handler',
    fits: ({ before, after, difference: { changes } }) =>
      changes.some(({ what }) => what === 'header content-type') && !(isOk(before) && isOk(after)),
  },
  {
    row: 'Asynchronous validators',
    todo: 'give the error of the validator statusCode: 400',
    fits: ({ before, after }) => before.status === 400 && after.status === 500,
  },
  {
    row: 'A missing body',
    todo: 'accept undefined where the validator expects null',
    fits: ({ has }) => has(/null/, /undefined/),
  },
]

/** The rows of the migration guide by the error code of an app that does not start. */
const STARTS: Readonly<Record<string, Row>> = {
  ERR_INIT_OPTS_INVALID: { row: 16, todo: 'correct the name of the option' },
  ERR_ROUTE_OPTION_UNKNOWN: { row: 17, todo: 'correct the name of the option' },
  ERR_DEC_REFERENCE_TYPE: { row: 18, todo: 'decorate with null and assign in onRequest, or give a getter' },
  ERR_SCH_VALIDATION_BUILD: { row: 29, todo: 'write the pattern so that a text can be read in one way only' },
}

/** Finds the row of a difference; returns `null` if the guide has none. */
export function rowOf(difference: Difference): Row | null {
  const { before, after, changes, exchange } = difference
  if (before === null || after === null) return null
  const seen: Seen = {
    difference,
    before,
    after,
    headers: exchange.request.headers,
    has: (was, is) => changes.some((change: Change) => was.test(change.before) && is.test(change.after)),
    message: String(objectOf(bodyOf(after))['message'] ?? after.body),
  }
  return RESPONSES.find(({ fits }) => fits(seen)) ?? null
}

export function rowOfStart({ code }: Failure): Row | null {
  return STARTS[code.replace(/^(?:FST|CLO)_/, '')] ?? null
}

/** All rows, for a test that compares them with the guide. */
export const ROWS: readonly Row[] = [...RESPONSES, ...Object.values(STARTS)]

function within(text: string | undefined): RegExp {
  return new RegExp((text ?? '').replaceAll(/[.:]/g, String.raw`\$&`))
}

function isErrorBody(response: SeenResponse): boolean {
  const body = objectOf(bodyOf(response))
  return ['statusCode', 'error', 'message'].every((name) => name in body)
}
