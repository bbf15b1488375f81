// Workers have no diagnostics channels (`worker/node.ts`), so nothing subscribes to one: what publishes is left out.

const SUBSCRIBED = /\b(?:\w+Channels|initialization)\.hasSubscribers\b/g
const PUBLISHING =
  /[\\/]cloister[\\/]dist[\\/](?:app|request[\\/]intake|request[\\/]stages[\\/]call-handler)\.js$/

/** @returns {import('rolldown').Plugin} */
export function withoutChannels() {
  return {
    name: 'without-channels',
    transform(code, id) {
      if (!PUBLISHING.test(id)) return null
      if (!code.match(SUBSCRIBED)) throw new Error(`${id}: publishes on no channel; does another module now?`)
      return code.replaceAll(SUBSCRIBED, 'false')
    },
  }
}
