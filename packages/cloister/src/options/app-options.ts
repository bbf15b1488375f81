import type { CheckedOptions } from './checked-options.generated.ts'

/** The checked options of an app, with the defaults of the rows in `rows/`; frozen. */
export type AppOptions = Readonly<CheckedOptions>
