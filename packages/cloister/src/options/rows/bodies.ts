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
  bodyText: option(oneOf('replace', 'utf-8'), 'replace', {
    doc: "Sets what happens to text of a request that is not Unicode: `'replace'` reads other characters in its place, as in Fastify 4.x; `'utf-8'` refuses invalid UTF-8 and lone surrogates in bodies, forms, queries and items with status 400, and a `charset` other than UTF-8 with 415. See [what is refused](guide/refused.md).",
    fastify4: "ours: `'replace'`",
    strict: 'utf-8',
    example: "{ bodyText: 'utf-8' }",
  }),
  duplicateNames: option(oneOf('last', 'refuse'), 'last', {
    doc: "Sets what happens to a name that an object in a JSON body has twice: `'last'` keeps the last value, as in Fastify 4.x; `'refuse'` sends 400 (RFC 7493). A query or form with a name twice has a list.",
    fastify4: "ours: `'last'`",
    strict: 'refuse',
    example: "{ duplicateNames: 'refuse' }",
  }),
  unknownEncodings: option(oneOf('ignore', 'refuse'), 'ignore', {
    doc: "Sets what happens to a body with a `Content-Encoding` that no `preParsing` hook has decoded: `'ignore'` reads it as it is, as in Fastify 4.x; `'refuse'` sends 415 with `Accept-Encoding`. Parsers of the application that take bytes or a stream decode themselves.",
    fastify4: "ours: `'ignore'`",
    strict: 'refuse',
    example: "{ unknownEncodings: 'refuse' }",
  }),
  onProtoPoisoning: option(poisoning, 'error', {
    doc: "Sets what happens to a key `__proto__` in a JSON body, and to a name in a form with that step: `'error'` sends 400, `'remove'` drops the key, `'ignore'` keeps it.",
    shown: 'always',
  }),
  onConstructorPoisoning: option(poisoning, 'error', {
    doc: 'Sets what happens to `constructor.prototype` in a JSON body, and to a name in a form with the step `constructor`, as in `onProtoPoisoning`.',
    shown: 'always',
  }),
}
