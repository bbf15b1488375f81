// The build for workers: the same modules as every build, but for these. A worker has no server, no file system and no
// code made of text, and its platform need not have the modules of Node. Nothing in the sources asks where it runs.

/**
 * By package: a module below `src`, or one of Node, and the module of the folder `worker` that takes its part.
 *
 * @type {Readonly<Record<string, Readonly<Record<string, string>>>>}
 */
export const WORKER_MODULES = {
  '@cloister/schema': {
    'codegen/compile': 'no-code',
    dependencies: 'dependencies',
    'regexp/cost': 'pattern-cost',
    'runtime/v8': 'platform',
    'serializer/compile': 'no-code',
    tiers: 'tiers',
    'validator/acceptor-code': 'no-code',
    'validator/ajv/pool': 'ajv-pool',
    warnings: 'platform',
  },
  cloister: {
    'boot/compile-when-idle': 'compile-when-idle',
    bytes: 'bytes',
    dependencies: 'dependencies',
    'logging/create-pino': 'console-logger',
    platform: 'platform',
    'sockets/define-socket': 'define-socket',
    'transport/create-transport': 'create-transport',
    'transport/fetch/open-responses': 'open-responses',
    'node:async_hooks': 'node',
    'node:diagnostics_channel': 'node',
    'node:http': 'node',
    'node:path': 'node',
    'node:stream': 'node',
    'node:url': 'node',
  },
}
