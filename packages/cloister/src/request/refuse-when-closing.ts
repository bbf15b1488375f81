import { logSafely } from '../logging/request-log.ts'
import type { Exchange, ResponseHeaders } from '../exchange/exchange.ts'
import { acceptsProblem, PROBLEM_CONTENT, problemOfStatus } from './errors/problem.ts'
import type { ServedApp } from './services.ts'

const BODY = '{"error":"Service Unavailable","message":"Service Unavailable","statusCode":503}'

/**
 * Ends the connection of each new request after its response while the app closes; with `return503OnClosing` that
 * response is a 503.
 *
 * @returns true when the request has got its response
 */
export function refuseWhenClosing(app: ServedApp, exchange: Exchange): boolean {
  exchange.endConnection()
  if (!app.options.return503OnClosing) return false
  const { problemDetails } = app.options
  const headers: ResponseHeaders = { 'content-type': 'application/json' }
  if (problemDetails === 'accepted') headers['vary'] = 'Accept'
  if (acceptsProblem(problemDetails, exchange.header('accept'))) {
    headers['content-type'] = PROBLEM_CONTENT
    exchange.send(503, headers, JSON.stringify(problemOfStatus(503, 'Service Unavailable')))
  } else exchange.send(503, headers, BODY)
  const { logController, logger, root } = app
  logSafely(app, () => logController.serviceUnavailable(logger, root.instance))
  return true
}
