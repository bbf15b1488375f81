import type { FetchExchange } from '../transport/fetch/fetch-exchange.ts'
import { OpenResponses as Responses } from '../transport/fetch/open-responses.ts'

/** A timer and the objects it uses belong to one request, so each request listens to its signal immediately. */
export class OpenResponses extends Responses {
  override expect(response: FetchExchange): void {
    this.keep(response)
  }
}
