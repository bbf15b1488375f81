// The modules that the build for workers replaces. A worker has no server, no file system and no code generation
// from strings, and its platform need not have the modules of Node. The sources themselves never check where they
// run.

/**
 * By package: a module below `src`, or one of Node, and its replacement in the folder `worker`.
 *
 * @type {Readonly<Record<string, Readonly<Record<string, string>>>>}
 */
export const WORKER_MODULES = {
  '@cloister/schema': {
    'check/check-schema': 'check-schema',
    'check/patterns': 'patterns',
    'codegen/compile': 'no-code',
    dependencies: 'dependencies',
    'keywords/contains': 'late-keywords',
    'keywords/property-names': 'late-keywords',
    'keywords/unevaluated': 'late-keywords',
    'keywords/unions': 'late-keywords',
    'keywords/unique-items': 'late-keywords',
    'regexp/cost': 'pattern-cost',
    'runtime/v8': 'platform',
    'serializer/compile': 'no-code',
    tiers: 'tiers',
    'validator/acceptor-code': 'no-code',
    'validator/ajv/pool': 'ajv-pool',
    'validator/ajv/print': 'no-code',
    'validator/union-errors': 'union-errors',
    warnings: 'platform',
  },
  cloister: {
    'app/namespace': 'namespace',
    'body/exact/exact-rules': 'exact-rules',
    'boot/compile-when-idle': 'unavailable',
    bytes: 'bytes',
    dependencies: 'dependencies',
    'logging/create-pino': 'console-logger',
    'options/check-options': 'check-options',
    platform: 'platform',
    'request/items/declared-items': 'declared-items',
    'transport/create-transport': 'unavailable',
    'transport/listen-options': 'unavailable',
    'transport/fetch/open-responses': 'open-responses',
    'node:async_hooks': 'node',
    'node:diagnostics_channel': 'node',
    'node:http': 'node',
    'node:path': 'node',
    'node:stream': 'node',
    'node:url': 'node',
  },
}
