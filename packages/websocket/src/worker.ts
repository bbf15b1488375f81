// The entry for workers, which have no Node and need no `ws`.
import 'cloister/features/upgrades'
import type { DefinedPlugin } from 'cloister'
import { createPlugin, type WebSocketContract } from './plugin.ts'

export const websocket: DefinedPlugin<WebSocketContract> = createPlugin(null)
export { bunWebSocket } from './platforms/bun.ts'
export { WebSocketError } from './errors.ts'
