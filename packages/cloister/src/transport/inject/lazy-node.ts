import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Exchange, ResponseHeaders } from '../../exchange/exchange.ts'
import type { NodeAccess } from '../../exchange/node-access.ts'
import type { NodeExchange } from '../node/node-exchange.ts'

/** Access to objects of Node that are made when something first reads one. */
export abstract class LazyNode implements NodeAccess {
  /** the exchange over Node's objects, once they are made */
  protected raw: NodeExchange | null = null

  /** Makes Node's objects; called once. */
  protected abstract makeRaw(): NodeExchange

  protected takeRaw(): NodeExchange {
    this.raw ??= this.makeRaw()
    return this.raw
  }

  get request(): IncomingMessage {
    return this.takeRaw().request
  }

  get madeRequest(): object | null {
    return this.raw === null ? null : this.raw.request
  }

  get response(): ServerResponse {
    return this.takeRaw().response
  }

  get socket(): object | undefined {
    return this.takeRaw().socket
  }

  get isTaken(): boolean {
    return this.raw !== null && this.raw.isTaken
  }

  get status(): number {
    return this.takeRaw().status
  }

  set status(status: number) {
    this.takeRaw().status = status
  }

  onResponseError(callback: (error: unknown) => void): void {
    this.takeRaw().onResponseError(callback)
  }

  responseHeader(name: string): string | number | readonly string[] | undefined {
    return this.takeRaw().responseHeader(name)
  }

  responseHeaders(): ResponseHeaders {
    return this.takeRaw().responseHeaders()
  }

  withRequest(request: object): Exchange {
    return this.takeRaw().node.withRequest(request)
  }

  withResponse(response: object): Exchange {
    return this.takeRaw().node.withResponse(response)
  }
}
