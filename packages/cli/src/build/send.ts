import type { SeenResponse, SentRequest } from '../exchanges/exchange.ts'
import { MAX_BODY_LENGTH, readResponse } from '../exchanges/watch-app.ts'
import { printError } from '../print-error.ts'
import type { SeenApp } from './seen-app.ts'

const PATIENCE_MS = 5000

/** A response, or why there is none. */
export interface Sent {
  readonly response: SeenResponse | null
  readonly failure: string | null
}

type Send = (request: SentRequest) => Promise<Sent>

/** Returns a function that sends requests to an app: over `fetch` if it has a handler for that, or by `inject`. */
export function sendTo(handler: ((request: Request) => unknown) | null, app: SeenApp | undefined): Send {
  const send = async (request: SentRequest): Promise<Sent> => {
    try {
      const response = await (handler === null ? inject(app, request) : overFetch(handler, request))
      return { response, failure: response === null ? 'it returned something else than a response' : null }
    } catch (error) {
      return { response: null, failure: printError(error) }
    }
  }
  return (request) => Promise.race([send(request), nothing()])
}

function nothing(): Promise<Sent> {
  const late = { response: null, failure: `no response after ${PATIENCE_MS} ms` }
  return new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, late).unref())
}

async function inject(app: SeenApp | undefined, { body, ...request }: SentRequest): Promise<SeenResponse> {
  const given = await app?.call('inject', { ...request, ...(body === null ? {} : { payload: body }) })
  return readResponse(given)
}

async function overFetch(
  handler: (request: Request) => unknown,
  { method, url, headers, body }: SentRequest,
): Promise<SeenResponse | null> {
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const given = await handler(
    new Request(`http://localhost${url}`, { method, headers, ...(hasBody ? { body } : {}) }),
  )
  if (!(given instanceof Response)) return null
  return {
    status: given.status,
    headers: Object.fromEntries(given.headers),
    body: (await given.text()).slice(0, MAX_BODY_LENGTH),
  }
}
