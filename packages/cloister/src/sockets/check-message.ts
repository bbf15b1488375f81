import { isInexact } from '../body/exact/rules.ts'
import type { SocketMessage } from '../exchange/upgrade.ts'
import { isRecord, isThenable, whenSettled } from '../guards.ts'
import { LibraryOutput } from '../libraries/validate.ts'
import { messageOf } from '../read-error.ts'
import { copyOf, isValid, judgeValue } from '../request/report/judge-stages.ts'
import type { MessageValidator, PartValidateFunction } from '../request/route-plan.ts'
import type { ReplyState } from '../request/state.ts'
import { withErrorsOf } from '../routes/schemas/in-place.ts'
import { kPlan } from '../symbols.ts'

/** The reason why a message closes its socket. */
interface Violation {
  /** the close code (RFC 6455 section 7.4.1) */
  readonly code: 1003 | 1007 | 1008
  /** the place in the message, as a JSON pointer */
  readonly path: string
  readonly reason: string
}

/** A valid message, or the reason why it is invalid. */
export type Checked = { readonly value: unknown } | { readonly violation: Violation }

export type Parse = (text: string) => unknown

/** Returns the validator of messages; with `strict: 'report'`, it judges those that are valid. */
export function incomingOf({ request, [kPlan]: plan }: ReplyState): MessageValidator | null {
  const incoming = plan.messages?.incoming ?? null
  const wanted = plan.judged?.messages?.incoming ?? null
  if (incoming === null || wanted === null) return incoming
  const { validate } = incoming
  const judging: PartValidateFunction = (data, holder) => {
    const copied = copyOf(data)
    const result = validate(data, holder)
    const judge = (settled: unknown): void => {
      if (isValid(settled)) judgeValue(plan, request, 'message', wanted, copied)
    }
    if (isThenable(result)) whenSettled(result, judge, () => {})
    else judge(result)
    return result
  }
  return { ...incoming, validate: withErrorsOf(validate, judging) }
}

/** Parses a message and validates it against the schema of its route. */
export function checkMessage(
  data: SocketMessage,
  isBinary: boolean,
  parse: Parse,
  validator: MessageValidator | null,
): Checked | Promise<Checked> {
  if (isBinary) return violation(1003, '', 'is binary; messages are JSON, as text')
  let value: unknown
  try {
    value = parse(data.toString())
  } catch (error) {
    return violation(1007, '', isInexact(error) ? error.message : 'is no JSON')
  }
  if (validator === null) return { value }
  const holder = { value }
  try {
    const result = validator.validate(value, holder)
    if (!isThenable(result)) return read(result, holder.value, validator)
    return Promise.resolve(result).then(
      // An Ajv schema with `$async` resolves to the data itself.
      (settled) => (validator.custom ? read(settled, value, validator) : { value: settled }),
      refuse,
    )
  } catch (error) {
    return refuse(error)
  }
}

export function violation(code: Violation['code'], path: string, reason: string): Checked {
  return { violation: { code, path, reason } }
}

/** Reads the result of a validator: a boolean, `{ value }` or `{ error }`. */
function read(result: unknown, value: unknown, { validate }: MessageValidator): Checked {
  if (result === false) return refuse(validate.errors)
  if (result instanceof LibraryOutput) return { value: result.value }
  if (!isRecord(result)) return { value }
  const { error } = result
  if (error !== undefined && error !== null && error !== false) return refuse(error)
  return { value: result['value'] === undefined ? value : result['value'] }
}

/** Reads the first error of a validator, or an error of the application. */
function refuse(found: unknown): Checked {
  const list: unknown = isRecord(found) && Array.isArray(found['errors']) ? found['errors'] : found
  const first: unknown = Array.isArray(list) ? list[0] : list
  const { instancePath, message } = isRecord(first) ? first : {}
  const path = typeof instancePath === 'string' ? instancePath : ''
  const reason = typeof message === 'string' ? message : first == null ? 'is not valid' : messageOf(first)
  return violation(1008, path, reason)
}
