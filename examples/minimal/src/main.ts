import { createApp } from './app.ts'

const address = await createApp().listen({ port: Number(process.env['PORT'] ?? 3000) })
console.log(`Try: curl '${address}/hello/world?times=2'`)
