import { isRecord, McpError } from './errors.ts'
import type { McpErrorCode } from './errors.ts'
import type { McpAuthorization, McpOptions, McpTool } from './types.ts'

/** The options with their defaults. */
export interface Settings extends Required<
  Omit<McpOptions, 'instructions' | 'authorization' | 'toJsonSchema'>
> {
  readonly authorization: McpOptions['authorization']
  readonly instructions: string | undefined
  readonly toJsonSchema: McpOptions['toJsonSchema']
}

interface Wanted {
  readonly text: string
  readonly accepts: (value: unknown) => boolean
}

const isText = (value: unknown): value is string => typeof value === 'string'
const text: Wanted = { text: 'a string', accepts: isText }
const isOrigin = (value: unknown): boolean =>
  isText(value) && URL.canParse(value) && new URL(value).origin === value

const isResource = (value: unknown): boolean =>
  isText(value) && URL.canParse(value) && /^https?:/.test(value) && !/[#?]/.test(value)
const AUTHORIZATION: Readonly<Record<keyof McpAuthorization, (value: unknown) => boolean>> = {
  resource: isResource,
  authorizationServers: (value) => Array.isArray(value) && value.length > 0 && value.every(isResource),
  verify: (value) => typeof value === 'function',
  listAdmitted: (value) => value === undefined || typeof value === 'boolean',
}

const OPTIONS: Readonly<Record<keyof McpOptions, Wanted>> = {
  path: { text: "a path that begins with '/'", accepts: (value) => isText(value) && value.startsWith('/') },
  info: {
    text: "an object with the strings name and version, as in { name: 'books', version: '1.0.0' }",
    accepts: (value) => isRecord(value) && isText(value['name']) && isText(value['version']),
  },
  instructions: text,
  allowedOrigins: {
    text: "a list of origins, as in ['https://chat.example.com']",
    accepts: (value) => Array.isArray(value) && value.every(isOrigin),
  },
  payloadLimit: {
    text: 'a number of bytes above 0',
    accepts: (value) => Number.isSafeInteger(value) && Number(value) > 0,
  },
  authorization: {
    text: "an object with resource (an absolute URL), authorizationServers (a list of URLs), verify (a function) and perhaps listAdmitted, as in { resource: 'https://books.example.com/mcp', authorizationServers: ['https://login.example.com'], verify }",
    accepts: (value) =>
      isRecord(value) &&
      Object.keys(value).every((name) => Object.hasOwn(AUTHORIZATION, name)) &&
      Object.entries(AUTHORIZATION).every(([name, accepts]) => accepts(value[name])),
  },
  toJsonSchema: { text: 'a function', accepts: (value) => typeof value === 'function' },
}

const TOOL: Readonly<Record<keyof McpTool, Wanted>> = {
  as: {
    text: "'tool', 'resource' or 'both'",
    accepts: (value) => value === 'tool' || value === 'resource' || value === 'both',
  },
  name: {
    text: 'at most 128 letters, digits, _, - and .',
    accepts: (value) => isText(value) && /^[\w.-]{1,128}$/.test(value),
  },
  title: text,
  description: text,
  annotations: { text: 'an object', accepts: isRecord },
  confirm: {
    text: 'true, false or a question',
    accepts: (value) => typeof value === 'boolean' || (isText(value) && value !== ''),
  },
}

/** @throws McpError `CLO_ERR_MCP_OPTION` */
export function checkOptions(given: McpOptions): Settings {
  check(given, OPTIONS, 'CLO_ERR_MCP_OPTION', 'options of @cloister/mcp')
  return {
    path: given.path ?? '/mcp',
    info: given.info ?? { name: 'cloister', version: '0.0.0' },
    allowedOrigins: given.allowedOrigins ?? [],
    payloadLimit: given.payloadLimit ?? 1_048_576,
    instructions: given.instructions,
    authorization: given.authorization,
    toJsonSchema: given.toJsonSchema,
  }
}

/**
 * Reads the option `mcp` of a route; returns null for a route without it.
 *
 * @param route - its name in messages
 * @throws McpError `CLO_ERR_MCP_ROUTE`
 */
export function checkTool(given: unknown, route: string): McpTool | null {
  if (given === undefined || given === false) return null
  if (given === true) return {}
  check(given, TOOL, 'CLO_ERR_MCP_ROUTE', `${route}: mcp`)
  return isRecord(given) ? given : {}
}

function check(
  given: unknown,
  table: Readonly<Record<string, Wanted>>,
  code: McpErrorCode,
  where: string,
): void {
  if (!isRecord(given))
    throw new McpError(code, `${where} must be true, or an object with name and description`)
  for (const [name, value] of Object.entries(given)) {
    const wanted = Object.hasOwn(table, name) ? table[name] : undefined
    if (wanted === undefined) {
      throw new McpError(code, `${where}: there is no '${name}', but ${Object.keys(table).join(', ')}`)
    }
    if (value !== undefined && !wanted.accepts(value)) {
      throw new McpError(code, `${where}: ${name} must be ${wanted.text}`)
    }
  }
}
