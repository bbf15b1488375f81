// deno run --allow-net --allow-env --allow-read --allow-write src/deno.ts
import { DatabaseSync } from 'node:sqlite'
import { createApp, keepIn } from './app.ts'
import { sqliteUsers } from './users.ts'

const users = sqliteUsers(new DatabaseSync(Deno.env.get('USERS_DB') ?? ':memory:'))
const app = createApp(keepIn(users))
Deno.serve(
  {
    port: Number(Deno.env.get('PORT') ?? 3000),
    onListen: ({ port }) => console.log(`http://127.0.0.1:${port}`),
  },
  app.fetch,
)
