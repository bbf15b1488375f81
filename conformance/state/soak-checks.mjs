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

/** The place of an event in its log, of which the ids have no holes. @param {string} id */
function placeOf(id) {
  const [, epoch, number] = /\.(\d+)-(\d+)$/.exec(id) ?? []
  return { epoch: Number(epoch), number: Number(number) }
}

/**
 * Each subscriber must have the whole log, in its order. Between two messages without a gap, none may be missing.
 *
 * @param mayLose - whether the store may begin a log anew, which gives a gap
 */
export function checkTopics({ confirmed, subscribers, mayLose, count, fault }) {
  for (const [key, published] of confirmed) {
    count('messages', published.size)
    const last = [...published.keys()]
      .map(placeOf)
      .reduce((one, other) => (isBehind(one, other) ? other : one))
    for (const { received } of subscribers.filter((one) => one.key === key)) {
      let place = null
      for (const one of received) {
        if (one === null) count('gaps')
        if (one === null && !mayLose) fault('gaps without a loss', key)
        if (one === null) place = null
        if (one === null) continue
        count('deliveries')
        const next = placeOf(one.id)
        const expected = place === null ? next.number : place.number + 1
        if (place !== null && next.epoch !== place.epoch) fault('messages lost', `${key}: a log began anew`)
        else if (next.number > expected) fault('messages lost', `${key}: ${expected} to ${next.number}`)
        else if (next.number < expected) fault('messages doubled or out of order', `${key}: ${one.n}`)
        place = next
      }
      checkConfirmed({ key, published, received, mayLose, fault })
      const end = received.at(-1)
      if (end !== null && (end === undefined || isBehind(placeOf(end.id), last)))
        fault('messages lost', `${key}: the end`)
    }
  }
}

const isBehind = (one, other) =>
  one.epoch < other.epoch || (one.epoch === other.epoch && one.number < other.number)

/** What was confirmed was received as it was sent, once, or its log was lost. */
function checkConfirmed({ key, published, received, mayLose, fault }) {
  const messages = received.filter((one) => one !== null)
  const numberOf = new Map(messages.map(({ id, n }) => [id, n]))
  if (new Set(messages.map(({ n }) => n)).size < messages.length)
    fault('messages doubled or out of order', `${key}: a message came twice`)
  for (const [id, n] of published) {
    const got = numberOf.get(id)
    if (got === undefined ? !mayLose : got !== n) fault('published, and not stored', `${key} ${n}: ${got}`)
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
