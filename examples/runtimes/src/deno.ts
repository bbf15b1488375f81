// deno run --allow-net --allow-env --allow-read src/deno.ts
import { createApp } from './app.ts'

/** The part of Deno that is used; Deno has the types itself. */
declare const Deno: {
  readonly env: { get(name: string): string | undefined }
  serve(
    options: { port: number; onListen: (address: { readonly port: number }) => void },
    handler: (request: Request, info: object) => Promise<Response>,
  ): object
}

const app = createApp()
Deno.serve(
  {
    port: Number(Deno.env.get('PORT') ?? 3000),
    onListen: ({ port }) => console.log(`http://127.0.0.1:${port}`),
  },
  app.fetch,
)
