import { createError, type CloisterError } from '../../errors.ts'
import { bytes, oneOf } from '../kinds.ts'
import { option, type OptionRows } from '../option-row.ts'

const poisoning = oneOf('error', 'remove', 'ignore')

const notInteger = (given: unknown): CloisterError =>
  createError('ROUTE_BODY_LIMIT_OPTION_NOT_INT', { value: String(given) })

export const bodyOptions: OptionRows = {
  bodyLimit: option(bytes, 1_048_576, {
    doc: 'Limits the size of a body that the framework reads (JSON, text, parsers with `parseAs`). A larger body gets status 413. Parsers can set their own limit. A parser without `parseAs` reads the stream itself, without this limit.',
    example: '{ bodyLimit: 5 * 1024 * 1024 }',
    shown: 'always',
    refuse: notInteger,
    route: {
      doc: 'Limits the size of the body. A larger body gets status 413. The limit also applies to parsers that read the stream; it counts the received bytes.',
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
