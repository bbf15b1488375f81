import type { FastifyReply, FastifyRequest } from '../types/fastify/interfaces.ts'
import { endOf } from '../exchange/ends.ts'
import { look, textOf } from '../foreign.ts'
import { messageOf, readError } from '../read-error.ts'
import { LogController } from './log-controller.ts'
import { warn } from './warnings.ts'

/**
 * Reports errors of an app that has no logger and hides them from clients: to stderr, once per request, or in production
 * with one process warning.
 */
export class UnloggedErrors extends LogController {
  readonly #inProduction: boolean = isProduction()
  readonly #reported: WeakSet<FastifyRequest> = new WeakSet()
  #hasWarned = false

  override defaultErrorLog(error: Error, request: FastifyRequest, reply: FastifyReply): void {
    if (reply.statusCode >= 500) this.#report(error, request)
  }

  override streamError(error: Error, request: FastifyRequest): void {
    if (endOf(error).name !== 'left') this.#report(error, request)
  }

  override writeHeadError(error: Error, request: FastifyRequest): void {
    this.#report(error, request)
  }

  override serializerError(error: Error, request: FastifyRequest): void {
    this.#report(error, request)
  }

  #report(error: Error, request: FastifyRequest): void {
    const { statusCode } = readError(error)
    if (statusCode !== undefined && statusCode < 500) return
    if (this.#inProduction) return this.#warnOnce()
    if (this.#reported.has(request)) return
    this.#reported.add(request)
    const route = `${request.method} ${request.routeOptions.url ?? '(no route)'}`
    // oxlint-disable-next-line no-console -- stderr, also where there is no process
    console.error(
      `${route} failed; the app has no logger (set logger: true):\n${stackOf(error)}${helpOf(error)}`,
    )
  }

  #warnOnce(): void {
    if (this.#hasWarned) return
    this.#hasWarned = true
    warn('ERRORS_UNSEEN', {})
  }
}

const MAX_CAUSES = 16

/** Returns the stacks of an error and its causes. */
function stackOf(error: Error): string {
  const stacks: string[] = []
  let current: unknown = error
  while (current !== undefined && stacks.length < MAX_CAUSES) {
    const stack = look(current, 'stack')
    stacks.push(typeof stack === 'string' ? (textOf(stack) ?? '') : messageOf(current))
    current = look(current, 'cause')
  }
  return stacks.join('\ncaused by ')
}

/** Returns what the developer should do, on a line of its own. */
function helpOf(error: Error): string {
  const help = look(error, 'help')
  return typeof help === 'string' ? `\n${help}` : ''
}

function isProduction(): boolean {
  return typeof process !== 'undefined' && process.env['NODE_ENV'] === 'production'
}
