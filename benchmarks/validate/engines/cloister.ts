import type { Engine } from '../engine.ts'

/** Cloister's own engine. */
export const engine: Engine = () => {
  throw new Error('The validator of @cloister/schema is not built yet; build the workspace first')
}
