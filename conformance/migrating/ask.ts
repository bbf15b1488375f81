import type { App, Handler, RouteOptions } from '../harness/app-shape.ts'
import { sendSocket } from '../harness/send.ts'
import type { SendRequest } from '../harness/send.ts'

/** The status of an respond, and its text where it is no error. */
export async function ask(app: App, request: Partial<SendRequest> = {}): Promise<string> {
  const { status, text } = await sendSocket(app, { path: '/', ...request })
  return status < 400 ? `${status} ${text}` : String(status)
}

/** What one handler sends to one request. */
export async function respond(
  app: App,
  handler: Handler,
  request: Partial<SendRequest> = {},
  options: RouteOptions = {},
): Promise<string> {
  app.route({ method: request.method ?? 'GET', url: '/', ...options, handler })
  return ask(app, request)
}

/** Whether something is taken, or the code of the error that refuses it. */
export async function taken(attempt: () => unknown): Promise<string> {
  try {
    await attempt()
    return 'taken'
  } catch (error) {
    const { code } = Object(error)
    return code === undefined ? 'refused' : `refused, ${String(code)}`
  }
}
