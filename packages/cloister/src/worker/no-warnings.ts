import type * as ofRoutes from '../routes/warn-of-route.ts'
import type * as ofSchemas from '../routes/schemas/warn-of-schemas.ts'

/* Bundles for workers have less to say about mistakes of the app. */
export const warnOfPath: typeof ofRoutes.warnOfPath = () => {}
export const warnOfUnread: typeof ofRoutes.warnOfUnread = () => {}
export const warnOfForeignForms: typeof ofRoutes.warnOfForeignForms = () => {}
export const warnOfPatterns: typeof ofSchemas.warnOfPatterns = () => {}
export const warnOfParts: typeof ofSchemas.warnOfParts = () => {}
