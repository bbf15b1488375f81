// The rooms that guard, with the suites that must see a mutant of them. `inCheck` marks what `npm run check:all` runs:
// the others take hours, or have survivors without a test or a reason (docs/evidence/reliability.md).

/**
 * @typedef {object} Room
 * @property {readonly string[]} mutate files of the sources, as globs
 * @property {readonly string[]} tests suites that have to fail, as globs
 * @property {readonly string[]} [transports] of the harness; all unless given
 * @property {number} [testTimeoutMs] for each test; a short one fails for a mutant that never responds before Stryker ends
 *   the process, which is slow to start again
 * @property {Readonly<Record<string, string>>} [env] smaller random suites, as every mutant runs them
 * @property {boolean} [inCheck] `npm run check:all` runs it
 */

const suites = (/** @type {readonly string[]} */ ...names) =>
  names.map((name) => `conformance/${name}.test.ts`)

/** Suites of the harness without a socket, but for what they ask over HTTP/2 alone. */
const inProcess = /** @type {const} */ ({ transports: ['in-process', 'http2'], testTimeoutMs: 5000 })

/** @type {Readonly<Record<string, Room>>} */
export const rooms = {
  'bearer-auth': {
    mutate: ['packages/bearer-auth/src/!(types|index).ts'],
    tests: ['packages/bearer-auth/test/*.test.ts'],
    inCheck: true,
  },
  admission: {
    mutate: [
      'packages/cloister/src/request/{admission,payload-kind}.ts',
      'packages/cloister/src/exchange/host.ts',
      'packages/wire/src/message/host.ts',
      'packages/cloister/src/body/media-type.ts',
    ],
    tests: [
      'packages/cloister/test/exchange/{host,address}.test.ts',
      'packages/cloister/test/{request/{admission,absolute-target,payload-kind},body/media-type}.test.ts',
    ],
    inCheck: true,
  },
  wire: {
    mutate: ['packages/wire/src/head/!(verdicts).ts', 'packages/wire/src/body/chunked.ts'],
    tests: ['packages/wire/test/{head,body}/*.test.ts'],
    inCheck: true,
  },
  unique: {
    mutate: ['packages/schema/src/runtime/{unique,item-hash,number-table,canonical}.ts'],
    tests: ['packages/schema/test/runtime/{unique,collisions}.test.ts'],
  },
  bodies: {
    mutate: ['packages/cloister/src/request/stages/read-body.ts'],
    tests: [
      'packages/cloister/test/request/stages/{count,read}-body.test.ts',
      ...suites(
        'bodies/{absent,changed-type,counted-streams,json,parsers,raw-body,streams}',
        'never-unvalidated/http2',
        'refused/table',
        'transports/hosted',
      ),
    ],
    ...inProcess,
    inCheck: true,
  },
  validation: {
    mutate: ['packages/cloister/src/request/stages/{validate-request,validation-error}.ts'],
    tests: suites(
      'validation/!(nesting|tiers)',
      'never-unvalidated/{hooks,advisories}',
      'bodies/json',
      'refused/report',
      'standard-schema/requests',
    ),
    ...inProcess,
    inCheck: true,
  },
  path: {
    mutate: [
      'packages/cloister/src/request/{run-stages,start-reply,watch}.ts',
      'packages/cloister/src/request/stages/{call-handler,deadline}.ts',
    ],
    tests: [
      'packages/cloister/test/request/**/*.test.ts',
      ...suites(
        'errors/{handlers,late,not-found}',
        'hooks/{errors,late-errors,order,request-spans,tracing}',
        'item-streams/responses',
        'logging/{log-controller,request-lines}',
        'replies/{payloads,reply,unsent-reply}',
        'serialization/{content,serializers}',
      ),
    ],
    ...inProcess,
    inCheck: true,
  },
  errors: {
    mutate: ['packages/cloister/src/request/errors/*.ts'],
    tests: [
      ...suites(
        'errors/*',
        'hooks/*',
        'replies/{guards,unsent-reply,statuses}',
        'validation/{errors,messages,error-formatter}',
      ),
      'packages/cloister/test/request/errors/*.test.ts',
    ],
    ...inProcess,
  },
  replies: {
    mutate: [
      'packages/cloister/src/request/stages/write-response.ts',
      'packages/cloister/src/request/members/{fields,forwarded}.ts',
    ],
    tests: [
      ...suites(
        'boot/warnings',
        'replies/*',
        'responses/regressions/{fetched,fields,ownership}',
        'routing/{definition,hosts,proxies,request,raw}',
        'web/cors',
      ),
      'packages/cloister/test/request/{members/*,stages/write-*}.test.ts',
    ],
    ...inProcess,
    inCheck: true,
  },
  // The options that are compiled to functions and engines.
  options: {
    mutate: ['packages/cloister/src/app/compile-options.ts'],
    tests: [
      ...suites(
        'refused/{exact,int64,report,table}',
        'routing/{hosts,matching,proxies}',
        'schemas/dear-patterns',
        'standard-schema/{bigints,coercion-alone,requests}',
        'strict/options',
        'validation/coercion',
      ),
      'packages/cloister/test/app/*.test.ts',
    ],
    ...inProcess,
    inCheck: true,
  },
  transport: {
    mutate: [
      'packages/cloister/src/transport/{node/{client-error,connection,connections,drain,progress,sessions},raw/finish-watch}.ts',
      'packages/cloister/src/transport/streams/*.ts',
    ],
    tests: ['packages/cloister/test/transport/{node,streams}/*.test.ts'],
    testTimeoutMs: 4000,
    inCheck: true,
  },
  exchanges: {
    mutate: ['packages/cloister/src/transport/{raw/node-exchange,wire/{attach-wire,wire-exchange}}.ts'],
    tests: [
      'packages/cloister/test/transport/{exchanges,wire}/*.test.ts',
      ...suites(
        'bodies/{absent,http2-cuts}',
        'never-unvalidated/http2',
        'replies/{guards,raw-after-leaving,reply}',
        'responses/regressions/{interim,ownership}',
        'routing/raw',
        'transports/{channels/subscribers,wire}',
      ),
    ],
    transports: ['socket', 'wire', 'http2'],
    testTimeoutMs: 4000,
    inCheck: true,
  },
  fetch: {
    mutate: ['packages/cloister/src/transport/fetch/{open-responses,read-body}.ts'],
    tests: ['packages/cloister/test/transport/fetch/*.test.ts'],
    testTimeoutMs: 4000,
    inCheck: true,
  },
  validator: {
    mutate: ['packages/schema/src/validator/{create-validator,policy,union-errors}.ts'],
    tests: [
      'packages/schema/test/{tiers,union-errors}.test.ts',
      'packages/schema/test/validator/{create-validator,policy,union-errors}.test.ts',
    ],
    inCheck: true,
  },
  ajv: {
    mutate: ['packages/schema/src/validator/ajv/*.ts'],
    tests: [
      'packages/schema/test/{ajv-settings,code-forbidden}.test.ts',
      'packages/schema/test/validator/{infinities,ajv/*}.test.ts',
    ],
    inCheck: true,
  },
  descent: {
    mutate: ['packages/schema/src/runtime/{descent,decisions,replay}.ts', 'packages/schema/src/nesting.ts'],
    tests: ['packages/schema/test/{validator/{back-ends,depth},expensive/unions}.test.ts'],
    env: { CLOISTER_SCHEMAS: '60', CLOISTER_SEEDS: '2' },
  },
  // Looks, generated code and walks of the same keywords: one table of values holds them to each other and to Ajv.
  keywords: {
    mutate: ['packages/schema/src/{walk,keywords}/*.ts'],
    tests: [
      'packages/schema/test/walk/!(bounded-errors).test.ts',
      'packages/schema/test/validator/{back-ends,infinities,key-sequences,lists-of-scalars,looks,many-properties,read-all,wrapped-items}.test.ts',
      'packages/schema/test/{expensive/unions,serializer/union,union-errors}.test.ts',
      'conformance/openapi/every-keyword.test.ts',
    ],
    env: {
      CLOISTER_SCHEMAS: '60',
      CLOISTER_REFUSAL_SCHEMAS: '220',
      CLOISTER_SEEDS: '0',
      CLOISTER_VERDICTS: 'verdicts.json',
    },
  },
}
