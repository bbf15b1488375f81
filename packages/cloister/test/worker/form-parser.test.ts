import { describe, expect, it } from 'vitest'
import type { FileSource } from '../../src/dependencies.ts'
import { PlatformFormParser } from '../../src/worker/form-parser.ts'

const BOUNDARY = '----of-a-test'
const limits = { fieldSize: 1000, parts: 3, headerPairs: 10, headerSize: 1000 }

/** What a parser says of a form, whose parts are files where they have a file name. */
async function parse(form: FormData): Promise<unknown[]> {
  const response = new Response(form)
  const parser = new PlatformFormParser({
    headers: { 'content-type': response.headers.get('content-type') ?? '' },
    isPartAFile: (_name, _type, filename) => filename !== undefined,
    limits,
  })
  const seen: unknown[] = []
  parser.on('field', (name: string, value: string, ...rest: unknown[]) =>
    seen.push([name, value, rest.at(-1)]),
  )
  parser.on('file', (name: string, file: FileSource, filename: string, _encoding: string, type: string) => {
    const entry = [name, filename, type, '']
    seen.push(entry)
    file.pause()
    file.on('data', (chunk) => (entry[3] += new TextDecoder().decode(chunk)))
    file.on('end', () => seen.push(`end of ${filename}`))
    setTimeout(() => file.resume())
  })
  const finished = new Promise<void>((resolve) => {
    parser.on('finish', resolve)
    parser.on('error', (error: Error) => {
      seen.push(error.name)
      resolve()
    })
  })
  parser.on('partsLimit', () => seen.push('too many parts'))
  parser.write(new Uint8Array(await response.arrayBuffer()))
  parser.end()
  await finished
  return seen
}

function formOf(entries: readonly (readonly [name: string, value: string | File])[]): FormData {
  const form = new FormData()
  for (const [name, value] of entries) form.append(name, value)
  return form
}

describe('the form parser of workers', () => {
  it('hands over fields, and files when they are read, one after the other', async () => {
    const form = formOf([
      ['a', 'für'],
      ['b', new File(['content'], 'b.txt', { type: 'text/plain' })],
      ['c', new File([], 'c.png', { type: 'image/png' })],
    ])
    expect(await parse(form)).toEqual([
      ['a', 'für', 'text/plain'],
      ['b', 'b.txt', 'text/plain', 'content'],
      'end of b.txt',
      ['c', 'c.png', 'image/png', ''],
      'end of c.png',
    ])
  })

  it('hands over no form with too many parts', async () => {
    const parts = ['1', '2', '3', '4'].map((value) => ['a', value] as const)
    expect(await parse(formOf(parts))).toEqual(['too many parts'])
  })

  it('says that a form is malformed', async () => {
    const parser = new PlatformFormParser({
      headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      isPartAFile: () => false,
      limits,
    })
    const failed = new Promise((resolve) => {
      parser.on('error', resolve)
    })
    parser.write(new TextEncoder().encode('no form'))
    parser.end()
    expect(await failed).toBeInstanceOf(TypeError)
  })

  it('wants a boundary', () => {
    const headers = { 'content-type': 'multipart/form-data' }
    expect(() => new PlatformFormParser({ headers, isPartAFile: () => false, limits })).toThrow(TypeError)
  })
})
