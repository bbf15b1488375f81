import { createError } from '../../errors.ts'
import { typeName } from '../../guards.ts'
import { callback, either, flag, integer, listOf, object, oneOf, syncCallback } from '../kinds.ts'
import { option, type OptionRows } from '../option-row.ts'

export const schemaOptions: OptionRows = {
  jsonShorthand: option(flag, true, {
    doc: 'Accepts a schema that is only a list of properties, without `type` and `properties`.',
    fastify4: 'same (5.x: removed)',
    shown: 'always',
  }),
  ajv: option(
    object('AjvOptions'),
    {},
    {
      doc: 'Configures the default validator: `customOptions` for Ajv, `plugins` as functions or pairs of function and options, `onCreate(ajv)`.',
      throws: ['AJV_CUSTOM_OPTIONS_OPT_NOT_OBJ', 'AJV_CUSTOM_OPTIONS_OPT_NOT_ARR'],
      example: "{ ajv: { customOptions: { coerceTypes: 'array' } } }",
    },
  ),
  serializerOpts: option(
    object('{ readonly [option: string]: unknown }'),
    {},
    {
      doc: 'Configures the default serializer: `rounding` of integers, `largeArraySize`, `largeArrayMechanism`. Options that do not change the output are ignored.',
      machine: true,
      example: "{ serializerOpts: { rounding: 'ceil' } }",
    },
  ),
  schemaController: option(object('SchemaControllerOptions'), null, {
    doc: 'Replaces the store of shared schemas (`bucket`) and the factories of the compilers (`compilersFactory`).',
    throws: ['SCHEMA_CONTROLLER_BUCKET_OPT_NOT_FN'],
    machine: true,
  }),
  schemaErrorFormatter: option(syncCallback('SchemaErrorFormatter'), null, {
    doc: 'Creates the error of a failed validation, from the violations and the part of the request.',
    example: '{ schemaErrorFormatter: (errors, part) => new Error(`${part}: ${errors.length} mistakes`) }',
    refuse: (given) => createError('SCHEMA_ERROR_FORMATTER_NOT_FN', { type: typeName(given) }),
  }),
  jsonSchemaDialect: option(oneOf('draft-07', '2020-12'), 'draft-07', {
    doc: 'Sets the JSON Schema version of schemas without `$schema`. See [dialects](schemas.md#dialects).',
    fastify4: 'ours (draft-07 alone)',
    shown: 'always',
    example: "{ jsonSchemaDialect: '2020-12' }",
  }),
  schemaCompilation: option(oneOf('auto', 'eager'), 'auto', {
    machine: true,
    doc: "Sets when validators and serializers are compiled: `'auto'` on first use, after checking every schema at boot; `'eager'` at boot.",
    fastify4: 'ours',
    shown: 'always',
  }),
  codeGeneration: option(oneOf('hot', 'always', 'never'), 'hot', {
    machine: true,
    doc: "Sets whether validators and serializers are generated code: `'hot'` only for functions that are called often, `'always'`, or `'never'`, the default in processes that forbid code generation from strings.",
    fastify4: 'ours',
    shown: 'always',
    example: "{ codeGeneration: 'never' }",
  }),
  coerceJsonBodies: option(flag, true, {
    doc: 'Coerces values in JSON bodies to the types of their schemas. `false` requires these types; queries, params, headers and forms are still coerced.',
    fastify4: 'ours',
    strict: false,
  }),
  integers: option(oneOf('number', 'exact', 'bigint'), 'number', {
    doc: "Sets which numbers of a request are integers. `'exact'` refuses, with status 400, an integer that a number does not represent exactly (beyond 2^53 - 1, and -0), and a number in JSON that is too large or is read as another integer. `'bigint'` is the same, but every value whose schema has `type: 'integer'` and `format: 'int64'` is a bigint, from -2^63 to 2^63 - 1, see [64-bit integers](guide/refused.md#64-bit-integers). `'number'` reads the nearest number, as in Fastify 4.x.",
    fastify4: "ours: `'number'`",
    strict: 'exact',
    example: "{ integers: 'exact' }",
  }),
  serialization: option(oneOf('compat', 'strict'), 'compat', {
    doc: "Sets how payloads are converted to the types of their schemas: `'compat'` as in Fastify 4.x, `'strict'` makes every lossy conversion an error, see [serialization](serialization.md). Plugins and routes can set their own.",
    fastify4: 'ours',
    strict: 'strict',
    shown: 'always',
  }),
  refusedDefaults: option(oneOf('warn', 'refuse'), 'warn', {
    doc: "Sets what happens to a `default` in the schema of a request part that the same schema refuses, such as `'x'` for an integer, so that each request without the value gets a 400: `'warn'` emits the process warning `CLO_WRN_DEFAULT_REFUSED`, `'refuse'` makes it an error. Types, constants and limits are compared.",
    fastify4: 'ours: not noticed',
    strict: 'refuse',
    example: "{ refusedDefaults: 'refuse' }",
    throws: ['SCH_INVALID'],
  }),
  unionErrors: option(oneOf('all', 'branch'), 'all', {
    doc: "Sets which violations are reported for a union whose branches have a discriminating property: `'all'` those of every branch, `'branch'` those of the branch that the property selects.",
    fastify4: 'ours',
    strict: 'branch',
  }),
  unionRemoval: option(oneOf('each', 'branch'), 'each', {
    doc: "Sets where a union (`anyOf`, `oneOf`) removes undeclared properties: `'each'` in every branch that is tried, even if it doesn't match; `'branch'` only those that no matching branch declares, and none in conditions (`if`, `not`). It needs `removeAdditional: true`, the default, and has no effect on schemas that only Ajv can decide.",
    fastify4: 'ours',
    strict: 'branch',
  }),
  validationErrorLimit: option(integer({ min: 1, unit: 'errors' }), 1, {
    doc: "Limits the violations that one error reports; a union reports one per branch. Ajv's `allErrors` overrides it. Schemas that only Ajv can decide report the first.",
    fastify4: 'ours',
    strict: 20,
    example: '{ validationErrorLimit: 20 }',
  }),
  validationMessages: option(
    either(
      callback('ValidationTranslator'),
      object('{ readonly [language: string]: ValidationTranslation }'),
    ),
    null,
    {
      doc: 'Translates the messages of violations: an object with a function for each language tag, such as those of `ajv-i18n`, or one function of violations and request. `Accept-Language` selects from the object, and the response has `Content-Language`. `keyword` and `params` stay the same.',
      fastify4: 'ours',
      example:
        "{ validationMessages: { de: (issues) => issues.forEach((issue) => { issue.message = 'ist falsch' }) } }",
    },
  ),
  validateResponses: option(oneOf('needed', 'always', 'never'), 'needed', {
    doc: "Sets when the library of a response schema (Zod, Valibot, …) validates payloads: `'needed'` if the schema has checks or changes that a serializer doesn't make, such as formats, limits, refinements and transforms; `'always'`; or `'never'`. A library without JSON Schema always validates.",
    fastify4: 'ours',
    strict: 'always',
    example: "{ validateResponses: 'always' }",
    route: {
      doc: "Sets when the library of a response schema (Zod, Valibot, …) validates the payload: `'needed'`, `'always'` or `'never'`.",
    },
  }),
  undeclaredStatuses: option(oneOf('send', 'log', 'error'), 'send', {
    doc: "Sets what happens to content whose status, or media type in a `content` map, the route's `response` schemas don't declare: `'send'` sends it, `'log'` also logs a warning, `'error'` makes it an error with status 500. Responses of error handlers, and of hooks before the handler, aren't checked.",
    fastify4: 'ours',
    strict: 'error',
    example: "{ undeclaredStatuses: 'error' }",
    route: {
      doc: "Sets what happens to content with an undeclared status or media type: `'send'` sends it, `'log'` also logs a warning, `'error'` makes it an error with status 500.",
    },
  }),
  cookieSchemas: option(oneOf('validate', 'document'), 'validate', {
    doc: "Sets what `schema.cookies` of a route does: `'validate'` makes it a part of the request, as `request.cookies`; `'document'` leaves it to documentation, as in 4.x.",
    fastify4: "`'document'`",
    example: "{ cookieSchemas: 'document' }",
  }),
  documentedTrailingSlash: option(oneOf('no-slash', 'slash'), 'no-slash', {
    doc: "Sets by which of its two paths documents of `@cloister/openapi` name the route `/` below a prefix: `'no-slash'` is `/prefix`, `'slash'` is `/prefix/`. `@cloister/fastify` sets `'slash'`.",
    fastify4: "`'slash'` in documents of `@fastify/swagger`",
    example: "{ documentedTrailingSlash: 'slash' }",
  }),
  requireSchemas: option(either(flag, listOf('params', 'querystring', 'body', 'response')), false, {
    doc: "Requires schemas of every route: for `params` if its path has some, `querystring`, `body` if its method has one, and `response`; a list requires only those. If one is missing, the app doesn't start; the error lists all.",
    fastify4: 'ours',
    example: "{ requireSchemas: ['params', 'body', 'response'] }",
    throws: ['SCH_REQUIRED'],
    route: {
      doc: 'Lists the required schemas; `true` for all, `false` for none.',
      throws: ['SCH_REQUIRED'],
    },
  }),
}
