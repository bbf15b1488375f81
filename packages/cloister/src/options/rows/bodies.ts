import { createError, type CloisterError } from '../../errors.ts'
import { bytes, oneOf } from '../kinds.ts'
import { option, type OptionRows } from '../option-row.ts'

const poisoning = oneOf('error', 'remove', 'ignore')

const notInteger = (given: unknown): CloisterError =>
  createError('ROUTE_BODY_LIMIT_OPTION_NOT_INT', { value: String(given) })

export const bodyOptions: OptionRows = {
  bodyLimit: option(bytes, 1_048_576, {
    doc: 'Limits the size of a body that the framework reads (JSON, text, parsers with `parseAs`); a larger one gets the status 413. Parsers can set their own; one without `parseAs` reads the stream without this limit.',
    example: '{ bodyLimit: 5 * 1024 * 1024 }',
    shown: 'always',
    refuse: notInteger,
    route: {
      doc: 'Limits the size of the body, also for parsers that read the stream; a larger one gets the status 413.',
      refuse: notInteger,
    },
  }),
  itemsLimit: option(bytes, 104_857_600, {
    doc: 'Limits the size of a body that is read line by line (`application/x-ndjson`, `application/jsonl`), in bytes. `bodyLimit` limits each line. A larger body gets status 413.',
    fastify4: 'ours',
    example: '{ itemsLimit: 1024 ** 3 }',
    route: {
      doc: 'Limits the size of a body that is read line by line, in bytes. `bodyLimit` limits each line.',
    },
  }),
  onProtoPoisoning: option(poisoning, 'error', {
    doc: "Sets what happens to a key `__proto__` in a JSON body: `'error'` sends 400, `'remove'` drops the key, `'ignore'` keeps it.",
    shown: 'always',
  }),
  onConstructorPoisoning: option(poisoning, 'error', {
    doc: 'Sets what happens to `constructor.prototype` in a JSON body, as in `onProtoPoisoning`.',
    shown: 'always',
  }),
}
