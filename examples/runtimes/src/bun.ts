// bun src/bun.ts
import { Database } from 'bun:sqlite'
import { createApp, keepIn } from './app.ts'
import { sqliteUsers } from './users.ts'

const users = sqliteUsers(new Database(process.env['USERS_DB'] ?? ':memory:'))
const app = createApp(keepIn(users))
const server = Bun.serve({ port: Number(process.env['PORT'] ?? 3000), fetch: app.fetch })
console.log(`http://127.0.0.1:${server.port}`)
