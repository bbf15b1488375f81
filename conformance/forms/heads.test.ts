// Heads of the parts of a form: all of them are read, or the form is refused (RFC 7578, RFC 2046 section 5.1.1).
import * as fc from 'fast-check'
import type { Request } from '../harness/app-shape.ts'
import { describeTransports } from '../harness/transports.ts'
import type { TransportName } from '../harness/transports.ts'
import { BOUNDARY, FORM_TYPE } from './form-body.ts'

const ALL: readonly TransportName[] = ['in-process', 'socket', 'http2', 'memory', 'fetch']
const DISPOSITION = 'Content-Disposition: form-data; name="note"'
const extra = (count: number): string[] => Array.from({ length: count }, (_, n) => `X-${n}: 1`)

/** Heads that are refused, with the rule. Each is a list of lines. */
const REFUSED: readonly (readonly [rule: string, lines: readonly string[]])[] = [
  ["part 2 ('note') has more than 32 header fields", [...extra(32), DISPOSITION]],
  ["part 2 ('note') has more than 32 header fields", [DISPOSITION, ...extra(40)]],
  ["part 2 ('note') has a head of more than 16384 bytes", [DISPOSITION, `X: ${'a'.repeat(17_000)}`]],
  ['part 2 has a head of more than 16384 bytes', [`X: ${'a'.repeat(70_000)}`, DISPOSITION]],
  ['part 2 has no Content-Disposition', ['Content-Type: text/plain']],
  ['part 2 has no Content-Disposition', []],
  ["part 2 ('note') has more than one Content-Disposition", [DISPOSITION, DISPOSITION]],
  ["part 2 ('note') has more than one Content-Type", [DISPOSITION, 'Content-Type: a/b', 'Content-Type: a/c']],
  [
    "part 2 ('note') has another Content-Disposition than form-data",
    ['Content-Disposition: attachment; name="note"'],
  ],
  ["part 2 ('note') has another Content-Disposition than form-data", ['Content-Disposition: ; name="note"']],
  ['part 2 has no name', ['Content-Disposition: form-data']],
  ['part 2 has no name', ['Content-Disposition: form-data; filename="a; name=b"']],
  ["part 2 ('note') has more than one name", [`${DISPOSITION}; name="other"`]],
  ['part 2 has a line end in its name', ["Content-Disposition: form-data; name*=utf-8''a%0Ab"]],
  [
    "part 2 ('note') has a blank before the colon of a header field",
    ['Content-Disposition : form-data; name="note"'],
  ],
  ["part 2 ('note') has a line in its head that is no header field", ['garbage', DISPOSITION]],
  ["part 2 ('note') has a line in its head that is no header field", [DISPOSITION, ': empty']],
  ["part 2 ('note') has a line that ends with LF or CR alone, not CRLF", [`X: 1\n${DISPOSITION}`]],
  ["part 2 ('note') has a line that ends with LF or CR alone, not CRLF", [`X: 1\r${DISPOSITION}`]],
]

const HEAD_FIELDS = [
  'Content-Type: text/plain',
  'content-transfer-encoding: 8bit',
  'X-Folded: a\r\n b',
  'X-Empty:',
  'X!: "quoted: \\" value"',
]

const part = (head: string, value: string): string => `--${BOUNDARY}\r\n${head}\r\n\r\n${value}\r\n`

describeTransports(
  'heads of the parts of a form',
  ({ createApp, send, ours, expect }) => {
    const test = ours('fastify needs plugins for forms')
    const formApp = () => {
      const schema = { type: 'object', additionalProperties: true }
      const body = { content: { 'multipart/form-data': { schema } } }
      return createApp().post('/', { schema: { body } }, async (request: Request) => ({
        ...Object(request.body),
      }))
    }
    const post = async (app: ReturnType<typeof formApp>, body: string) => {
      const headers = { 'content-type': FORM_TYPE }
      const response = await send(app, { method: 'POST', path: '/', headers, body })
      return { status: response.status, json: response.json() }
    }
    const first = part('Content-Disposition: form-data; name="a"', '1')
    const end = `--${BOUNDARY}--\r\n`

    test('a field in another charset than UTF-8 is refused by bodyText, and so are several charsets', async () => {
      const schema = { type: 'object', additionalProperties: true }
      const body = { content: { 'multipart/form-data': { schema } } }
      const app = createApp({ bodyText: 'utf-8' })
      app.post('/', { schema: { body } }, async (request: Request) => ({ ...Object(request.body) }))
      for (const [charset, status] of [
        ['utf-8', 200],
        ['"UTF-8"', 200],
        ['iso-8859-1', 400],
        ['windows-1252', 400],
        ['unknown', 400],
        ['iso-8859-1; charset=utf-8', 400],
      ] as const) {
        const field = part(`${DISPOSITION}\r\nContent-Type: text/plain; charset=${charset}`, 'x')
        const response = await post(app, first + field + end)
        expect([charset, response.status]).toEqual([charset, status])
        if (status === 400)
          expect(response.json).toMatchObject({
            message: expect.stringMatching(/the field 'note' has the charset/),
          })
      }
    })
    const refusal = (rule: string) => ({
      status: 400,
      json: expect.objectContaining({
        code: 'CLO_ERR_FORM_INVALID',
        message: `The form is not valid: ${rule}`,
      }),
    })

    test('are refused with number, name and rule, where the part would be lost', async () => {
      const app = formApp()
      for (const [rule, lines] of REFUSED) {
        const head = lines.length === 0 ? '' : lines.join('\r\n')
        const text = lines.length === 0 ? `--${BOUNDARY}\r\n\r\nvalue\r\n` : part(head, 'value')
        expect(await post(app, first + text + end)).toEqual(refusal(rule))
      }
    })

    test('are refused if they have no end', async () => {
      const app = formApp()
      const lines = [
        [`${DISPOSITION}\n\nvalue`, "part 2 ('note') has a line that ends with LF alone, not CRLF"],
        [DISPOSITION, "part 2 ('note') has no empty line behind its head"],
        [`${DISPOSITION}\r\n`, "part 2 ('note') has no empty line behind its head"],
      ] as const
      for (const [text, rule] of lines)
        expect(await post(app, `${first}--${BOUNDARY}\r\n${text}\r\n${end}`)).toEqual(refusal(rule))
      const bare = `--${BOUNDARY}\n${DISPOSITION}\n\nvalue\n--${BOUNDARY}--\n`
      expect(await post(app, bare)).toEqual(
        refusal("part 1 ('note') has a line that ends with LF alone, not CRLF"),
      )
      expect(await post(app, `${first}--${BOUNDARY}-x\r\n${DISPOSITION}\r\n\r\nvalue\r\n${end}`)).toEqual(
        refusal("part 2 ('note') has other bytes behind its boundary"),
      )
    })

    test('may have 32 fields and 16 KiB, and text before the first and behind the last boundary', async () => {
      const app = formApp()
      const fields = part([...extra(31), DISPOSITION].join('\r\n'), 'x')
      const filler = 16_384 - `\r\n${DISPOSITION}\r\nX: `.length
      const long = part(`${DISPOSITION}\r\nX: ${'a'.repeat(filler)}`, 'y')
      const around = `junk: \n\n${DISPOSITION}\r\n`
      const whole = { status: 200, json: { a: '1', note: ['x', 'y'] } }
      expect(await post(app, around + first + fields + long + end + around)).toEqual(whole)
    })

    test('lose no part: generated forms arrive whole, or are refused', async () => {
      const app = formApp()
      const value = fc.stringMatching(/^[a-z\r\n-]{0,40}$/)
      const fields = fc.subarray(HEAD_FIELDS)
      const fault = fc.option(fc.nat(REFUSED.length - 1), { freq: 4 })
      const parts = fc.array(fc.record({ value, fields, fault, isLast: fc.boolean() }), {
        minLength: 1,
        maxLength: 6,
      })
      await fc.assert(
        fc.asyncProperty(parts, async (drawn) => {
          const body = drawn.map((one, n) => {
            const own = `Content-Disposition: form-data; name="p${n}"`
            const valid = one.isLast ? [...one.fields, own] : [own, ...one.fields]
            const faulty = one.fault === null ? undefined : REFUSED[one.fault]
            const lines = faulty === undefined ? valid : faulty[1]
            return lines.length === 0 ? `--${BOUNDARY}\r\n\r\nx\r\n` : part(lines.join('\r\n'), one.value)
          })
          const response = await post(app, body.join('') + end)
          const sent = Object.fromEntries(drawn.map((one, n) => [`p${n}`, one.value]))
          const isFaulty = drawn.some((one) => one.fault !== null)
          expect(response.status).toBe(isFaulty ? 400 : 200)
          if (!isFaulty) expect(response.json).toEqual(sent)
        }),
        { numRuns: 40 },
      )
    })
  },
  ALL,
)
