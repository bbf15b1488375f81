// bun src/bun.ts
import { createApp } from './app.ts'

/** The part of Bun that is used; projects on Bun have `@types/bun`. */
declare const Bun: {
  serve(options: { port: number; fetch: (request: Request, server: object) => Promise<Response> }): {
    readonly port: number
    stop(): Promise<void>
  }
}

const app = createApp()
const server = Bun.serve({ port: Number(process.env['PORT'] ?? 3000), fetch: app.fetch })
console.log(`http://127.0.0.1:${server.port}`)
