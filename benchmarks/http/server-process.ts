import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Profiler } from 'node:inspector/promises'
import type { AppKind } from './app-kinds.ts'
import type { Allocated, Sendable, Question } from './messages.ts'
import type { SubjectName } from './subject.ts'

/** A subject in a process of its own, seen from the runner. */
export class ServerProcess {
  readonly name: SubjectName
  readonly kind: AppKind
  readonly port: number
  readonly #child: ChildProcess

  private constructor(name: SubjectName, kind: AppKind, port: number, child: ChildProcess) {
    this.name = name
    this.kind = kind
    this.port = port
    this.#child = child
  }

  /** Starts the process behind the pinning words and waits until it listens. */
  static async start(
    name: SubjectName,
    kind: AppKind,
    prefix: readonly string[],
    node: string,
  ): Promise<ServerProcess> {
    const script = fileURLToPath(new URL('./server.js', import.meta.url))
    const [command, ...args] = [...prefix, node, script, name, kind]
    const child = spawn(command, args, {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, NODE_ENV: 'production' },
    })
    const response = await nextResponse(child)
    if (response.tell !== 'listening') throw new Error(`${name} said ${response.tell} before it listened`)
    return new ServerProcess(name, kind, response.port, child)
  }

  /** CPU time, user and system, that the process has used so far, in microseconds. */
  async cpuMicros(): Promise<number> {
    const response = await this.#ask({ ask: 'cpu' })
    if (response.tell !== 'cpu') throw new Error(`${this.name} told ${response.tell} instead of its CPU time`)
    return response.micros
  }

  async startAllocation(): Promise<void> {
    await this.#ask({ ask: 'startAllocation' })
  }

  /** What the process has allocated and done since it was asked to count. */
  async stopAllocation(): Promise<Allocated> {
    const response = await this.#ask({ ask: 'stopAllocation' })
    if (response.tell !== 'allocated')
      throw new Error(`${this.name} told ${response.tell}, not what it allocated`)
    return response
  }

  async startProfile(): Promise<void> {
    await this.#ask({ ask: 'startProfile' })
  }

  async stopProfile(): Promise<Profiler.Profile> {
    const response = await this.#ask({ ask: 'stopProfile' })
    if (response.tell !== 'profile')
      throw new Error(`${this.name} told ${response.tell} instead of a profile`)
    return response.profile
  }

  stop(): void {
    this.#child.disconnect()
  }

  #ask(question: Question): Promise<Sendable> {
    const response = nextResponse(this.#child)
    this.#child.send(question)
    return response
  }
}

function nextResponse(child: ChildProcess): Promise<Sendable> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`The server process ended with ${code}`))
    child.once('exit', onExit)
    child.once('message', (message: Sendable) => {
      child.off('exit', onExit)
      resolve(message)
    })
  })
}
