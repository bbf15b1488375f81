import type { FetchResponse } from '../transport/fetch/fetch-response.ts'
import { OpenResponses as Responses } from '../transport/fetch/open-responses.ts'

/** A timer and the objects it uses belong to one request, so each request listens to its signal immediately. */
export class OpenResponses extends Responses {
  override expect(response: FetchResponse): void {
    this.keep(response)
  }
}
