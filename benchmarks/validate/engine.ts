import type { Shape } from './shape.ts'

/** A validating engine: a schema of a request part in, a predicate out. */
export type Engine = (schema: object, part: Shape['part']) => (value: unknown) => boolean

/** The engines by name, in the order they are printed. */
export const engineNames = ['cloister', 'closures', 'ajv'] as const

/** The name of an engine. */
export type EngineName = (typeof engineNames)[number]

/** Whether a word given on the command line names an engine. */
export function isEngineName(word: string): word is EngineName {
  return engineNames.some((name) => name === word)
}

/** Loads one engine; only its own modules are loaded into the process. */
export async function loadEngine(name: EngineName): Promise<Engine> {
  switch (name) {
    case 'cloister':
      return (await import('./engines/cloister.ts')).engine('always')
    case 'closures':
      return (await import('./engines/cloister.ts')).engine('never')
    case 'ajv':
      return (await import('./engines/ajv.ts')).engine
  }
}
