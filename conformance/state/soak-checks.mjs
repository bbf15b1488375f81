// What `soak.mjs` counts, and what it checks at its end, against what the store has.

/** Counts what was done, and what went wrong. */
export function newTally() {
  /** @type {Record<string, number>} */
  const did = {}
  /** @type {Record<string, number>} */
  const wrong = {
    'messages lost': 0,
    'messages doubled or out of order': 0,
    'gaps without a loss': 0,
    'published, and not stored': 0,
    'effects twice': 0,
    'responses that differ': 0,
    'responses of a stranger': 0,
    'wrong statuses': 0,
    'sessions lost or of a stranger': 0,
    'more than the limit': 0,
  }
  /** @type {string[]} */
  const notes = []
  return {
    did,
    wrong,
    notes,
    count: (name, by = 1) => void (did[name] = (did[name] ?? 0) + by),
    fault: (name, note) => {
      wrong[name] += 1
      if (notes.length < 20) notes.push(`${name}: ${note}`)
    },
  }
}

/** The numbers in the log of a topic, of which each belongs to one topic. */
export async function logOf(redis, keys, key) {
  for (const name of await redis.keys('cloister:log:*')) {
    const entries = await redis.xrange(name, '-', '+')
    const numbers = entries.map(([, fields]) => JSON.parse(fields[1]).n)
    if (keys[numbers[0] % keys.length] === key) return numbers
  }
  return []
}

/** Each subscriber must have the whole log, in its order. */
export async function checkTopics({ redis, keys, confirmed, subscribers, count, fault }) {
  for (const key of keys) {
    const stored = await logOf(redis, keys, key)
    count('messages', stored.length)
    const place = new Map(stored.map((n, index) => [n, index]))
    if (place.size < stored.length) fault('messages doubled or out of order', `in the log of ${key}`)
    for (const n of confirmed.get(key)) if (!place.has(n)) fault('published, and not stored', `${key} ${n}`)
    for (const { received } of subscribers.filter((one) => one.key === key)) {
      count('deliveries', received.length)
      const got = new Set(received)
      for (const n of stored) if (!got.has(n)) fault('messages lost', `${key} ${n}`)
      received.forEach((n, index) => {
        const isLater = index === 0 || place.get(n) > place.get(received[index - 1])
        if (!isLater) fault('messages doubled or out of order', `${key}: ${n}`)
      })
    }
  }
}

/** Each caller and key has one effect, but for a process that was killed between the effect and its record. */
export async function checkEffects({ redis, killed, responded, count, fault }) {
  /** @type {Map<string, { effect: number, pid: number }[]>} */
  const byName = new Map()
  const effects = (await redis.lrange('effects', 0, -1)).map((text) => JSON.parse(text))
  effects.forEach(({ caller, key, pid }, index) => {
    const name = `${caller} ${key}`
    byName.set(name, [...(byName.get(name) ?? []), { effect: index + 1, pid }])
  })
  count('effects', effects.length)
  for (const [name, all] of byName)
    for (const { effect, pid } of all.slice(0, -1)) {
      const hasDied = killed.has(pid) && responded.get(name) !== effect
      if (hasDied) count('effects of a process killed before it stored them')
      else fault('effects twice', `${name}: ${effect}`)
    }
}
