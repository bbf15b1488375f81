// One script is one atomic operation of Redis. Each uses one key, so that it also runs on a cluster.
import { createHash } from 'node:crypto'

/** A script, and the hash by which Redis knows it. */
export interface Script {
  readonly text: string
  readonly hash: string
}

const scriptOf = (text: string): Script => ({ text, hash: createHash('sha1').update(text).digest('hex') })

/** KEYS: value. Returns the value and the version, or nothing. */
export const GET: Script = scriptOf(`
local found = redis.call('HMGET', KEYS[1], 'value', 'version')
if not found[1] then return false end
return found`)

/** KEYS: value. ARGV: value, new version, ttl, condition ('' for none, 'absent', or '=' and a version). */
export const PUT: Script = scriptOf(`
if ARGV[4] ~= '' then
  local version = redis.call('HGET', KEYS[1], 'version')
  if ARGV[4] == 'absent' then
    if version then return 0 end
  elseif not version or '=' .. version ~= ARGV[4] then return 0 end
end
redis.call('HSET', KEYS[1], 'value', ARGV[1], 'version', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`)

/** KEYS: value. ARGV: version, or nothing for any. */
export const DELETE: Script = scriptOf(`
if ARGV[1] and redis.call('HGET', KEYS[1], 'version') ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`)

/** KEYS: limit. ARGV: cost, max, period. Returns whether it was taken, when all is free again, and the time. */
export const TAKE: Script = scriptOf(`
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local cost, max, per = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local from = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now)
local freeAt = from + cost * per / max
local allowed = freeAt - now - per <= per / max / 1000
if not allowed then freeAt = from end
local text = string.format('%.3f', freeAt)
if allowed then redis.call('SET', KEYS[1], text, 'PX', math.max(1, math.ceil(freeAt - now))) end
return { allowed and 1 or 0, text, string.format('%.3f', now) }`)

/** Lua: the id of the newest entry of a log; `nil` if the log does not exist. Ids of the log have no holes. */
const HEAD = `
local function head(log)
  if redis.call('EXISTS', log) == 0 then return nil end
  local info = redis.call('XINFO', 'STREAM', log)
  for i = 1, #info, 2 do if info[i] == 'last-generated-id' then return info[i + 1] end end
end`

/**
 * Lua: which history of the store this is. A replica that was promoted, and a server that was started again, has another
 * one, and may have lost its last entries. Empty if the store does not tell.
 */
const HISTORY = `
local function history()
  local info = redis.pcall('INFO', 'replication')
  return type(info) == 'string' and string.match(info, 'master_replid:(%x+)') or ''
end`

/**
 * KEYS: log. ARGV: value, count, milliseconds, channel. Returns the id. In another history than that of the newest entry
 * a log begins anew: entries may be lost, and an id would name two of them.
 */
export const APPEND: Script = scriptOf(`${HEAD}${HISTORY}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local last = head(KEYS[1])
local by = history()
local id = string.format('%d-1', now)
if last then
  local epoch, number = string.match(last, '(%d+)-(%d+)')
  local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
  if not newest or newest[2][6] ~= by then
    epoch = string.format('%d', math.max(now, epoch + 1))
    redis.call('XTRIM', KEYS[1], 'MAXLEN', 0)
  end
  id = epoch .. '-' .. string.format('%d', number + 1)
end
redis.call('XADD', KEYS[1], 'MAXLEN', ARGV[2], id, 'value', ARGV[1], 'at', string.format('%d', now), 'by', by)
for _ = 1, 100 do
  local oldest = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
  if oldest[2][4] + ARGV[3] > now then break end
  redis.call('XDEL', KEYS[1], oldest[1])
end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('PUBLISH', ARGV[4], '')
return id`)

/**
 * KEYS: log. ARGV: most entries, and the epoch and number of the cursor, if there is one. Returns the newest id, the
 * oldest kept one or '', and the entries; of a log that does not exist, nothing.
 */
export const READ: Script = scriptOf(`${HEAD}
local last = head(KEYS[1])
if not last then return false end
local epoch, number = string.match(last, '(%d+)-(%d+)')
local from = '-'
if ARGV[2] == epoch and tonumber(ARGV[3]) <= tonumber(number) then from = '(' .. ARGV[2] .. '-' .. ARGV[3] end
local oldest = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
return { last, oldest and oldest[1] or '', redis.call('XRANGE', KEYS[1], from, '+', 'COUNT', ARGV[1]) }`)
