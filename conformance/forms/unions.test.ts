// Forms whose parts are declared by the branches of a union, a condition or a reference with siblings.
import { z } from 'zod'

import type { App } from '../harness/app-shape.ts'
import { describeTransports } from '../harness/transports.ts'
import { formRequest } from './form-body.ts'
import type { Part } from './form-body.ts'

const file = { type: 'string', format: 'binary' } as const
const text = (name: string, value: string): Part => ({ name, value })
const upload = (value: string): Part => ({ name: 'doc', value, filename: 'a.txt', type: 'text/plain' })

describeTransports(
  'forms with unions',
  ({ createApp, send, ours, expect }) => {
    const test = ours('fastify needs plugins for forms')
    const formApp = (schema: object): App => {
      const app = createApp({ logger: false })
      return app.post(
        '/',
        { schema: { body: { content: { 'multipart/form-data': { schema } } } } },
        ({ body }) => {
          const shown = (value: unknown): unknown => (value instanceof File ? `file ${value.size}` : value)
          return Object.fromEntries(
            Object.entries(Object(body)).map(([name, value]) => [
              name,
              Array.isArray(value) ? value.map(shown) : shown(value),
            ]),
          )
        },
      )
    }
    const post = async (app: App, ...parts: Part[]): Promise<unknown> => {
      const response = await send(app, formRequest(parts))
      return response.status === 200 ? response.json() : response.status
    }
    const branch = (kind: string, properties: object, required: string[]): object => ({
      type: 'object',
      required: ['kind', ...required],
      properties: { kind: { const: kind }, ...properties },
    })
    const branches = [
      branch('note', { size: { type: 'integer' } }, ['size']),
      branch('file', { doc: file }, ['doc']),
    ]

    test.each(['anyOf', 'oneOf'])('the branches of %s declare the parts of a form', async (keyword) => {
      const app = formApp({ [keyword]: branches })
      expect(await post(app, text('kind', 'note'), text('size', '5'))).toEqual({ kind: 'note', size: 5 })
      expect(await post(app, text('kind', 'file'), upload('abc'))).toEqual({ kind: 'file', doc: 'file 3' })
      expect(await post(app, text('kind', 'file'))).toBe(400)
      expect(await post(app, text('kind', 'note'), text('size', '5'), text('other', '1'))).toBe(400)
    })

    test('so do those of the discriminated union of a library', async () => {
      const app = formApp(
        z.discriminatedUnion('kind', [
          z.object({ kind: z.literal('note'), size: z.number() }),
          z.object({ kind: z.literal('file'), doc: z.file().max(5) }),
        ]),
      )
      expect(await post(app, text('kind', 'note'), text('size', '5'))).toEqual({ kind: 'note', size: 5 })
      expect(await post(app, text('kind', 'file'), upload('abc'))).toEqual({ kind: 'file', doc: 'file 3' })
      expect(await post(app, text('kind', 'file'), upload('abcdef'))).toBe(413)
    })

    test('a library decides about the parts that its branches declare in several ways', async () => {
      const app = formApp(
        z.union([
          z.object({ kind: z.literal('small'), doc: z.file().max(2) }),
          z.object({ kind: z.literal('large'), doc: z.file().max(5) }),
          z.object({ kind: z.literal('text'), doc: z.string() }),
        ]),
      )
      expect(await post(app, text('kind', 'small'), upload('ab'))).toEqual({ kind: 'small', doc: 'file 2' })
      expect(await post(app, text('kind', 'small'), upload('abc'))).toBe(400)
      expect(await post(app, text('kind', 'large'), upload('abc'))).toEqual({ kind: 'large', doc: 'file 3' })
      expect(await post(app, text('kind', 'text'), text('doc', 'abc'))).toEqual({ kind: 'text', doc: 'abc' })
      expect(await post(app, text('kind', 'text'), upload('abc'))).toBe(400)
    })

    test('a file that branches of JSON Schema declare differently fails the start', async () => {
      for (const doc of [{ ...file, maxLength: 2 }, { type: 'string' }]) {
        const app = formApp({ oneOf: [...branches, branch('other', { doc }, ['doc'])] })
        await expect(app.ready()).rejects.toThrow(/declares the file 'doc' twice, and differently/)
      }
    })

    test('the parts that a condition requires are declared by it', async () => {
      const app = formApp({
        type: 'object',
        properties: { kind: { type: 'string' } },
        if: { properties: { kind: { const: 'file' } } },
        then: { required: ['doc'], properties: { doc: file } },
        else: { properties: { size: { type: 'integer' } } },
      })
      expect(await post(app, text('kind', 'file'), upload('abc'))).toEqual({ kind: 'file', doc: 'file 3' })
      expect(await post(app, text('kind', 'note'), text('size', '5'))).toEqual({ kind: 'note', size: 5 })
      expect(await post(app, text('kind', 'file'))).toBe(400)
    })

    test('limits beside a reference to a file, or in allOf, are those of the file', async () => {
      for (const doc of [
        { $ref: '#/definitions/file', maxLength: 2 },
        { allOf: [file, { maxLength: 2 }] },
        { anyOf: [{ ...file, maxLength: 2 }, { type: 'null' }] },
      ]) {
        const app = formApp({ type: 'object', properties: { doc }, definitions: { file } })
        expect(await post(app, upload('ab'))).toEqual({ doc: 'file 2' })
        expect(await post(app, upload('abc'))).toBe(413)
      }
    })

    test('members of allOf may add limits to a file that is declared beside them', async () => {
      const limits = [{ properties: { doc: { maxLength: 2 } } }, { $ref: '#/definitions/longer' }]
      const longer = { allOf: [{ properties: { doc: { minLength: 1 } } }] }
      for (const place of [
        { properties: { doc: file }, allOf: limits },
        { allOf: [...limits, { properties: { doc: file } }] },
      ]) {
        const app = formApp({ type: 'object', ...place, definitions: { longer } })
        expect(await post(app, upload('ab'))).toEqual({ doc: 'file 2' })
        expect(await post(app, upload('abc'))).toBe(413)
        expect(await post(app, upload(''))).toBe(400)
      }
      const several = { doc: { type: 'array', items: file } }
      const most = { properties: { doc: { maxItems: 1, items: { maxLength: 2 } } } }
      const lists = formApp({ type: 'object', properties: several, allOf: [most] })
      expect(await post(lists, upload('ab'))).toEqual({ doc: ['file 2'] })
      expect(await post(lists, upload('a'), upload('b'))).toBe(400)
      expect(await post(lists, upload('abc'))).toBe(413)
    })

    test('a limit that only some forms have fails the start, and the error says what to write', async () => {
      const then = { properties: { doc: { maxLength: 2 } } }
      for (const some of [{ if: { required: ['kind'] }, then }, { anyOf: [then, {}] }]) {
        const app = formApp({ type: 'object', properties: { kind: { type: 'string' }, doc: file }, ...some })
        await expect(app.ready()).rejects.toThrow(/declares the file 'doc' twice.* in members of 'allOf'/)
      }
    })

    test('one file or several, and a file or a text, are read as they are sent', async () => {
      const app = formApp({
        type: 'object',
        properties: { doc: { anyOf: [file, { type: 'array', items: file }] } },
      })
      expect(await post(app, upload('ab'), upload('c'))).toEqual({ doc: ['file 2', 'file 1'] })
      const either = formApp(z.object({ doc: z.union([z.file(), z.url()]) }))
      expect(await post(either, upload('ab'))).toEqual({ doc: 'file 2' })
      expect(await post(either, text('doc', 'https://a.example/'))).toEqual({ doc: 'https://a.example/' })
      expect(await post(either, text('doc', 'no'))).toBe(400)
    })

    test('the text of an object that may be null is JSON', async () => {
      const place = { type: 'object', properties: { x: { type: 'number' } } }
      for (const at of [{ ...place, nullable: true }, { anyOf: [place, { type: 'null' }] }]) {
        const app = formApp({ type: 'object', properties: { at } })
        expect(await post(app, text('at', '{"x":1}'))).toEqual({ at: { x: 1 } })
        expect(await post(app, text('at', 'null'))).toEqual({ at: null })
      }
    })
  },
  ['in-process', 'socket', 'http2', 'memory', 'fetch'],
)
