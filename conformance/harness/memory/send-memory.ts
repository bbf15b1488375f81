import type { AppPhase } from '../../../packages/cloister/src/context/services.ts'
import type { Exchange } from '../../../packages/cloister/src/exchange/exchange.ts'
import { kApp } from '../../../packages/cloister/src/symbols.ts'
import type { App } from '../app-shape.ts'
import { MemoryExchange } from './memory-exchange.ts'
import type { MemoryRequest } from './memory-request.ts'
import { MemoryResponse } from './memory-response.ts'

/** The entry for exchanges of an app, whichever transport creates them. */
interface Entry {
  readonly phase: AppPhase
  readonly intake: { receive(exchange: Exchange, phase: AppPhase): void }
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && 'intake' in value && 'phase' in value
}

/** Starts one exchange in memory; it is open until the response has ended, or the test aborts it. */
export async function startMemory(app: App, request: MemoryRequest): Promise<MemoryExchange> {
  await app.ready()
  const entry: unknown = Reflect.get(app, kApp)
  if (!isEntry(entry)) throw new Error('the in-memory transport is for Cloister alone')
  const exchange = new MemoryExchange(request, new MemoryResponse())
  entry.intake.receive(exchange, entry.phase)
  return exchange
}

/** Sends a request over the in-memory transport; rejects when the response is cut. */
export async function exchangeInMemory(app: App, request: MemoryRequest): Promise<MemoryResponse> {
  const { response } = await startMemory(app, request)
  await new Promise<void>((resolve, reject) => {
    response.onEnd((outcome) => (outcome === null ? resolve() : reject(outcome)))
  })
  return response
}
