export { memoryState } from './memory.ts'
export type { MemoryStateOptions } from './memory.ts'
export { redisState } from './redis/state.ts'
export type { RedisStateOptions } from './redis/state.ts'
export type {
  IoredisClient,
  IoredisSubscriber,
  NodeRedisClient,
  NodeRedisSubscriber,
  RedisClient,
} from './redis/client.ts'
export { postgresState } from './postgres/state.ts'
export type { PostgresStateOptions } from './postgres/state.ts'
export { postgresTables } from './postgres/tables.ts'
export type { PostgresConnection, PostgresPool, PostgresResult } from './postgres/client.ts'
export { guardState } from './guarded-state.ts'
export { LOG_START } from './cursor.ts'
export { StateError } from './errors.ts'
export type { StateErrorCode } from './errors.ts'
export type * from './types.ts'
export { idempotency } from './idempotency/plugin.ts'
export type { IdempotencyContract } from './idempotency/plugin.ts'
export type { IdempotencyOptions, IdempotencyParts, IdempotencyScope } from './idempotency/options.ts'
export { IdempotencyOptionError, IdempotencyRefusal } from './idempotency/errors.ts'
export type { IdempotencyOptionCode, IdempotencyRefusalCode } from './idempotency/errors.ts'
export { rateLimitStore, sessionStore } from './stores.ts'
export type {
  RateLimitStore,
  RateLimitUse,
  SessionStore,
  SessionStoreOptions,
  StoreCallback,
} from './stores.ts'
export { sharedCache } from './cache.ts'
export type { SharedCache, SharedCacheOptions } from './cache.ts'
