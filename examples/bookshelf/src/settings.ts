import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'

/** What the environment decides. */
export interface Settings {
  readonly host: string
  readonly port: number
  /** File of the database; made when it is not there. */
  readonly databaseFile: string
  /** Token of the admin context. */
  readonly adminKey: string
  readonly logLevel: string
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** Reads and checks the environment; throws an error that names the variable. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  return {
    host: env['HOST'] || '127.0.0.1',
    port: readPort(env['PORT'] || '3000'),
    databaseFile: env['BOOKSHELF_DB'] || fileURLToPath(new URL('../bookshelf.db', import.meta.url)),
    adminKey: readAdminKey(env['BOOKSHELF_ADMIN_KEY'] || randomBytes(18).toString('base64url')),
    logLevel: readLogLevel(env['LOG_LEVEL'] || 'warn'),
  }
}

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new Error(`PORT must be a number from 0 to 65535, not '${text}'`)
}

function readAdminKey(key: string): string {
  if (/^[\w\-.~+/]{12,}=*$/.test(key)) return key
  throw new Error('BOOKSHELF_ADMIN_KEY must have at least 12 characters out of A-Z a-z 0-9 - . _ ~ + / =')
}

function readLogLevel(level: string): string {
  if (LOG_LEVELS.includes(level)) return level
  throw new Error(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not '${level}'`)
}
