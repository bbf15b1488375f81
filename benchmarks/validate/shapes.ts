/** The shapes that are validated, always with valid values. */
import { keywordShapes } from './keyword-shapes.ts'
import { requestShapes } from './request-shapes.ts'
import type { Shape } from './shape.ts'

/** All shapes, in the order they are printed. */
export const shapes: readonly Shape[] = [...requestShapes, ...keywordShapes]
