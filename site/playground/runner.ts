import AppWorker from './run-app.worker.ts?worker'
import type { Command, FormRequest, Report } from './protocol.ts'

/** So long an app may take to start, or to send the head of a response, before its worker is ended. */
const PATIENCE_MS = 5000

/** Runs one app at a time, in a worker of its own that can be ended. Reports are those of the last app and request. */
export class Runner {
  readonly #report: (report: Report) => void
  #worker: Worker | null = null
  #deadline = 0
  #id = 0

  constructor(report: (report: Report) => void) {
    this.#report = report
  }

  start(code: string): void {
    this.stop()
    const worker = new AppWorker()
    this.#worker = worker
    worker.addEventListener('message', ({ data }: MessageEvent<Report>) => {
      // What an earlier app or request still says is of no result that is shown.
      if (this.#worker !== worker || ('id' in data && data.id !== this.#id)) return
      if (data.kind !== 'stage' && data.kind !== 'log') clearTimeout(this.#deadline)
      this.#report(data)
    })
    this.#say({ kind: 'start', code })
  }

  send(request: FormRequest): void {
    this.#say({ kind: 'send', id: ++this.#id, request })
  }

  cancel(): void {
    this.#worker?.postMessage({ kind: 'cancel' } satisfies Command)
  }

  stop(): void {
    clearTimeout(this.#deadline)
    this.#worker?.terminate()
    this.#worker = null
    this.#id++
  }

  #say(command: Command): void {
    this.#worker?.postMessage(command)
    clearTimeout(this.#deadline)
    this.#deadline = window.setTimeout(() => {
      this.stop()
      const message = `The app did nothing for ${PATIENCE_MS / 1000} s and was stopped. Run it again.`
      this.#report({ kind: 'unstarted', message, line: null, isSyntax: false })
    }, PATIENCE_MS)
  }
}
