// What no response may be, whatever the application says: random connections over both engines, plain and encrypted.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Random } from '../../packages/schema/test/validator/random.ts'
import type { App } from '../harness/app-shape.ts'
import { certificate } from '../harness/certificate.ts'
import { playCases } from '../harness/play-cases.ts'
import { factory, isPeer } from '../harness/subject.ts'
import { collectUnhandled } from '../harness/unhandled.ts'
import { addRoutes, createUpstream, openSources } from './behave.ts'
import { drawCase } from './draw-case.ts'
import type { Behaviour, Case } from './draw-case.ts'
import { playCase } from './drive.ts'
import type { Target } from './drive.ts'

const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_261_122)
const CASES = Number(process.env['CLOISTER_RESPONSES'] ?? 300)
/** Plays this one of the cases alone, many times. */
const ONLY = process.env['CLOISTER_RESPONSES_ONLY']
const AT_ONCE = 40

const LANES: readonly (readonly [name: string, options: Record<string, unknown>])[] = isPeer
  ? [['node:http', {}]]
  : [
      ['node:http', { transport: 'node' }],
      ['engine', { transport: 'auto' }],
      ['engine over TLS', { transport: 'auto', https: certificate() }],
    ]

describe.each(LANES)('responses over %s', (_name, options) => {
  const behaviours = new Map<string, Behaviour>()
  const reasons = new Set<string>()
  const lost = collectUnhandled()
  let app: App
  let upstream: Server
  let target: Target

  beforeAll(async () => {
    upstream = createUpstream()
    await new Promise<void>((resolve) => void upstream.listen(0, '127.0.0.1', resolve))
    const { port } = upstream.address() as AddressInfo
    const stream = {
      write(text: string): void {
        const line: { reqId?: unknown; level?: unknown; msg?: unknown; err?: unknown } = JSON.parse(text)
        const isReason = line.err !== undefined || Number(line.level) >= 40
        if (isReason) reasons.add(String(line.reqId))
      },
    }
    app = factory({
      ...options,
      logger: { level: 'info', stream },
      forceCloseConnections: true,
      genReqId: (request: { url: string }) => request.url.slice(3),
    })
    addRoutes(app, (id) => behaviours.get(id), `http://127.0.0.1:${port}`)
    await app.listen({ port: 0, host: '127.0.0.1' })
    const address = app.server.address() as AddressInfo
    target = { address, isEncrypted: 'https' in options, hasReason: (id) => reasons.has(id) }
  })
  afterAll(async () => {
    await app.close()
    upstream.close()
  })

  it(`are one for each request, framed once, whole or cut, in ${CASES} random connections`, async () => {
    const random = new Random(SEED)
    const drawn: readonly Case[] = Array.from({ length: CASES }, () => drawCase(random))
    const only = drawn.filter((_given, index) => index === Number(ONLY))
    const cases = ONLY === undefined ? drawn : Array.from({ length: 30 }, () => only).flat()
    const found = await playCases(cases, AT_ONCE, (given, index) => {
      for (const [at, behaviour] of given.requests.entries()) behaviours.set(`${index}-${at}`, behaviour)
      return playCase(target, given, String(index))
    })
    if (process.env['CLOISTER_RESPONSES_REPORT'] !== undefined) {
      const counts = new Map<string, number>()
      for (const { findings } of found)
        for (const one of new Set(findings))
          counts.set(one.slice(0, 60), (counts.get(one.slice(0, 60)) ?? 0) + 1)
      console.log(
        `${found.length} of ${CASES} cases, ${lost.length} unhandled`,
        Object.fromEntries([...counts].sort((a, b) => b[1] - a[1])),
      )
      for (const one of found.slice(0, Number(process.env['CLOISTER_RESPONSES_REPORT'])))
        console.log(JSON.stringify(one))
      for (const error of lost.slice(0, 3)) console.log(error)
    }
    await vi.waitFor(() => expect([...openSources]).toEqual([]), { timeout: 5000 })
    expect(lost).toEqual([])
    expect(found.slice(0, 3)).toEqual([])
  }, 1_800_000)
})
