import type { FetchResponse } from '../transport/fetch/fetch-response.ts'
import { OpenResponses as Responses } from '../transport/fetch/open-responses.ts'

/** A timer, and what it touches, belongs to one request: signals are listened to at once, each by its request. */
export class OpenResponses extends Responses {
  override expect(response: FetchResponse): void {
    this.keep(response)
  }
}
