import AppWorker from './run-app.worker.ts?worker'
import type { Command, FormRequest, Report } from './protocol.ts'

/** So long an app may take to start, or to send the head of a response, before its worker is ended. */
const PATIENCE_MS = 5000

/** Runs one app at a time, in a worker of its own that can be ended. */
export class Runner {
  readonly #report: (report: Report) => void
  #worker: Worker | null = null
  #deadline = 0

  constructor(report: (report: Report) => void) {
    this.#report = report
  }

  start(code: string): void {
    this.stop()
    this.#worker = new AppWorker()
    this.#worker.addEventListener('message', ({ data }: MessageEvent<Report>) => {
      if (data.kind !== 'stage' && data.kind !== 'log') clearTimeout(this.#deadline)
      this.#report(data)
    })
    this.#say({ kind: 'start', code })
  }

  send(request: FormRequest): void {
    this.#say({ kind: 'send', request })
  }

  cancel(): void {
    this.#worker?.postMessage({ kind: 'cancel' } satisfies Command)
  }

  stop(): void {
    clearTimeout(this.#deadline)
    this.#worker?.terminate()
    this.#worker = null
  }

  #say(command: Command): void {
    this.#worker?.postMessage(command)
    clearTimeout(this.#deadline)
    this.#deadline = window.setTimeout(() => {
      this.stop()
      this.#report({
        kind: 'failed',
        message: `The app did nothing for ${PATIENCE_MS / 1000} s and was stopped. Run it again.`,
      })
    }, PATIENCE_MS)
  }
}
