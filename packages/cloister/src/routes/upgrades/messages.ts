import { isInexact } from '../../body/exact/rules.ts'
import { isRecord, isThenable, recordOf, whenSettled } from '../../guards.ts'
import { LibraryOutput } from '../../libraries/validate.ts'
import { messageOf } from '../../read-error.ts'
import { copyOf, isValid, judgeOutput, judgeValue } from '../../request/report/judge-stages.ts'
import type { MessageValidator, PartValidateFunction } from '../../request/route-plan.ts'
import { isViolation } from '../../request/stages/validate-request.ts'
import type { ReplyState } from '../../request/state.ts'
import { kPlan } from '../../symbols.ts'
import type { UpgradeMessage, UpgradeMessages } from '../../types/upgrade.ts'
import { withErrorsOf } from '../schemas/deep-objects.ts'

export type Parse = (text: string) => unknown

/** The messages of a taken connection, by the schemas of its route. */
export function messagesOf(reply: ReplyState, parse: Parse): UpgradeMessages {
  const { request, [kPlan]: plan } = reply
  const incoming = incomingOf(reply)
  const serialize = plan.messages?.outgoing ?? JSON.stringify
  const judged = plan.judged?.messages?.outgoing ?? null
  return {
    read: (text) => readMessage(text, parse, incoming),
    write(message) {
      const text: unknown = serialize(message)
      if (judged !== null) judgeOutput(request, judged, message)
      if (typeof text === 'string') return text
      throw new TypeError('it has no JSON')
    },
  }
}

/** Returns the validator of messages; with `strict: 'report'`, it judges those that are valid. */
function incomingOf({ request, [kPlan]: plan }: ReplyState): MessageValidator | null {
  const incoming = plan.messages?.incoming ?? null
  const wanted = plan.judged?.messages?.incoming ?? null
  if (incoming === null || wanted === null) return incoming
  const { validate } = incoming
  const judging: PartValidateFunction = (data, holder) => {
    const copied = copyOf(data)
    const result = validate(data, holder)
    const judge = (settled: unknown): void => {
      if (isValid(settled)) judgeValue(request, 'message', wanted, copied)
    }
    if (isThenable(result)) whenSettled(result, judge, () => {})
    else judge(result)
    return result
  }
  return { ...incoming, validate: withErrorsOf(validate, judging) }
}

/** Parses a message and validates it against the schema of its route. */
function readMessage(
  text: string,
  parse: Parse,
  validator: MessageValidator | null,
): UpgradeMessage | Promise<UpgradeMessage> {
  let value: unknown
  try {
    value = parse(text)
  } catch (error) {
    const reason = isInexact(error) ? error.message : 'is no JSON'
    return { fault: { kind: 'syntax', path: '', reason } }
  }
  if (validator === null) return { value }
  const holder = { value }
  try {
    const result = validator.validate(value, holder)
    if (!isThenable(result)) return read(result, holder.value, validator)
    return Promise.resolve(result).then(
      // An Ajv schema with `$async` resolves to the data itself.
      (settled) => (validator.custom ? read(settled, value, validator) : { value: settled }),
      readFailure,
    )
  } catch (error) {
    return readFailure(error)
  }
}

/** Reads the result of a validator: a boolean, `{ value }` or `{ error }`. */
function read(result: unknown, value: unknown, { validate }: MessageValidator): UpgradeMessage {
  if (result === false) return refuse(validate.errors)
  if (result instanceof LibraryOutput) return { value: result.value }
  if (!isRecord(result)) return { value }
  const { error } = result
  if (error !== undefined && error !== null && error !== false) return refuse(error)
  return { value: result['value'] === undefined ? value : result['value'] }
}

/** Reads what a validator throws; throws it again if it does not say that the message is invalid. */
function readFailure(reason: unknown): UpgradeMessage {
  if (!isViolation(reason)) throw reason
  return refuse(reason)
}

/** Reads the first error of a validator, or an error of the application. */
function refuse(found: unknown): UpgradeMessage {
  const list: unknown = isRecord(found) && Array.isArray(found['errors']) ? found['errors'] : found
  const first: unknown = Array.isArray(list) ? list[0] : list
  const { instancePath, message } = recordOf(first)
  const path = typeof instancePath === 'string' ? instancePath : ''
  const reason = typeof message === 'string' ? message : first == null ? 'is not valid' : messageOf(first)
  return { fault: { kind: 'schema', path, reason } }
}
