import { createError } from '../../errors.ts'
import { typeName } from '../../guards.ts'
import { callback, either, flag, integer, listOf, object, oneOf, syncCallback } from '../kinds.ts'
import { option, type OptionRows } from '../option-row.ts'

export const schemaOptions: OptionRows = {
  jsonShorthand: option(flag, true, {
    doc: 'Accepts a schema that is only a list of properties, without `type` and `properties`.',
    fastify4: 'same (5.x: gone)',
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
      example: "{ serializerOpts: { rounding: 'ceil' } }",
    },
  ),
  schemaController: option(object('SchemaControllerOptions'), null, {
    doc: 'Replaces the store of shared schemas (`bucket`) and the factories of the compilers (`compilersFactory`).',
    throws: ['SCHEMA_CONTROLLER_BUCKET_OPT_NOT_FN'],
  }),
  schemaErrorFormatter: option(syncCallback('SchemaErrorFormatter'), null, {
    doc: 'Creates the error of a failed validation, from the violations and the part of the request.',
    example: '{ schemaErrorFormatter: (errors, part) => new Error(`${part}: ${errors.length} mistakes`) }',
    refuse: (given) => createError('SCHEMA_ERROR_FORMATTER_NOT_FN', { type: typeName(given) }),
  }),
  jsonSchemaDialect: option(oneOf('draft-07', '2020-12'), 'draft-07', {
    doc: 'Sets the JSON Schema version of schemas without `$schema`. A schema with `$schema` always uses the version that it names. See [dialects](schemas.md#dialects).',
    fastify4: 'ours (only draft-07)',
    shown: 'always',
    example: "{ jsonSchemaDialect: '2020-12' }",
  }),
  schemaCompilation: option(oneOf('auto', 'eager'), 'auto', {
    doc: "Sets when validators and serializers are compiled. `'auto'` checks every schema at boot and compiles it on first use; `'eager'` compiles it at boot. In both modes, the code that reports errors is compiled for the first invalid input.",
    fastify4: 'ours',
    shown: 'always',
  }),
  codeGeneration: option(oneOf('hot', 'always', 'never'), 'hot', {
    doc: "Sets whether validators and serializers are generated code. `'hot'` starts with closures and generates code for functions that are called often, after the response; `'always'` generates code at once; `'never'` keeps closures, for processes that forbid code generation from strings. In such processes `'never'` is the default.",
    fastify4: 'ours',
    shown: 'always',
    example: "{ codeGeneration: 'never' }",
  }),
  coerceJsonBodies: option(flag, true, {
    doc: 'Coerces values in JSON bodies to the types of their schemas. With `false`, JSON bodies must have these types; queries, params, headers and form bodies are still coerced.',
    fastify4: 'ours',
    strict: false,
  }),
  serialization: option(oneOf('compat', 'strict'), 'compat', {
    doc: "Sets how payloads are converted to the types of their schemas: `'compat'` as Fastify 4.x does, `'strict'` makes every lossy conversion an error, see [serialization](serialization.md). Plugins and routes can set their own.",
    fastify4: 'ours',
    strict: 'strict',
    shown: 'always',
  }),
  unionErrors: option(oneOf('all', 'branch'), 'all', {
    doc: "Sets which violations are reported for a union whose branches have a discriminating property: `'all'` reports those of every branch, `'branch'` those of the selected branch.",
    fastify4: 'ours',
    strict: 'branch',
  }),
  unionRemoval: option(oneOf('each', 'branch'), 'each', {
    doc: "Sets where undeclared properties are removed in a union (`anyOf`, `oneOf`). `'each'` removes them in every branch that is tried, so that a branch that does not match takes properties from one that does. `'branch'` removes properties that no matching branch declares, and nothing in conditions (`if`, `not`). It needs `removeAdditional: true`, the default, and has no effect on schemas that only Ajv can validate.",
    fastify4: 'ours',
    strict: 'branch',
  }),
  validationErrorLimit: option(integer({ min: 1, unit: 'errors' }), 1, {
    doc: 'Limits the violations that one error reports. Validation stops at this number; a union reports one for each branch. The Ajv option `allErrors` removes the limit and overrides this option. It has no effect on schemas that only Ajv can validate: these report the first violation.',
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
      doc: 'Translates the messages of violations. Functions by language tag, such as those of `ajv-i18n`, are selected by the `Accept-Language` header of the request; the error response then has `Content-Language`. A single function gets the violations and the request. Both change only `message`, not keywords and params.',
      fastify4: 'ours',
      example:
        "{ validationMessages: { de: (issues) => issues.forEach((issue) => { issue.message = 'ist falsch' }) } }",
    },
  ),
  validateResponses: option(oneOf('needed', 'always', 'never'), 'needed', {
    doc: "Sets when the library of a response schema (Zod, Valibot, …) validates the payload before it is written. `'needed'`: if the schema has checks or changes that a serializer does not apply, such as formats, limits, refinements and transforms; `'always'`: every payload; `'never'`: payloads are serialized with the JSON Schema of the library, without validation. It has no effect on JSON Schema. A library without JSON Schema always validates.",
    fastify4: 'ours',
    strict: 'always',
    example: "{ validateResponses: 'always' }",
    route: {
      doc: "Sets when the library of a response schema (Zod, Valibot, …) validates the payload: if its schema has checks or changes (`'needed'`), `'always'`, or `'never'`.",
    },
  }),
  undeclaredStatuses: option(oneOf('send', 'log', 'error'), 'send', {
    doc: "Sets what happens to a response with content if the `response` schemas of its route do not declare its status, or, if the status has a `content` map, its media type. `'send'` sends it unchanged, `'log'` also writes a warning to the log, `'error'` makes it an error with status 500. Responses of error handlers, and of hooks before the handler, are not checked.",
    fastify4: 'ours',
    strict: 'error',
    example: "{ undeclaredStatuses: 'error' }",
    route: {
      doc: "Sets what happens to a response with content if the response schemas do not declare its status, or, if the status has a `content` map, its media type: `'send'` sends it, `'log'` also writes a warning, `'error'` makes it an error with status 500.",
    },
  }),
  requireSchemas: option(either(flag, listOf('params', 'querystring', 'body', 'response')), false, {
    doc: 'Requires schemas for every route: for `params` if its path has parameters, `querystring`, `body` if its method has a body, and `response`. A list selects some of these. If a schema is missing, the app does not start; the error lists all missing schemas.',
    fastify4: 'ours',
    example: "{ requireSchemas: ['params', 'body', 'response'] }",
    throws: ['SCH_REQUIRED'],
    route: {
      doc: 'Lists the schemas that the route must have; `true` for all, `false` for none.',
      throws: ['SCH_REQUIRED'],
    },
  }),
}
