import type { CloisterInstance } from 'cloister'

import { isRecord } from '../guards.ts'
import type { WrittenRequest } from './encode.ts'
import type { Finding, ReceivedResponse } from './judge.ts'

const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH'] as const

export function canSend(method: string): boolean {
  return METHODS.some((one) => one === method.toUpperCase())
}

/** Sends a request with `inject`. Returns a finding if the response does not arrive in time. */
export async function send(
  app: Pick<CloisterInstance, 'inject'>,
  { method, url, headers, payload }: WrittenRequest,
  limit: number,
): Promise<ReceivedResponse | Finding> {
  // The timer of `AbortSignal.timeout` does not keep the process alive.
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), limit)
  const { signal } = controller
  try {
    const response = await app.inject({
      method: METHODS.find((one) => one === method) ?? 'GET',
      url,
      headers,
      signal,
      ...(payload === undefined ? {} : { payload }),
    })
    const contentType = response.headers['content-type']
    return {
      status: response.statusCode,
      contentType: typeof contentType === 'string' ? contentType : '',
      headerNames: new Set(Object.keys(response.headers)),
      text: response.payload,
      errorCode: codeOf(response.payload),
    }
  } catch (error) {
    if (signal.aborted) return { kind: 'timeout', text: `no response came within ${limit} ms` }
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Returns the code of an error response of the framework; an empty string for other payloads. */
function codeOf(text: string): string {
  if (!text.includes('"code"')) return ''
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) && typeof value['code'] === 'string' ? value['code'] : ''
  } catch {
    return ''
  }
}
