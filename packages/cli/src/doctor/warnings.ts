import type { Finding } from './finding.ts'

/** Returns the result of a function, and the process warnings meanwhile, which Node.js does not print. */
export async function withWarnings<Result>(
  run: () => Promise<Result>,
): Promise<readonly [Result, readonly Error[]]> {
  const seen: Error[] = []
  const collect = (warning: Error): void => void seen.push(warning)
  const printers = process.listeners('warning')
  process.removeAllListeners('warning')
  process.on('warning', collect)
  try {
    const result = await run()
    // Node.js emits a warning in a later turn.
    await new Promise((resolve) => setImmediate(resolve))
    return [result, seen]
  } finally {
    process.off('warning', collect)
    for (const printer of printers) process.on('warning', printer)
  }
}

/** Turns process warnings into findings; a repeated warning counts once. */
export function fromWarnings(warnings: readonly Error[]): Finding[] {
  const texts = new Map<string, Finding>()
  for (const warning of warnings) {
    const code = 'code' in warning && typeof warning.code === 'string' ? warning.code : warning.name
    const message = warning.message
    texts.set(`${code} ${message}`, {
      level: levelOf(code),
      check: 'warnings',
      code,
      message,
      callSite: null,
    })
  }
  return [...texts.values()]
}

/** Experimental and deprecated parts of Node.js that dependencies use are not problems of the app. */
function levelOf(code: string): Finding['level'] {
  return code.startsWith('CLO_') || code.startsWith('FST_') || code.startsWith('SCHEMA_') ? 'problem' : 'note'
}
