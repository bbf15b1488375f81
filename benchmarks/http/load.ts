/**
 * The load: keep-alive connections on raw sockets, a fixed number of requests in flight on each.
 *
 * The first response of a connection is read as HTTP and compared with what the workload expects. A subject
 * that passed sends a response of the same length for every further request, so the load only counts
 * bytes and looks at the status line: this keeps the client far cheaper than any server under test.
 */
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { checkResponse } from './check-response.ts'
import { formatRequest } from './format-request.ts'
import type { Workload } from './workload.ts'

/** How hard to press. */
export interface LoadOptions {
  readonly port: number
  readonly workload: Workload
  readonly connections: number
  readonly pipelining: number
  readonly durationMs: number
}

/** What came of it. */
export interface LoadResult {
  readonly requests: number
  readonly seconds: number
}

/** Presses a server for a time, then waits for the responses still on their way. */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const request = formatRequest(options.workload, options.port)
  const startedAt = performance.now()
  const deadline = startedAt + options.durationMs
  const counts = await Promise.all(
    Array.from({ length: options.connections }, () => runConnection(options, request, deadline)),
  )
  return {
    requests: counts.reduce((sum, count) => sum + count, 0),
    seconds: (performance.now() - startedAt) / 1000,
  }
}

function runConnection(options: LoadOptions, request: Buffer, deadline: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const isEncrypted = options.workload.app === 'tls'
    const target = { port: options.port, host: '127.0.0.1' }
    // The certificate is one for tests, which nobody has signed.
    const socket: Socket = isEncrypted
      ? connectTls({ ...target, rejectUnauthorized: false })
      : connect(target)
    const statusLine = `HTTP/1.1 ${options.workload.expected.status} `
    let first = Buffer.alloc(0)
    let responseBytes = 0
    let pendingBytes = 0
    let inFlight = 0
    let responded = 0

    const send = (count: number): void => {
      inFlight += count
      if (count === 1) socket.write(request)
      else if (count > 1) socket.write(Buffer.concat(Array.from({ length: count }, () => request)))
    }
    const take = (chunk: Buffer): void => {
      if (pendingBytes === 0 && chunk.toString('latin1', 0, statusLine.length) !== statusLine) {
        throw new Error(
          `${options.workload.name}: expected "${statusLine}", got "${chunk.toString('latin1', 0, 20)}"`,
        )
      }
      const total = pendingBytes + chunk.length
      const complete = Math.floor(total / responseBytes)
      pendingBytes = total % responseBytes
      responded += complete
      inFlight -= complete
      if (performance.now() < deadline) send(complete)
      else if (inFlight === 0) socket.end(() => resolve(responded))
    }
    const measure = (chunk: Buffer): void => {
      first = Buffer.concat([first, chunk])
      responseBytes = checkResponse(first, options.workload)
      if (responseBytes === 0) return
      if (first.length !== responseBytes) throw new Error('More bytes came than one response has')
      responded = 1
      inFlight = 0
      send(options.pipelining)
    }
    socket.setNoDelay(true)
    socket.on(isEncrypted ? 'secureConnect' : 'connect', () => send(1))
    socket.on('error', reject)
    // A response of another length leaves bytes over, until the server closes an idle connection.
    socket.on('close', () =>
      reject(new Error(`${options.workload.name}: cut off, with ${inFlight} in flight`)),
    )
    socket.on('data', (chunk: Buffer) => {
      try {
        if (responseBytes === 0) measure(chunk)
        else take(chunk)
      } catch (error) {
        socket.destroy()
        reject(error)
      }
    })
  })
}
