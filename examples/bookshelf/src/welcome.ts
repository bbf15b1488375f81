import type { Settings } from './settings.ts'

/** What is printed once the app listens: address, routes, and requests to try. */
export function formatWelcome(address: string, routes: string, settings: Settings): string {
  const bearer = `-H 'Authorization: Bearer ${settings.adminKey}'`
  return `
The bookshelf responses at ${address}
and keeps its books in ${settings.databaseFile}

${routes}
Books by an author:
  curl -s '${address}/books?author=Jane%20Austen&limit=3'
A query that is not valid:
  curl -s '${address}/books?limit=lots'
The admin context, with its key:
  curl -s ${bearer} '${address}/admin/stats'
`
}
