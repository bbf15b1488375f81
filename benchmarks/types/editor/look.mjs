// Puts the cursor at a place and compares what the editor says with what it should.

const CURSOR = '‸'

/**
 * @param {import('./editor.mjs').Editor} editor
 * @param {import('./places.mjs').Place} place
 * @returns {Promise<string>} what is wrong; empty when nothing is
 */
export async function look(editor, place) {
  const at = place.text.indexOf(CURSOR)
  if (at < 0) throw new Error(`the place '${place.name}' has no cursor`)
  await editor.open(place.text.replace(CURSOR, ''))
  if (place.says !== undefined) {
    const shown = await editor.hover(at)
    const { within = Infinity } = place
    return place.says.test(shown) && shown.length <= within
      ? ''
      : `hover says, in ${shown.length} characters, '${shown}'`
  }
  const offered = await editor.complete(at)
  const missing = (place.offers ?? []).filter((name) => !offered.includes(name))
  return missing.length === 0
    ? ''
    : `${offered.length} members are offered, ${missing.join(', ')} not among them`
}

/**
 * @param {import('./editor.mjs').Editor} editor
 * @param {import('./mistakes.mjs').Mistake} mistake
 * @returns {Promise<string>} what is wrong with the message; empty when nothing is
 */
export async function readMessage(editor, mistake) {
  await editor.open(mistake.text)
  const messages = await editor.check()
  const [message] = messages
  if (message === undefined || messages.length > 1) return `there are ${messages.length} messages and not one`
  const start = message.split('\n').slice(0, mistake.within).join('\n')
  return mistake.says.test(start) ? '' : `the message is '${message}'`
}
