import { createSerializer } from '@cloister/schema/serializer'
import type { Engine } from '../engine.ts'

/** Cloister's serializer with one of its back ends, in the reading that the 4.x interface has. */
export function engine(backEnd: 'auto' | 'concat' | 'project' | 'closures' | 'text' | 'copy'): Engine {
  return (schema) => createSerializer(schema, { mode: 'compat', backEnd })
}
