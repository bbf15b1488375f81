/** The app is plain JavaScript; this is what TypeScript needs to know of it. */
export function build(options?: { logger?: boolean }): {
  listen(options: { port: number; host?: string }): Promise<string>
  log: { error(reason: unknown): void }
  close(): Promise<unknown>
}
