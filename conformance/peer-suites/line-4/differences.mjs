// Failures that stand, with their reasons. The reasons are texts of a table, so that the scoreboard groups them.

const WARNINGS = 'Cloister writes no process warnings'
const PRIVATE = 'reads private fields or replaces private modules of the peer'
const BYTES = 'refused requests get the fields `Date` and `Connection`; the socket is ended, not cut'
const DISCARDED = 'a stream whose content is not sent is destroyed, not drained'
const READY = 'callbacks of `ready` run after all `onReady` hooks, which are sealed off from registration'
const DEADLINE = 'the error of a plugin that hangs is our own: path, place, what it waits for'

/** Tests told by their whole names, which would keep those after them from running.
 * @param {string} file @param {string} reason @param {...string} tests */
const endless = (file, reason, ...tests) => ({ file: `${file}.test.js`, reason, tests, neverEnds: true })

const json = ['params', 'headers', 'body', 'querystring']
const parts = ['headers', 'body', 'query', 'params']

/** @type {readonly import('../lib/differences.mjs').Difference[]} */
export const differences = [
  endless(
    'json-shorthand',
    WARNINGS,
    ...json.map((part) => `use of deprecated json shorthand in ${part} should warn`),
  ),
  endless('reply-trailers', WARNINGS, 'should emit deprecation warning when using direct return'),
  endless(
    'schema-feature',
    WARNINGS,
    ...parts.map((part) => `Should emit warning if the schema ${part} is undefined`),
    'Should emit a warning for every route with undefined schema',
  ),
  endless('diagnostics-channel', PRIVATE, 'diagnostics_channel when present and subscribers'),
  endless('hooks.on-listen', PRIVATE, 'onListen hooks do not block /1', 'onListen hooks do not block /2'),
  endless('hooks.on-ready', READY, 'onReady can not add decorators or application hooks'),
  endless('plugin.4', DEADLINE, 'pluginTimeout default'),
  endless('reply-code', DISCARDED, 'code should handle 204'),
  endless('route.7', DISCARDED, "HEAD route should handle stream.on('error')"),
  endless(
    'reply-error',
    '`send` throws nothing that a handler would have to catch: a payload without a serializer is a 500',
    "'*' should throw an error due to serializer can not handle the payload type",
    'should throw an error if the custom serializer does not serialize the payload to a valid type',
  ),
  endless('request-error', BYTES, 'default clientError handler destroys sockets in writable state'),
]
