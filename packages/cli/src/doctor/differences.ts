import type { Finding } from './finding.ts'

/** Code that may do something else than on Fastify 4.x or 5.x. */
interface Difference {
  readonly code: string
  /** What a line of such code has. */
  readonly pattern: RegExp
  readonly message: string
  /** Whether the alias of the migration guide settles it: `fastify` is `@cloister/fastify`. */
  readonly settledByAlias?: true
}

/** The rows of the migration guide that can be seen in source code. */
const DIFFERENCES: readonly Difference[] = [
  {
    code: 'ERROR_CODE_PREFIX',
    pattern: /FST_ERR_\w/,
    message:
      "error codes begin with CLO_ERR_; replace the prefix, or give the option errorCodePrefix: 'FST_ERR_'",
  },
  {
    code: 'VALIDATION_CONTEXT',
    pattern: /validationContext\W+['"]querystring['"]/,
    message: "error.validationContext is 'query', not 'querystring'",
  },
  {
    code: 'REQUEST_CONNECTION',
    pattern: /\b(?:req|request)\.connection\b/,
    message: 'request.connection is gone, as in Fastify 5.x; use request.socket',
  },
  {
    code: 'PARAMS_PROTOTYPE',
    pattern: /\bparams\.hasOwnProperty\(/,
    message: 'request.params has no prototype, as in Fastify 5.x; use Object.hasOwn(request.params, name)',
  },
  {
    code: 'HOSTNAME_WITHOUT_PORT',
    pattern: /\b(?:req|request)\.hostname\b/,
    message: 'request.hostname has no port, as in Fastify 5.x; request.host has it',
  },
  {
    code: 'OTHER_FRAMEWORK',
    pattern: /(?:from|require\(|import\()\s*['"]fastify['"]/,
    message:
      "'fastify' is imported: without the alias of the migration guide this is a second framework in the process; import 'cloister'",
    settledByAlias: true,
  },
  {
    code: 'TYPES_OF_OTHER_NAME',
    pattern: /declare module ['"]fastify['"]/,
    message:
      "declarations for 'fastify' hold for the alias alone; without it write declare module 'cloister'",
    settledByAlias: true,
  },
  {
    code: 'JOI_EXTERNAL',
    pattern: /\.external\(/,
    message: 'an asynchronous rule that rejects with a plain Error is a 500; give its error statusCode: 400',
  },
]

/** A file of the application. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/**
 * Finds lines that may do something else than on Fastify.
 *
 * @param hasAlias - whether `fastify` is installed as an alias of Cloister
 */
export function checkDifferences(files: readonly SourceFile[], hasAlias: boolean): Finding[] {
  const differences = DIFFERENCES.filter(({ settledByAlias }) => !(settledByAlias && hasAlias))
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      if (isComment(line)) return []
      return differences
        .filter(({ pattern }) => pattern.test(line))
        .map(({ code, message }): Finding => {
          return { level: 'note', check: 'differences', code, message, callSite: `${path}:${index + 1}` }
        })
    }),
  )
}

function isComment(line: string): boolean {
  return /^\s*(?:\/\/|\/\*|\*)/.test(line)
}
