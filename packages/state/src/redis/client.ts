import { StateError } from '../errors.ts'
import type { Listeners, Subscriber } from '../waking.ts'
import type { Script } from './scripts.ts'
import type { IoredisClient, NodeRedisClient, RedisClient } from './types.ts'

/** Runs a script by its hash through the client of the app; sends its text if the store does not have it. */
export async function runScript(
  client: RedisClient,
  { text, hash }: Script,
  key: string,
  ...args: readonly string[]
): Promise<unknown> {
  const send = (command: string, script: string): Promise<unknown> => {
    const rest = [script, '1', key, ...args]
    return 'call' in client ? client.call(command, ...rest) : client.sendCommand([command, ...rest])
  }
  try {
    return await send('EVALSHA', hash)
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
    return send('EVAL', text)
  }
}

/** Opens a second connection of the client's kind, which hears of messages. */
export function subscriberOf(client: RedisClient, listeners: Listeners): Promise<Subscriber> {
  return 'call' in client ? ofIoredis(client, listeners) : ofNodeRedis(client, listeners)
}

async function ofIoredis(client: IoredisClient, { wake, wakeAll }: Listeners): Promise<Subscriber> {
  const subscriber = client.duplicate({ enableOfflineQueue: true, autoResubscribe: true })
  subscriber.on('message', wake)
  subscriber.on('ready', wakeAll)
  // A broken connection fails the operations of the app's client, which report it.
  subscriber.on('error', () => {})
  return subscriber
}

async function ofNodeRedis(client: NodeRedisClient, { wake, wakeAll }: Listeners): Promise<Subscriber> {
  const subscriber = client.duplicate()
  subscriber.on('ready', wakeAll)
  subscriber.on('error', () => {})
  await subscriber.connect()
  return {
    subscribe: (channel) => subscriber.subscribe(channel, () => wake(channel)),
    unsubscribe: (channel) => subscriber.unsubscribe(channel),
    disconnect: () => void (subscriber.destroy ?? subscriber.disconnect)?.call(subscriber),
  }
}

/** @throws StateError `CLO_ERR_STATE_OPTION` for an object that is no client */
export function assertClient(client: unknown): asserts client is RedisClient {
  const isClient =
    typeof client === 'object' && client !== null && ('call' in client || 'sendCommand' in client)
  if (isClient) return
  throw new StateError('CLO_ERR_STATE_OPTION', "redisState needs a client of 'ioredis' or 'redis'")
}
