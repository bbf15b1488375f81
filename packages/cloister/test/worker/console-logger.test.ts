import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { createPino } from '../../src/worker/console-logger.ts'

type Log = Record<'info' | 'error' | 'warn' | 'debug' | 'trace' | 'fatal', (...args: unknown[]) => void> & {
  level: string
  child(bindings: object, options?: object): Log
  setBindings(bindings: object): void
  isLevelEnabled(level: string): boolean
}

const pinoOf = (options: object, stream: { write(line: string): void }): Log =>
  pino({ base: {}, ...options }, stream)
const ownOf = (options: object, stream: { write(line: string): void }): Log =>
  createPino({ ...options, stream })

/** The lines that a use of a logger writes, without what differs by the moment. */
function linesOf(
  make: (options: object, stream: { write(line: string): void }) => Log,
  options: object,
  use: (log: Log) => void,
): unknown[] {
  const lines: unknown[] = []
  const stream = {
    write: (line: string) => void lines.push({ ...JSON.parse(line), time: typeof JSON.parse(line).time }),
  }
  use(make(options, stream))
  return lines
}

const circle: Record<string, unknown> = { a: 1 }
circle['self'] = circle
const failed = new Error('no disk')

const USES: readonly (readonly [what: string, options: object, use: (log: Log) => void])[] = [
  ['a message', {}, (log) => log.info('hello')],
  ['values in a message', {}, (log) => log.info('%s has %d and %j 100%%', 'ada', 7, { a: 1 })],
  ['a message without values', {}, (log) => log.info('100%% of %s')],
  ['an object and a message', {}, (log) => log.warn({ a: 1, b: [2] }, 'with %s', 'fields')],
  ['an object alone', {}, (log) => log.info({ a: 1 })],
  ['nothing and a message', {}, (log) => log.info(null, 'about nothing')],
  ['fields that are undefined', {}, (log) => log.info({ a: undefined, b: 1 })],
  ['a level that is too low', { level: 'warn' }, (log) => log.info('unseen')],
  [
    'a level that is changed',
    {},
    (log) => {
      log.level = 'debug'
      log.debug('seen')
    },
  ],
  ['no line at all', { enabled: false }, (log) => log.fatal('unseen')],
  ['the level silent', { level: 'silent' }, (log) => log.fatal('unseen')],
  ['bindings of children', {}, (log) => log.child({ a: 1 }).child({ b: 2 }).info('x')],
  [
    'bindings that are set later',
    {},
    (log) => {
      log.setBindings({ a: 1 })
      log.info('x')
    },
  ],
  [
    'the level of a child',
    {},
    (log) => {
      const child = log.child({}, { level: 'error' })
      child.info('no')
      child.error('yes')
      log.info('yes')
    },
  ],
  [
    'serializers',
    { serializers: { user: ({ id }: { id: number }) => id } },
    (log) => log.info({ user: { id: 7 } }, 'x'),
  ],
  [
    'serializers of a child',
    { serializers: { a: () => 'root' } },
    (log) => log.child({ b: 1 }, { serializers: { b: () => 'child' } }).info({ a: 1 }),
  ],
  ['a name', { name: 'app' }, (log) => log.info('x')],
  ['a prefix of messages', { msgPrefix: '[a] ' }, (log) => log.child({}, { msgPrefix: '[b] ' }).info('x')],
  [
    'other keys',
    { messageKey: 'message', errorKey: 'error', serializers: { error: ({ message }: Error) => message } },
    (log) => log.error(failed),
  ],
  ['a time of its own', { timestamp: () => ',"at":"noon"' }, (log) => log.info('x')],
  ['no time', { timestamp: false }, (log) => log.info('x')],
  [
    'labels for levels',
    { formatters: { level: (label: string) => ({ level: label }) } },
    (log) => log.warn('x'),
  ],
  [
    'changed fields',
    { formatters: { log: (fields: object) => ({ ...fields, more: 1 }) } },
    (log) => log.warn({ a: 1 }, 'x'),
  ],
]

describe('the logger of workers', () => {
  it.each(USES)('writes %s as pino does', (_what, options, use) => {
    expect(linesOf(ownOf, options, use)).toEqual(linesOf(pinoOf, options, use))
  })

  it.each([
    ['alone', (log: Log) => log.error(failed)],
    ['with a message', (log: Log) => log.error(failed, 'cannot save')],
    ['in a field', (log: Log) => log.error({ err: failed })],
  ] as const)('gives an error %s to its serializer', (_what, use) => {
    const options = { serializers: { err: ({ message }: Error) => `error: ${message}` } }
    const lines = linesOf(ownOf, options, use)
    expect(lines).toEqual(linesOf(pinoOf, options, use))
    expect(lines).toMatchObject([{ err: 'error: no disk' }])
  })

  it('writes the other fields of a line with a value that JSON does not have', () => {
    const lines = linesOf(ownOf, {}, (log) => log.info({ circle, big: 1n, a: 1 }, 'x'))
    expect(lines).toMatchObject([
      { circle: '[object without a text in JSON]', big: '[bigint without a text in JSON]', a: 1, msg: 'x' },
    ])
  })

  it.each(['redact', 'transport', 'mixin', 'customLevels', 'file'])(
    'refuses the option %s, which it does not have',
    (name) => {
      expect(() => createPino({ [name]: ['password'] })).toThrow(
        expect.objectContaining({
          code: 'CLO_ERR_LOG_OPTION_UNAVAILABLE',
          message: expect.stringContaining(`logger.${name} is not available`),
        }),
      )
    },
  )

  it('refuses a level that there is not', () => {
    expect(() => createPino({ level: 'loud' })).toThrow(RangeError)
  })
})
