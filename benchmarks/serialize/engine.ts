/** A serializing engine: a schema in, a function from value to text out. */
export type Engine = (schema: object) => (value: unknown) => string

/** The engines by name, in the order they are printed. */
export const engineNames = [
  'cloister',
  'concat',
  'project',
  'closures',
  'text',
  'copy',
  'fjs7',
  'fjs5',
  'json',
] as const

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
      return (await import('./engines/cloister.ts')).engine('auto')
    case 'concat':
    case 'project':
    case 'closures':
    case 'text':
    case 'copy':
      return (await import('./engines/cloister.ts')).engine(name)
    case 'fjs7':
      return (await import('./engines/fjs7.ts')).engine
    case 'fjs5':
      return (await import('./engines/fjs5.ts')).engine
    case 'json':
      return () => (value) => JSON.stringify(value)
  }
}
