import type { Finding } from './finding.ts'
import { callOf, isFunctionNode, isNode, nameOf, nodesOf } from './syntax.ts'
import type { SyntaxNode } from './syntax.ts'

/** Code that behaves differently than on Fastify 4.x or 5.x. */
interface Difference {
  readonly code: string
  /** The row of the table in the migration guide; `null` if only its text mentions the difference. */
  readonly row: number | null
  readonly isAt: (node: SyntaxNode) => boolean
  readonly message: string
  /** Whether the alias of the migration guide removes the difference: `fastify` is `@cloister/fastify`. */
  readonly settledByAlias?: true
  /** Whether Fastify 5.x behaves as Cloister does. */
  readonly sameAs5?: true
}

const REQUEST = /^(?:req|request)$/
const isRequestMember = (node: SyntaxNode, name: string): boolean =>
  node.type === 'MemberExpression' && nameOf(node) === name && REQUEST.test(nameOf(node['object']))
const isText = (node: SyntaxNode, pattern: RegExp): boolean =>
  node.type === 'Literal' && pattern.test(nameOf(node))
const isProperty = (node: SyntaxNode, name: string): boolean =>
  node.type === 'Property' && node['computed'] !== true && nameOf(node['key']) === name
const isUndefined = (value: unknown): boolean =>
  nameOf(value) === 'undefined' ||
  (isNode(value, 'Literal') && value['value'] === null && value['raw'] === 'null')

const isFalsy = (value: unknown): boolean =>
  isNode(value, 'Literal') && ['false', '0'].includes(String(value['value']))

/** The rows of the migration guide that source code can show, and that need a change. */
const DIFFERENCES: readonly Difference[] = [
  {
    code: 'ERROR_CODE_PREFIX',
    row: 1,
    isAt: (node) =>
      isText(node, /FST_ERR_\w/) || (node.type === 'MemberExpression' && nameOf(node).startsWith('FST_ERR_')),
    message:
      "error codes begin with CLO_ERR_; replace the prefix, or give the option errorCodePrefix: 'FST_ERR_'",
    settledByAlias: true,
  },
  {
    code: 'VALIDATION_CONTEXT',
    row: 2,
    isAt: (node) => comparesWith(node, 'validationContext', 'querystring'),
    message: "error.validationContext is 'query', not 'querystring'",
  },
  {
    code: 'DATE_TIME_ZONE',
    row: 5,
    sameAs5: true,
    isAt: (node) => isProperty(node, 'format') && nameOf(node['value']) === 'date-time',
    message:
      'a date-time without a time zone is refused, as in Fastify 5.x; send a time zone, or use iso-date-time',
  },
  {
    code: 'HOSTNAME_WITHOUT_PORT',
    row: 6,
    sameAs5: true,
    isAt: (node) => isRequestMember(node, 'hostname'),
    message: 'request.hostname has no port, as in Fastify 5.x; request.host has it',
  },
  {
    code: 'PARAMS_PROTOTYPE',
    row: 7,
    sameAs5: true,
    isAt: (node) =>
      callOf(node, 'hasOwnProperty') !== null &&
      isNode(node['callee'], 'MemberExpression') &&
      nameOf(node['callee']['object']) === 'params',
    message: 'request.params has no prototype, as in Fastify 5.x; use Object.hasOwn(request.params, name)',
  },
  {
    code: 'TRUST_PROXY_HOST',
    row: 13,
    sameAs5: true,
    // Only Cloister has an object with hops and addresses.
    isAt: (node) =>
      isProperty(node, 'trustProxy') && !isNode(node['value'], 'ObjectExpression') && !isFalsy(node['value']),
    message:
      'X-Forwarded-Host of a client that trustProxy does not name is not believed, as in Fastify 5.x; name your proxies',
  },
  {
    code: 'THROWN_UNDEFINED',
    row: 14,
    isAt: (node) => (node.type === 'ThrowStatement' && isUndefined(node['argument'])) || rejectsNothing(node),
    message: 'a hook or handler that throws undefined or null ends in a 500; Fastify runs the handler',
  },
  {
    code: 'REFERENCE_DECORATOR',
    row: 18,
    sameAs5: true,
    isAt: (node) =>
      isNode(
        callOf(node, 'decorateRequest', 'decorateReply')?.[1],
        'ObjectExpression',
        'ArrayExpression',
        'NewExpression',
      ) && !isAccessor(callOf(node, 'decorateRequest', 'decorateReply')?.[1]),
    message:
      'an object would be shared by all requests and is refused, as in Fastify 5.x; decorate with null and assign in onRequest, or give a getter',
  },
  {
    code: 'SLOW_PATTERN',
    row: 29,
    isAt: (node) =>
      isProperty(node, 'pattern') &&
      isNode(node['value']) &&
      isText(
        node['value'],
        /[+*}][^\\]*\).?[+*{].*(?:\\[1-9]|\(\?<[=!])|(?:\\[1-9]|\(\?<[=!]).*[+*}]\)[+*{]/,
      ),
    message:
      'a pattern of exponential time that has a backreference or a lookbehind does not start; write it so that a text can be read in one way only',
  },
  {
    code: 'SILENT_ERROR_HANDLER',
    row: 30,
    isAt: (node) => isSilent(callOf(node, 'setErrorHandler')?.[0]),
    message: 'an async error handler that resolves to nothing ends in a 500; return or send a response',
  },
  {
    code: 'OTHER_FRAMEWORK',
    row: null,
    isAt: (node) =>
      (['ImportDeclaration', 'ImportExpression', 'ExportNamedDeclaration', 'ExportAllDeclaration'].includes(
        node.type,
      ) &&
        node['importKind'] !== 'type' &&
        nameOf(node['source']) === 'fastify') ||
      nameOf(callOf(node, 'require')?.[0]) === 'fastify',
    message:
      "'fastify' is imported: without the alias of the migration guide this is a second framework in the process; import 'cloister'",
    settledByAlias: true,
  },
  {
    code: 'TYPES_OF_OTHER_NAME',
    row: null,
    isAt: (node) => node.type === 'TSModuleDeclaration' && nameOf(node['id']) === 'fastify',
    message:
      "declarations for 'fastify' hold for the alias alone; without it write declare module 'cloister'",
    settledByAlias: true,
  },
  {
    code: 'GENERIC_SERVER',
    row: null,
    isAt: (node) =>
      node.type === 'TSTypeParameter' &&
      isNode(node['constraint']) &&
      nameOf(node['constraint']['typeName']) === 'RawServerBase',
    message: 'types that are generic over the kind of server do not follow it everywhere; name the kind',
  },
  {
    code: 'ROOT_PLUGIN_NAME',
    row: null,
    isAt: (node) => comparesWith(node, 'pluginName', 'fastify'),
    message: "app.pluginName of the root is 'root'; the option rootPluginName: 'fastify' keeps the name",
    settledByAlias: true,
  },
  {
    code: 'WRAPPED_VALIDATION_ERROR',
    row: null,
    isAt: (node) => isText(node, /wrapValidationError/),
    message: 'validation errors have no stack frames, and no wrapValidationError among them',
  },
  {
    code: 'JOI_EXTERNAL',
    row: null,
    isAt: (node) => callOf(node, 'external') !== null && isNode(node['callee'], 'MemberExpression'),
    message: 'an asynchronous rule that rejects with a plain Error is a 500; give its error statusCode: 400',
  },
]

function comparesWith(node: SyntaxNode, member: string, text: string): boolean {
  if (node.type === 'BinaryExpression') {
    const names = [nameOf(node['left']), nameOf(node['right'])]
    return names.includes(member) && names.includes(text)
  }
  const { cases } = node
  if (node.type !== 'SwitchStatement' || nameOf(node['discriminant']) !== member || !Array.isArray(cases))
    return false
  return cases.some((one) => isNode(one) && nameOf(one['test']) === text)
}

function rejectsNothing(node: SyntaxNode): boolean {
  const given = callOf(node, 'reject')
  if (given === null || !isNode(node['callee'], 'MemberExpression')) return false
  return nameOf(node['callee']['object']) === 'Promise' && (given.length === 0 || isUndefined(given[0]))
}

/** In both frameworks, an object with a getter decorates with values for each request. */
function isAccessor(value: unknown): boolean {
  if (!isNode(value, 'ObjectExpression') || !Array.isArray(value['properties'])) return false
  return value['properties'].some((one) => isNode(one) && ['getter', 'setter'].includes(nameOf(one['key'])))
}

/** Whether a function is async, returns nothing and does not use its reply. */
function isSilent(value: unknown): boolean {
  if (!isFunctionNode(value) || value['async'] !== true || !isNode(value['body'], 'BlockStatement'))
    return false
  const { params } = value
  const reply = Array.isArray(params) ? nameOf(params[2]) : ''
  for (const node of nodesOf(value['body'], (inner) => isFunctionNode(inner))) {
    if (node.type === 'ReturnStatement' && node['argument'] !== null) return false
    if (
      node.type === 'ThrowStatement' ||
      (reply !== '' && node.type === 'Identifier' && nameOf(node) === reply)
    )
      return false
  }
  return true
}

export interface SourceFile {
  readonly path: string
  readonly text: string
}

/**
 * Finds code that behaves differently than on Fastify.
 *
 * @param hasAlias - whether `fastify` is installed as an alias of Cloister
 * @param from - the version of Fastify that the code runs on; by default 4.x
 */
export async function checkDifferences(
  files: readonly SourceFile[],
  hasAlias: boolean,
  from = '4',
): Promise<Finding[]> {
  const { parseSync } = await import('oxc-parser')
  const is4 = Number.parseInt(from, 10) === 4
  const differences = DIFFERENCES.filter(
    ({ settledByAlias = false, sameAs5 = false }) => !(settledByAlias && hasAlias) && (is4 || !sameAs5),
  )
  return files.flatMap(({ path, text }) => {
    const found = new Map<string, Finding>()
    for (const node of nodesOf(parseSync(path, text).program)) {
      for (const { code, row, isAt, message } of differences) {
        if (!isAt(node)) continue
        const callSite = `${path}:${text.slice(0, node.start).split('\n').length}`
        const where = row === null ? '' : ` (row ${row} of the migration guide)`
        found.set(`${code} ${callSite}`, {
          level: 'note',
          check: 'differences',
          code,
          message: message + where,
          callSite,
        })
      }
    }
    return [...found.values()]
  })
}
