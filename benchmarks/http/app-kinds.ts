/** What an application has beside its routes. Every kind is served by a process of its own. */
export const appKinds = [
  'bare',
  'tls',
  'uploads',
  'hooks',
  'logger',
  'hooks+logger',
  'plugins',
  'everything',
  'service',
] as const

/** The name of a kind of application. */
export type AppKind = (typeof appKinds)[number]

/** Whether a word given on the command line names a kind. */
export function isAppKind(word: string): word is AppKind {
  return appKinds.some((kind) => kind === word)
}

/** The parts that a kind of application has. */
export interface AppParts {
  /** connections are encrypted */
  readonly tls: boolean
  /** four hooks: two with `done`, an `async` one, and `onResponse` */
  readonly hooks: boolean
  /** a logger at its default level, whose lines go nowhere */
  readonly logger: boolean
  /** multipart bodies are read, by a published plugin */
  readonly uploads: boolean
  /** CORS, security headers and cookies, as published */
  readonly plugins: boolean
  /** a rate limit and spans, too: what a service in production has */
  readonly service: boolean
}

/** Says which parts a kind has. */
export function partsOf(kind: AppKind): AppParts {
  return {
    tls: kind === 'tls',
    uploads: kind === 'uploads',
    hooks: kind === 'hooks' || kind === 'hooks+logger' || kind === 'everything' || kind === 'service',
    logger: kind === 'logger' || kind === 'hooks+logger' || kind === 'everything' || kind === 'service',
    plugins: kind === 'plugins' || kind === 'everything' || kind === 'service',
    service: kind === 'service',
  }
}
