// Collects what a logger of the pino kind writes, line by line.

/** One line of the log. */
export type LogLine = Record<string, unknown>

/** Where a logger writes to in a test, and what it wrote. */
export interface LogSink {
  /** What to give as `logger.stream`. */
  readonly stream: { write(line: string): void }
  /** All lines so far. */
  readonly lines: LogLine[]
  /** The first line with this message; waits for it. */
  line(message: string | RegExp): Promise<LogLine>
}

function isLine(value: unknown): value is LogLine {
  return typeof value === 'object' && value !== null
}

/** Makes a sink for the log lines of one app. */
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
