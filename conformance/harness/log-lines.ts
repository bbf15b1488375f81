// Collects the output of a pino-like logger, line by line.

/** One line of the log. */
export type LogLine = Record<string, unknown>

/** The destination of a logger in a test, with its lines. */
export interface LogSink {
  /** The value for `logger.stream`. */
  readonly stream: { write(line: string): void }
  /** All lines so far. */
  readonly lines: LogLine[]
  /** Waits for the first line with this message, and returns it. */
  line(message: string | RegExp): Promise<LogLine>
}

function isLine(value: unknown): value is LogLine {
  return typeof value === 'object' && value !== null
}

/** Creates a sink for the log lines of one app. */
export function createLogSink(): LogSink {
  const lines: LogLine[] = []
  const waiting = new Set<() => void>()
  return {
    lines,
    stream: {
      write(text) {
        const value: unknown = JSON.parse(text)
        if (isLine(value)) lines.push(value)
        for (const look of waiting) look()
      },
    },
    line(message) {
      const matches = (line: LogLine): boolean => {
        const text = String(line['msg'])
        return typeof message === 'string' ? text === message : message.test(text)
      }
      return new Promise((resolve) => {
        const look = (): void => {
          const found = lines.find(matches)
          if (found === undefined) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      })
    },
  }
}
