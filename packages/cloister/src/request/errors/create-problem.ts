import { pointerOf } from '@cloister/schema/internal'

import { prefixCode } from '../../error-prefix.ts'
import { createError } from '../../errors.ts'
import { isArray, itemsOf, look, textOf, toPlain } from '../../foreign.ts'
import { recordOf } from '../../guards.ts'
import { kPlan } from '../../symbols.ts'
import type { ProblemDetails, ProblemIssue } from '../../types/errors.ts'
import type { ReplyState } from '../state.ts'

/** The most violations that one document lists. */
const MAX_ISSUES = 100
/** Pointers contain names from the client, which may be as long as its body. */
const MAX_POINTER_LENGTH = 1000

/** The parts of problem details that don't come from the request. */
export interface ProblemFacts {
  readonly status: number
  readonly title: string
  /** undefined if it must not leave the log */
  readonly detail: string | undefined
  readonly code: string | undefined
}

/**
 * Makes the problem details of an error (RFC 9457 section 3), with `code` and `errors` as extension members.
 *
 * @param error - validation errors have the list of their violations
 */
export function createProblem(
  reply: ReplyState,
  { status, title, detail, code }: ProblemFacts,
  error: object,
): ProblemDetails {
  const { problemTypeBase } = reply[kPlan].app.options
  const isBlank = problemTypeBase === 'about:blank' || code === undefined
  const issues = issuesOf(error)
  return {
    type: isBlank ? 'about:blank' : `${problemTypeBase}${encodeURIComponent(code)}`,
    title,
    status,
    ...(detail === undefined ? {} : { detail }),
    instance: instanceOf(reply.request.url),
    ...(code === undefined ? {} : { code }),
    ...(issues === undefined ? {} : { errors: issues }),
  }
}

/** The problem details of a request that no route matches. */
export function createNotFoundProblem(reply: ReplyState, detail: string): ProblemDetails {
  const error = createError('NOT_FOUND', { what: detail })
  prefixCode(error, reply[kPlan].app.options)
  return createProblem(reply, { status: 404, title: 'Not Found', detail, code: error.code }, {})
}

/** The path of a request target as a URI reference (RFC 3986 section 4.1). Its query may be private, and is left out. */
function instanceOf(target: string): string {
  const [path = ''] = target.split(/[?#]/, 1)
  // Two slashes would begin a host.
  const local = path.startsWith('//') ? `/.${path}` : path
  // Half of a surrogate pair has no encoding.
  return local
    .replaceAll(/[\ud800-\udfff]/gu, '\ufffd')
    .replaceAll(/%(?![\da-f]{2})/gi, '%25')
    .replaceAll(/[^\w\-.~/!$&'()*+,;=:@%]/gu, (character) => encodeURIComponent(character))
}

/** The violations that an error lists, in the form of problem details. */
function issuesOf(error: object): ProblemIssue[] | undefined {
  const found = look(error, 'validation')
  const part = look(error, 'validationContext')
  if (!isArray(found) || typeof part !== 'string') return undefined
  return itemsOf(found, MAX_ISSUES).map((issue) => toIssue(issue, part))
}

function toIssue(issue: unknown, part: string): ProblemIssue {
  if (typeof issue === 'string') return { part, pointer: '', keyword: '', message: issue, params: {} }
  return {
    part,
    pointer: pointerIn(issue).slice(0, MAX_POINTER_LENGTH),
    keyword: stringOf(look(issue, 'keyword')),
    message: stringOf(look(issue, 'message')),
    params: recordOf(toPlain(look(issue, 'params'))),
  }
}

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Ajv names a location by a pointer, other libraries by a list of keys, or of objects with a key (Standard Schema). */
function pointerIn(issue: unknown): string {
  const instancePath = look(issue, 'instancePath')
  if (typeof instancePath === 'string') return instancePath
  const path = itemsOf(look(issue, 'path'), MAX_POINTER_LENGTH)
  return pointerOf(path.map((key) => textOf(typeof key === 'object' ? look(key, 'key') : key) ?? ''))
}
