/** All shapes, in the order they are printed. */
import { listShapes } from './list-shapes.ts'
import { objectShapes } from './object-shapes.ts'
import type { Shape } from './shape.ts'
import { stringShapes } from './string-shapes.ts'
import { unionShapes } from './union-shapes.ts'

/** All shapes. */
export const shapes: readonly Shape[] = [...objectShapes, ...listShapes, ...unionShapes, ...stringShapes]
