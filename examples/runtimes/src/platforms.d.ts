// The parts of the run times that are used here; projects on Bun have `@types/bun`, and Deno has its types itself.

declare const Bun: {
  serve(options: { port: number; fetch: (request: Request, server: object) => Promise<Response> }): {
    readonly port: number
  }
}

declare const Deno: {
  readonly env: { get(name: string): string | undefined }
  serve(
    options: { port: number; onListen: (address: { readonly port: number }) => void },
    handler: (request: Request, info: object) => Promise<Response>,
  ): object
}

declare module 'bun:sqlite' {
  export const Database: new (file: string) => import('./users.ts').SqliteDatabase
}

declare module 'node:sqlite' {
  export const DatabaseSync: new (file: string) => import('./users.ts').SqliteDatabase
}
