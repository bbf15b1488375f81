import { bodyOptions } from './rows/bodies.ts'
import { connectionOptions } from './rows/connections.ts'
import { errorOptions } from './rows/errors.ts'
import { loggingOptions } from './rows/logging.ts'
import { routerOptions, routingOptions } from './rows/routing.ts'
import { schemaOptions } from './rows/schemas.ts'
import { timeoutOptions } from './rows/timeouts.ts'
import { flag } from './kinds.ts'
import { option, type OptionRow, type OptionRows } from './option-row.ts'

/** The option that sets others. */
export const presetOptions: OptionRows = {
  strict: option(flag, false, {
    doc: 'Sets the safe value of every option that says "with `strict`"; recommended for new apps. Explicit options override it, but a `trustProxy` that trusts every client is an error.',
    fastify4: 'ours',
    example: '{ strict: true }',
    shown: 'given',
  }),
}

/**
 * Every option of the factory, by the name of its section in `docs/options.md`. An option is one row here: the check,
 * the shown configuration, the public interface with its hover texts and the tables of the page are made from it
 * (`npm run docs:options`).
 */
export const optionSections: Readonly<Record<string, OptionRows>> = {
  preset: presetOptions,
  connections: connectionOptions,
  timeouts: timeoutOptions,
  routing: routingOptions,
  bodies: bodyOptions,
  schemas: schemaOptions,
  errors: errorOptions,
  logging: loggingOptions,
}

/** Every option of the factory by its name. */
export const OPTIONS: ReadonlyMap<string, OptionRow> = new Map(
  Object.values(optionSections).flatMap((rows) => Object.entries(rows)),
)

/** The names of the options that `accept` picks, in the order of the table. */
export function optionNames(accept: (row: OptionRow) => boolean): string[] {
  return [...OPTIONS].filter(([, row]) => accept(row)).map(([name]) => name)
}

/** Options that 5.x accepts inside `routerOptions` too. */
export const ROUTER_OPTIONS: readonly string[] = Object.keys(routerOptions)
