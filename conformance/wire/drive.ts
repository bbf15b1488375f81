// Sends a case over a connection of its own, and reads until nothing more is expected.
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { readResponses } from './read-responses.ts'
import { planSteps } from './wire-case.ts'
import type { SendMode, Step, WireCase } from './wire-case.ts'

/** What happened on the connection. */
export interface Driven {
  readonly text: string
  readonly isClosed: boolean
  /** the case itself reset the connection */
  readonly wasReset: boolean
}

/** Silence after which no further response is expected, in milliseconds. */
const SILENCE_MS = 200
const SILENCE_AFTER_ALL_MS = 25
const LIMIT_MS = 6000

interface Open {
  text: string
  isClosed: boolean
  wasReset: boolean
  lastAt: number
}

async function open(port: number): Promise<{ socket: Socket; state: Open }> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.setNoDelay(true)
  const state: Open = { text: '', isClosed: false, wasReset: false, lastAt: performance.now() }
  const close = (): void => {
    state.isClosed = true
  }
  socket.on('data', (chunk) => {
    state.text += chunk.toString('latin1')
    state.lastAt = performance.now()
  })
  socket.on('end', () => {
    close()
    socket.end()
  })
  socket.on('close', close)
  socket.on('error', close)
  await once(socket, 'connect')
  return { socket, state }
}

async function take(socket: Socket, state: Open, step: Step, pauses: boolean): Promise<void> {
  if ('reset' in step) {
    state.wasReset = true
    socket.resetAndDestroy()
  } else if ('end' in step) socket.end()
  else if ('delayMs' in step) await sleep(step.delayMs)
  else {
    await new Promise<void>((resolve) => {
      socket.once('close', resolve)
      socket.write(step, () => {
        socket.off('close', resolve)
        resolve()
      })
    })
    if (step.length > 1 && pauses) await sleep(4)
    else
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
  }
}

function isOver({ expect: { close, responses = 1 }, methods }: WireCase, state: Open): boolean {
  if (state.isClosed) return true
  if (close === true) return false
  const { responses: received, isPartial } = readResponses(state.text, methods)
  const most = typeof responses === 'number' ? responses : responses[1]
  const silence = received.length >= most ? SILENCE_AFTER_ALL_MS : SILENCE_MS
  return !isPartial && received.length > 0 && performance.now() - state.lastAt > silence
}

/** Runs a case. */
export async function drive(port: number, wireCase: WireCase, mode: SendMode): Promise<Driven> {
  const { socket, state } = await open(port)
  const pauses = wireCase.send.length > 1 || mode !== 'asis'
  for (const step of planSteps(wireCase, mode)) {
    if (state.isClosed) break
    await take(socket, state, step, pauses)
  }
  state.lastAt = performance.now()
  const limit = state.lastAt + (wireCase.timeoutMs ?? LIMIT_MS)
  while (!state.wasReset && !isOver(wireCase, state) && performance.now() < limit) await sleep(3)
  if (state.wasReset) await sleep(40)
  socket.destroy()
  return state
}
