import { bodyOptions } from './rows/bodies.ts'
import { connectionOptions } from './rows/connections.ts'
import { errorOptions } from './rows/errors.ts'
import { loggingOptions } from './rows/logging.ts'
import { routerOptions, routingOptions } from './rows/routing.ts'
import { schemaOptions } from './rows/schemas.ts'
import { timeoutOptions } from './rows/timeouts.ts'
import { either, flag, oneOf } from './kinds.ts'
import { option, type OptionRow, type OptionRows } from './option-row.ts'

/**
 * All options of the factory, by their section in `docs/options.md`. Each option is one row. The check,
 * `app.initialConfig`, the public interface with its hover texts, and the tables of the page are generated from it
 * (`npm run docs:options`).
 */
export const optionSections: Readonly<Record<string, OptionRows>> = {
  // The option that changes the defaults of others.
  preset: {
    strict: option(either(flag, oneOf('report')), false, {
      doc: 'Sets the safe value of every option that says "with `strict`"; recommended for new apps. Explicit options override it, but a `trustProxy` that trusts every client is an error. With `\'report\'` the app behaves as without `strict`, and `app.report()` counts what `strict` would refuse, see [moving to strict](guide/strict.md#moving-a-running-app).',
      fastify4: 'ours',
      example: '{ strict: true }',
      shown: 'given',
    }),
  },
  connections: connectionOptions,
  timeouts: timeoutOptions,
  routing: routingOptions,
  bodies: bodyOptions,
  schemas: schemaOptions,
  errors: errorOptions,
  logging: loggingOptions,
}

export const OPTIONS: ReadonlyMap<string, OptionRow> = new Map(
  Object.values(optionSections).flatMap((rows) => Object.entries(rows)),
)

/** Options that Fastify 5.x also accepts in `routerOptions`. */
export const ROUTER_OPTIONS: readonly string[] = Object.keys(routerOptions)
