import { createApp } from './app.ts'

const address = await createApp({ token: 'change-me' }).listen({ port: Number(process.env['PORT'] ?? 3000) })
console.log(`Try: curl '${address}/v1/books?tags=maths'`)
