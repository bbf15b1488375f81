import { prefixCode } from '../../error-prefix.ts'
import { look } from '../../foreign.ts'
import { wrapThrown } from '../../read-error.ts'
import { hush, isThenable } from '../../guards.ts'
import { kExchange, kPlan, kState } from '../../symbols.ts'
import { FAILING, markSent, OPEN, type ReplyState } from '../state.ts'
import { observeError } from '../observer.ts'
import { publishRequestError, runHooksAside, type HooksSettled } from '../watch.ts'
import { failIfOurs } from '../run-stages.ts'
import { dropPayload } from '../unsent-source.ts'
import { writeLine, writeWarning } from '../write-line.ts'
import { settleResult, settleTraced } from '../stages/call-handler.ts'
import { dropContentFields } from './content-fields.ts'
import { adviseHabit } from './other-frameworks.ts'
import { logAsGone, sendFixedError, replyByDefault, sendPlainError } from './send-error.ts'
import { startIdleAlarm } from '../../platform.ts'

const BEGUN = 'the request failed after its response had begun'
const BROKEN = 'an error handler failed with a TypeError; this is the error that it got'
const SILENT = 'an error handler returned nothing and sent no reply; the next error handler gets the error'

/**
 * The error path. An error goes through the `onError` hooks once, then to the error handlers: the route's, then its
 * context's and so on to the root. An Error that a handler throws or sends goes to the next one, and so does the error
 * itself if a handler returns nothing and cannot send. After the last one the framework sends its own response, and if
 * that fails too, a plain one without hooks.
 *
 * A thrown value that is no Error takes the same path unchanged, except `undefined` and `null`, which become an Error.
 *
 * The path is the same if the client has gone, so that hooks and handlers can give back what a request holds. The
 * client does not get the response, so the error is logged here. It is also the same if the application has begun the
 * response on the raw object: an error handler can end it there, and if one sends a reply, the connection is cut.
 *
 * A `send` that the application has set on the reply gets the error first, as in Fastify.
 */
export function handleError(reply: ReplyState, thrown: unknown): void {
  const { phase, inOnError } = reply[kState]
  try {
    const error = hush(thrown) ?? wrapThrown(thrown)
    if (phase === FAILING || inOnError || !Object.hasOwn(reply, 'send')) takeError(reply, error)
    else callOwnSend(reply, error)
  } catch (failure) {
    sendFixedError(reply, failure)
  }
}

function callOwnSend(reply: ReplyState, error: unknown): void {
  const state = reply[kState]
  const epoch = ++state.epoch
  state.phase = FAILING
  try {
    reply.send(error)
  } catch (failure) {
    failIfOurs(reply, epoch, failure)
  }
}

function takeError(reply: ReplyState, error: unknown): void {
  const state = reply[kState]
  prefixCode(error, reply[kPlan].app.options)
  adviseHabit(error)
  if (state.requestTrace !== null) publishRequestError(state.requestTrace, error)
  const exchange = reply[kExchange]
  state.epoch++
  dropPayload(reply, state.payload)
  state.payload = undefined
  const { hasBegun, isGone, isComplete } = exchange.turn
  observeError(reply, error, hasBegun && !isGone)
  const isRefused = state.isLogged && hasBegun && isHeadError(error)
  if (isGone) logAsGone(reply, error)
  else if (hasBegun && !isRefused) writeLine(reply, 'warn', error, BEGUN)
  state.isLogged = isGone || hasBegun
  if (isComplete || isRefused) {
    markSent(reply)
    exchange.abort()
    return
  }
  state.phase = OPEN
  if (reply[kPlan].hooks.onError.length === 0 || state.errorSeen) {
    // The hooks may still be running, for an error before this one.
    state.inOnError = false
    callErrorHandler(reply, error)
  } else {
    state.errorSeen = true
    state.inOnError = true
    runOnError(reply, error, 0)
  }
}

/** Whether an error says that the head of the response is on its way, so that no error response can replace it. */
function isHeadError(error: unknown): boolean {
  const code = look(error, 'code')
  return code === 'ERR_HTTP_HEADERS_SENT' || code === 'ERR_HTTP2_HEADERS_SENT'
}

/**
 * Runs the `onError` hooks from one on, which only observe: they cannot send a reply, and their errors are logged. Then
 * calls the error handlers.
 */
function runOnError(reply: ReplyState, error: unknown, index: number): void {
  const state = reply[kState]
  const { epoch } = state
  const hook = reply[kPlan].hooks.onError[index]
  if (hook !== undefined) {
    const goOn: HooksSettled<number> = (_reply, failure, done) => {
      if (failure !== null) writeLine(reply, 'error', failure.thrown, 'onError hook failed')
      // Another error, such as that of a deadline, has begun the path again.
      if (state.epoch === epoch) runOnError(reply, error, done + 1)
    }
    runHooksAside([hook], reply, goOn, index, error)
  } else {
    state.inOnError = false
    try {
      callErrorHandler(reply, error)
    } catch (failure) {
      sendFixedError(reply, failure)
    }
  }
}

function callErrorHandler(reply: ReplyState, error: unknown): void {
  const state = reply[kState]
  const { fail } = reply[kPlan]
  const errorHandlers = state.errorHandlers ?? reply[kPlan].errorHandlers
  const depth = state.errorDepth++
  const handler = errorHandlers[depth]
  dropContentFields(reply)
  if (handler === undefined) {
    if (depth === errorHandlers.length) replyByDefault(reply, error)
    else sendPlainError(reply, error)
    return
  }
  state.awaited = false
  const epoch = state.epoch
  const { statusCode } = reply
  const { hasBegun } = reply[kExchange].turn
  const passOn = (): void => {
    if (!state.isLogged) writeLine(reply, 'warn', wrapThrown(error), SILENT)
    state.epoch++
    callErrorHandler(reply, error)
  }
  /** No reply was sent, on the raw response neither; one that had begun before was not ended. */
  const isOpen = (): boolean => {
    const { turn } = reply[kExchange]
    return state.epoch === epoch && !(hasBegun ? turn.isComplete : turn.hasBegun)
  }
  // A status that the handler has set takes precedence.
  const passOnIfNothing = (value: unknown): unknown => {
    const isSilent = value === undefined && !state.awaited
    if (isSilent && isOpen() && reply.statusCode === statusCode) passOn()
    return value
  }
  try {
    const result = handler.handle(error, reply.request, reply)
    if (isThenable(result)) {
      const settled = Object.is(result, reply) ? result : Promise.resolve(result).then(passOnIfNothing)
      const trace = state.trace
      const sent =
        trace === null ? settleResult(settled, reply, epoch) : settleTraced(trace, settled, reply, epoch)
      if (sent instanceof Promise) state.held?.keepFor(sent)
    } else if (result !== undefined) {
      void settleResult(result, reply, epoch)
    } else if (isOpen()) {
      if (handler.takesReply) watchSilence(reply, isOpen)
      else passOn()
    }
  } catch (thrown) {
    // An error handler may throw the error that it got, or one for it; a mistake of its own would hide the error.
    if (thrown instanceof TypeError && !Object.is(thrown, error) && !isCauseOf(error, thrown))
      writeLine(reply, 'error', wrapThrown(error), BROKEN)
    fail(reply, thrown)
  }
}

const isCauseOf = (error: unknown, thrown: Error): boolean => Object.is(look(thrown, 'cause'), error)

/** Time that an error handler without a result may take to send a reply before a warning is logged. */
const SILENCE_MS = 10_000

/**
 * Watches an error handler that has not sent a reply yet: it may do so later, from a callback. One that does not is
 * named in the log; `handlerTimeout` ends its request.
 */
function watchSilence(reply: ReplyState, isOpen: () => boolean): void {
  const warn = (): void => {
    if (!isOpen()) return
    const { label } = reply[kPlan]
    writeWarning(
      reply,
      `the error handler of ${label} has sent no reply for ${SILENCE_MS} ms; it must return a payload or call ` +
        'reply.send; set handlerTimeout to end requests that never get a response',
    )
  }
  const timer = startIdleAlarm(warn, SILENCE_MS)
  reply[kExchange].onFinished(() => clearTimeout(timer))
}
